#include "jobs/record.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace octavo::python {

namespace {

constexpr std::size_t longest = 60;  // of a value

bool is_failure(nb::handle value) {
  return nb::hasattr(value, "found") && nb::hasattr(value, "reason") && !nb::cast<bool>(nb::bool_(value.attr("found")));
}

// A value of this name. What says why there is no result is whole.
std::string shown_of(const std::string& name, nb::handle value) {
  if (nb::hasattr(value, "shape")) {
    return nb::cast<std::string>(nb::str("array of {}").attr("format")(value.attr("shape")));
  }
  if (is_failure(value)) {
    return nb::cast<std::string>(
        nb::str("{}(found=False, reason={!r})").attr("format")(value.type().attr("__name__"), value.attr("reason")));
  }
  const auto text = nb::cast<std::string>(nb::repr(value));
  if (text.size() <= longest || name == "reason" || name == "failure") return text;
  const bool is_text = nb::isinstance<nb::str>(value);
  if (!is_text && nb::hasattr(value, "__len__")) return "<" + std::to_string(nb::len(value)) + ">";
  return nb::cast<std::string>(nb::repr(value)[nb::slice(nb::int_(0), nb::int_(longest), nb::none())]) + "…";
}

}  // namespace

std::string describe_record(nb::handle self, const std::vector<const char*>& names) {
  std::string text = nb::cast<std::string>(self.type().attr("__name__")) + "(";
  for (const char* const name : names) {
    text += (text.back() == '(' ? "" : ", ") + std::string(name) + "=" + shown_of(name, self.attr(name));
  }
  return text + ")";
}

Fraction fraction_of(const Ratio& ratio) {
  return nb::borrow<Fraction>(nb::module_::import_("fractions").attr("Fraction")(ratio.numerator, ratio.denominator));
}

}  // namespace octavo::python
