// Results of jobs in Python: a struct of the library is a class whose members are attributes that can be read.

#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.h"
#include "jobs/job_options.h"
#include "octavo/image_view.h"
#include "octavo/video/video_file.h"

namespace octavo::python {

/// repr(): the class, and its members with their values, long ones cut.
std::string describe_record(nanobind::handle self, const std::vector<const char*>& names);

template <class Struct>
class Record {
 public:
  Record(nanobind::module_& m, const char* name, const char* doc) : type_(m, name, doc) {}
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;
  ~Record() {
    nanobind::list names;
    for (const char* const name : names_) names.append(name);
    type_.attr("__match_args__") = nanobind::tuple(names);
    type_.def("__repr__", [names = names_](nanobind::handle self) { return describe_record(self, names); });
  }

  /// A member, or what a function of the struct gives.
  template <class Member>
  Record& with(const char* name, Member member, const char* doc) {
    names_.push_back(name);
    using Value = std::remove_cvref_t<std::invoke_result_t<Member, const Struct&>>;
    if constexpr (std::is_same_v<Value, std::string>) {  // names of files may have any bytes
      const auto get = [member](const Struct& self) {
        return nanobind::steal<nanobind::str>(text_of(std::invoke(member, self)).release());
      };
      type_.def_prop_ro(name, get, doc);
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      type_.def_prop_ro(
          name, [member](const Struct& self) { return texts_of(std::invoke(member, self)); }, doc);
    } else if constexpr (std::is_member_object_pointer_v<Member>) {
      type_.def_ro(name, member, doc);
    } else {
      const auto get = [member](const Struct& self) -> decltype(auto) { return std::invoke(member, self); };
      type_.def_prop_ro(name, get, nanobind::rv_policy::automatic, doc);
    }
    return *this;
  }

  /// A method.
  template <class Function, class... Extra>
  Record& method(const char* name, Function function, const Extra&... extra) {
    type_.def(name, function, extra...);
    return *this;
  }

 private:
  nanobind::class_<Struct> type_;
  std::vector<const char*> names_;
};

/// A result, and what the job has told of items that failed and of doubts: sentences.
template <class Result>
struct Told : Result {
  std::vector<std::string> problems, warnings;
};

/// The members that Told adds.
template <class Result>
void add_told(Record<Told<Result>>& record) {
  record
      .with(
          "problems", [](const Told<Result>& told) { return texts_of(told.problems); },
          "list[str]: what could not be done, a sentence for each item.")
      .with(
          "warnings", [](const Told<Result>& told) { return texts_of(told.warnings); },
          "list[str]: what was done, but not as it should be.");
}

/// A fractions.Fraction.
class Fraction : public nanobind::object {
  NB_OBJECT(Fraction, nanobind::object, "fractions.Fraction", PyNumber_Check)
};
Fraction fraction_of(const Ratio& ratio);

/// A matrix of 3 × 3.
inline nanobind::ndarray<nanobind::numpy, double> matrix_of(const std::array<double, 9>& m) {
  return numpy_of(std::vector<double>(m.begin(), m.end()), {3, 3});
}

/// Numbers that are not 0 for what belongs to a set: N in uint8.
inline nanobind::ndarray<nanobind::numpy, std::uint8_t> mask_of(std::vector<std::uint8_t> mask) {
  const std::size_t n = mask.size();
  return numpy_of(std::move(mask), {n});
}

/// A vector.
template <std::size_t n>
nanobind::ndarray<nanobind::numpy, double> vector_of(const std::array<double, n>& v) {
  return numpy_of(std::vector<double>(v.begin(), v.end()), {n});
}

/// N × k numbers of N things.
template <class Things, class Numbers>
auto table_of(const Things& things, std::size_t k, const Numbers& numbers) {
  using Number = typename decltype(numbers(*things.begin()))::value_type;
  std::vector<Number> all;
  all.reserve(k * things.size());
  for (const auto& one : things) {
    for (const Number number : numbers(one)) all.push_back(number);
  }
  return numpy_of(std::move(all), {things.size(), k});
}

}  // namespace octavo::python
