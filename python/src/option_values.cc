// Conversion of values between Python and the option tables.

#include "option_values.h"

#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>

#include "errors.h"
#include "octavo/device.h"
#include "octavo/error.h"
#include "octavo/matcher.h"
#include "octavo/retrieval.h"
#include "octavo/trilateral.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

const char* word(OptionKind kind) {
  switch (kind) {
    case OptionKind::flag:
      return "flag";
    case OptionKind::integer:
      return "integer";
    case OptionKind::number:
      return "number";
    case OptionKind::choice:
      return "choice";
    case OptionKind::text:
      return "text";
  }
  return "";
}

[[noreturn]] void refuse(const OptionFacts& option, nb::handle value, std::string_view subject,
                         const std::string& reason) {
  const nb::object told = nb::module_::import_("octavo._checks").attr("told")(value);
  throw Error(ErrorCode::invalid_option, InvalidOption{std::string(option.name), nb::cast<std::string>(told), reason},
              subject);
}

bool is_flag(nb::handle value) {
  if (PyBool_Check(value.ptr()) != 0) return true;
  if (!nb::hasattr(value, "dtype")) return false;
  const nb::object kind = nb::getattr(value.attr("dtype"), "kind", nb::none());  // NumPy's
  if (PyUnicode_Check(kind.ptr()) == 0 || nb::cast<std::string>(kind) != "b") return false;
  return !nb::hasattr(value, "ndim") || nb::cast<int>(value.attr("ndim")) == 0;
}

bool truth_of(const OptionFacts& option, nb::handle value, std::string_view subject) {
  const int is_true = is_flag(value) ? PyObject_IsTrue(value.ptr()) : -1;  // an array of several has none
  if (is_true >= 0) return is_true == 1;
  PyErr_Clear();
  refuse(option, value, subject, "must be True or False");
}

std::int64_t whole_number(const OptionFacts& option, nb::handle value, std::string_view subject) {
  if (is_flag(value)) refuse(option, value, subject, "must be a whole number");
  const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    refuse(option, value, subject, "must be a whole number");
  }
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0) refuse(option, value, subject, "must be a whole number of at most 64 bits");
  return number;
}

double number(const OptionFacts& option, nb::handle value, std::string_view subject) {
  if (is_flag(value) || PyUnicode_Check(value.ptr())) refuse(option, value, subject, "must be a number");
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse(option, value, subject, "must be a number");
  }
  return number;
}

nb::dict option_tables() {
  nb::dict tables;
  for (const DetectorFacts& detector : detectors()) {
    const std::string name(detector.name);
    tables[name.c_str()] = std::visit([](const auto& usual) { return dict_of_table(usual); }, detector_options(name));
  }
  tables["device"] = dict_of_table<DeviceOptions>();
  tables["match"] = dict_of_table<MatchOptions>();
  tables["guide"] = dict_of_table<Guide>();
  tables["trilateral"] = dict_of_table<TrilateralOptions>();
  tables["vocabulary"] = dict_of_table<VocabularyOptions>();
  return tables;
}

}  // namespace

OptionValue value_of(const OptionFacts& option, nb::handle value, std::string_view subject) {
  switch (option.kind) {
    case OptionKind::flag:
      return truth_of(option, value, subject);
    case OptionKind::integer:
      return whole_number(option, value, subject);
    case OptionKind::number:
      return number(option, value, subject);
    case OptionKind::choice:
    case OptionKind::text:
      break;
  }
  std::string text;
  if (PyUnicode_Check(value.ptr()) == 0 || !nb::try_cast(value, text)) {  // UTF-8 cannot hold each string
    PyErr_Clear();
    refuse(option, value, subject, "must be a string");
  }
  return text;
}

nb::object object_of(const OptionValue& value) {
  return std::visit([](const auto& one) -> nb::object { return nb::cast(one); }, value);
}

void refuse_without_effect(const OptionFacts& option, const OptionValue& value, const OptionNeed& unmet) {
  const std::string needed = unmet.value == "true"    ? "True"
                             : unmet.value == "false" ? "False"
                                                      : std::string(unmet.value);
  refuse(option, object_of(value), "",
         "has no effect " + std::string(unmet.is_any_other ? "while " : "unless ") + std::string(unmet.option) +
             " is " + needed);
}

nb::dict facts_of(const OptionFacts& option, const OptionValue& usual) {
  nb::dict facts;
  facts["name"] = std::string(option.name);
  facts["group"] = std::string(option.group);
  facts["sentence"] = std::string(option.sentence);
  facts["unit"] = std::string(option.unit);
  facts["kind"] = word(option.kind);
  facts["low"] = option.is_bounded ? nb::cast(option.low) : nb::none();
  facts["high"] = option.is_bounded ? nb::cast(option.high) : nb::none();
  facts["special"] = option.special ? nb::cast(*option.special) : nb::none();
  facts["odd"] = option.odd;
  nb::list words;
  for (const std::string_view one : option.words) words.append(std::string(one));
  facts["words"] = words;
  nb::list needs;
  for (const OptionNeed& need : option.needs) {
    needs.append(nb::make_tuple(std::string(need.option), std::string(need.value), need.is_any_other));
  }
  facts["needs"] = needs;
  facts["default"] = object_of(usual);
  return facts;
}

nb::dict dict_of(const DetectorOptions& options) {
  return std::visit([](const auto& values) { return dict_of(values); }, options);
}

Keywords::Keywords(std::string owner, const nb::dict& given) : owner_(std::move(owner)) {
  for (const auto [name, value] : given) {
    if (!value.is_none()) left_[name] = value;
  }
}

void Keywords::set(DetectorOptions& options) {
  std::visit([&](auto& values) { set(values); }, options);
}

std::string Keywords::word(std::string_view name, const std::string& usual) {
  const nb::object value = take(name);
  if (!value.is_valid()) return usual;
  return std::get<std::string>(value_of({.name = name, .kind = OptionKind::text}, value, ""));
}

void Keywords::finish() const {
  for (const auto [name, value] : left_) {
    const auto option = nb::cast<std::string>(name);
    raise_unknown_option(owner_, option, did_you_mean(option, known_));
  }
}

nb::object Keywords::take(std::string_view option) {
  known_.push_back(option);
  if (left_.size() == 0) return {};
  const nb::str name(option.data(), option.size());
  if (!left_.contains(name)) return {};
  nb::object value = left_[name];
  nb::del(left_[name]);
  taken_.emplace(option);
  return value;
}

void bind_option_tables(nb::module_& m) {
  nb::list names;
  for (const DetectorFacts& detector : detectors()) names.append(std::string(detector.name));
  m.attr("detectors") = nb::tuple(names);
  m.def("option_tables", &option_tables,
        "The tables of options, by name: for each its `name`, `title`, `sentence`, `options` and `presets`.");
  m.def(
      "did_you_mean",
      [](const std::string& word, const std::vector<std::string>& known) {
        const std::vector<std::string_view> words(known.begin(), known.end());
        return did_you_mean(word, words);
      },
      nb::arg("word"), nb::arg("known"),
      "The end of a sentence that names the nearest of the known words, or nothing.");
}

}  // namespace octavo::python
