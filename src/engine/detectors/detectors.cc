// Operations on the options of any detector, by their tables. Only SIFT is named here, since its extractor is Extractor
// itself.

#include "octavo/detectors.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "octavo/error.h"

namespace octavo {

namespace {

Extractor extractor_of(const SiftOptions& options, const DeviceOptions& device) { return Extractor(options, device); }

template <class Options>
constexpr bool has_descriptors() {
  if constexpr (requires { Options::has_descriptors; }) {
    return Options::has_descriptors;
  } else {
    return true;
  }
}

template <class Options>
DetectorFacts facts_of_table(const OptionTable<Options>& table) {
  DetectorFacts facts{table.name,
                      table.title,
                      table.sentence,
                      {table.options.begin(), table.options.end()},
                      {},
                      has_descriptors<Options>()};
  for (const OptionPreset<Options>& preset : table.presets) facts.presets.push_back(preset.name);
  return facts;
}

constexpr std::size_t count = std::variant_size_v<DetectorOptions>;

template <std::size_t... index>
std::array<DetectorFacts, count> all_facts(std::index_sequence<index...>) {
  return {facts_of_table(option_table<std::variant_alternative_t<index, DetectorOptions>>())...};
}

template <std::size_t... index>
std::array<DetectorOptions, count> all_defaults(std::index_sequence<index...>) {
  return {DetectorOptions(std::in_place_index<index>)...};
}

// Calls `use` with the options, their table and the row of the option.
template <class Options, class Use>
auto with_row(Options& options, std::string_view name, const Use& use) {
  return std::visit(
      [&](auto& values) {
        const auto& table = option_table<std::decay_t<decltype(values)>>();
        const auto* const row = table.find(name);
        if (row == nullptr) {
          throw Error(ErrorCode::invalid_argument,
                      std::string(table.title) + " has no option \"" + std::string(name) + "\"");
        }
        return use(values, table, *row);
      },
      options);
}

}  // namespace

const OptionFacts* DetectorFacts::find(std::string_view option) const {
  for (const OptionFacts& one : options) {
    if (one.name == option) return &one;
  }
  return nullptr;
}

std::span<const DetectorFacts> detectors() {
  static const std::array<DetectorFacts, count> facts = all_facts(std::make_index_sequence<count>());
  return facts;
}

const DetectorFacts& detector_of(const DetectorOptions& options) { return detectors()[options.index()]; }

DetectorOptions detector_options(std::string_view detector) {
  std::vector<std::string_view> known;
  for (DetectorOptions& options : all_defaults(std::make_index_sequence<count>())) {
    if (detector_of(options).name == detector) return options;
    known.push_back(detector_of(options).name);
  }
  refuse_word("detector", detector, known);
}

DetectorOptions with_detector(const DetectorOptions& options, std::string_view detector) {
  const DetectorFacts& old = detector_of(options);
  if (old.name == detector) return options;
  DetectorOptions other = detector_options(detector);
  DetectorOptions usual = detector_options(old.name);
  for (const std::string_view preset : old.presets) {
    const bool is_shared = std::ranges::find(detector_of(other).presets, preset) != detector_of(other).presets.end();
    if (!is_shared || options != with_preset(usual, preset)) continue;
    other = with_preset(other, preset);
    usual = options;
  }
  for (const OptionFacts& option : old.options) {
    const OptionValue value = option_of(options, option.name);
    const bool is_shared = detector_of(other).find(option.name) != nullptr;
    if (is_shared && value != option_of(usual, option.name)) set_option(other, option.name, value);
  }
  return other;
}

DetectorOptions with_preset(const DetectorOptions& options, std::string_view preset) {
  return std::visit(
      [&](const auto& values) -> DetectorOptions {
        return option_table<std::decay_t<decltype(values)>>().preset(preset);
      },
      options);
}

OptionValue option_of(const DetectorOptions& options, std::string_view option) {
  return with_row(options, option,
                  [](const auto& values, const auto&, const auto& row) { return row.read(values, row); });
}

const OptionNeed* unmet_need(const DetectorOptions& options, std::string_view option) {
  return with_row(options, option,
                  [](const auto& values, const auto& table, const auto& row) { return table.unmet(values, row); });
}

void set_option(DetectorOptions& options, std::string_view option, const OptionValue& value) {
  with_row(options, option, [&](auto& values, const auto& table, const auto& row) { table.set(values, row, value); });
}

std::string json_of(const DetectorOptions& options) {
  const std::string values =
      std::visit([](const auto& one) { return json_of(option_table<std::decay_t<decltype(one)>>(), one); }, options);
  return "{\"detector\":" + json_of(std::string(detector_of(options).name)) + "," + values.substr(1);
}

int max_features_of(const DetectorOptions& options) {
  const auto* const sift = std::get_if<SiftOptions>(&options);
  if (sift != nullptr && sift->target_features == 0 && sift->max_points > 0) return 0;
  for (const std::string_view option : {"target_features", "max_features"}) {
    if (detector_of(options).find(option) == nullptr) continue;
    const auto count = static_cast<int>(std::get<std::int64_t>(option_of(options, option)));
    if (count > 0) return count;
  }
  return 0;
}

bool describes(const DetectorOptions& options) {
  const DetectorFacts& detector = detector_of(options);
  if (detector.find("describe") == nullptr) return detector.has_descriptors;
  return std::get<bool>(option_of(options, "describe"));
}

Views views_of(const DetectorOptions& options) {
  return std::visit(
      [](const auto& values) {
        if constexpr (requires { values.views; }) return values.views;
        return Views::none;
      },
      options);
}

DetectorOptions with_views(DetectorOptions options, Views views) {
  std::visit(
      [&](auto& values) {
        if constexpr (requires { values.views; }) {
          values.views = views;
        } else {
          option_of(options, "views");  // throws
        }
      },
      options);
  return options;
}

DetectorOptions described(DetectorOptions options) {
  const DetectorFacts& detector = detector_of(options);
  if (!detector.has_descriptors) {
    throw Error(ErrorCode::invalid_option,
                InvalidOption{"detector", "\"" + std::string(detector.name) + "\"", "its points have no descriptors"});
  }
  if (!describes(options)) set_option(options, "describe", true);
  return options;
}

void validate(const DetectorOptions& options) {
  std::visit([](const auto& values) { option_table<std::decay_t<decltype(values)>>().validate(values); }, options);
}

Extractor make_extractor(const DetectorOptions& options, const DeviceOptions& device) {
  return std::visit([&](const auto& values) { return extractor_of(values, device); }, options);
}

}  // namespace octavo
