// Options as keyword arguments. Names, kinds and ranges are those of the option tables, so a new option needs no line
// here.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/detectors.h"
#include "octavo/option_table.h"

namespace octavo::python {

/// The value of a Python object for an option: True and False for flags, whole numbers (also NumPy's), numbers, texts.
/// Throws Error(invalid_option) for an object of another kind. The range is not checked.
OptionValue value_of(const OptionFacts& option, nanobind::handle value, std::string_view subject);

/// The value as a Python object.
nanobind::object object_of(const OptionValue& value);

/// Throws Error(invalid_option), which says what the option needs.
[[noreturn]] void refuse_without_effect(const OptionFacts& option, const OptionValue& value, const OptionNeed& unmet);

/// The facts of an option as a dictionary, for documentation: name, group, sentence, unit, kind, low, high, special,
/// odd, words, needs, default.
nanobind::dict facts_of(const OptionFacts& option, const OptionValue& usual);

/// A table as a dictionary, with these values as the defaults: name, title, sentence, options (facts_of) and presets.
template <class Options>
nanobind::dict dict_of_table(const Options& usual = {}) {
  const OptionTable<Options>& table = option_table<Options>();
  nanobind::list options;
  for (const Option<Options>& option : table.options) options.append(facts_of(option, option.read(usual, option)));
  nanobind::list presets;
  for (const OptionPreset<Options>& preset : table.presets) presets.append(std::string(preset.name));
  nanobind::dict dict;
  dict["name"] = std::string(table.name);
  dict["title"] = std::string(table.title);
  dict["sentence"] = std::string(table.sentence);
  dict["options"] = options;
  dict["presets"] = presets;
  return dict;
}

/// The keyword arguments of a call. Each table takes those that it knows; what is left is unknown.
class Keywords {
 public:
  /// `owner` is what errors call the object that is made: "Extractor".
  Keywords(std::string owner, const nanobind::dict& given);

  /// Sets the options of a table that are given, in the order of the table, but those that are left out, which the
  /// call does not know. None counts as not given. Throws Error(invalid_option), also for a new value without effect,
  /// unless all options are given: those of one object make another.
  template <class Options>
  void set(Options& values, std::initializer_list<std::string_view> left_out = {}) {
    const OptionTable<Options>& table = option_table<Options>();
    const Options before = values;
    for (const Option<Options>& option : table.options) {
      if (std::ranges::find(left_out, option.name) != left_out.end()) continue;
      if (const nanobind::object value = take(option.name); value.is_valid()) {
        table.set(values, option, value_of(option, value, table.subject));
      }
    }
    if (table.check_together != nullptr) table.check_together(values);
    const auto is_given = [&](const Option<Options>& option) { return was_given(option.name); };
    if (std::ranges::all_of(table.options, is_given)) return;
    for (const Option<Options>& option : table.options) {
      const OptionNeed* const unmet = is_given(option) ? table.unmet(values, option) : nullptr;
      if (unmet == nullptr) continue;
      const OptionValue value = option.read(values, option);
      if (value != option.read(before, option)) refuse_without_effect(option, value, *unmet);
    }
  }

  /// The same for the options of a detector.
  void set(DetectorOptions& options);

  /// Whether an argument is given, and not used up yet.
  [[nodiscard]] bool has(const char* name) const { return left_.contains(name); }
  /// Whether an option of a table was given.
  [[nodiscard]] bool was_given(std::string_view option) const { return taken_.contains(option); }

  /// A word that is no option of a table; `usual` if it is not given. Throws Error(invalid_option) unless it is a text.
  std::string word(std::string_view name, const std::string& usual = "");

  /// Raises octavo.UnknownOption for the first argument that no table knows.
  void finish() const;

 private:
  // The value of an argument, which is then used up; not valid if it is not given. Notes that the option is known.
  nanobind::object take(std::string_view option);

  std::string owner_;
  std::vector<std::string_view> known_;
  std::set<std::string, std::less<>> taken_;
  nanobind::dict left_;
};

/// The options of a struct as a dictionary.
template <class Options>
nanobind::dict dict_of(const Options& values) {
  nanobind::dict dict;
  for (const Option<Options>& option : option_table<Options>().options) {
    dict[std::string(option.name).c_str()] = object_of(option.read(values, option));
  }
  return dict;
}
nanobind::dict dict_of(const DetectorOptions& options);

void bind_option_tables(nanobind::module_& m);

}  // namespace octavo::python
