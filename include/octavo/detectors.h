#pragma once

// The list of all detectors, for programs whose users choose one. A new detector adds one alternative to
// DetectorOptions. Its options struct has an option table and a function `extractor_of`. It may say more; what it does
// not say has a default:
//  - `static constexpr bool has_descriptors = false;` in the struct: its points have no descriptors. Default: they
//  have;
//    only on request, if there is a flag `describe`.
//  - the options `max_features` and `target_features`: its points can be limited in number. Default: they cannot.

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "octavo/api.h"
#include "octavo/choices.h"
#include "octavo/device.h"
#include "octavo/extractor.h"
#include "octavo/foagdd.h"
#include "octavo/option_table.h"
#include "octavo/sift_options.h"

namespace OCTAVO_API octavo {

/// The options of a detector. The type of the struct it holds selects the detector.
using DetectorOptions = std::variant<SiftOptions, FoagddOptions>;

/// The description of a detector.
struct DetectorFacts {
  std::string_view name;      ///< for programs: "sift", "foagdd"
  std::string_view title;     ///< for people: "SIFT", "FOAGDD"
  std::string_view sentence;  ///< what its points are: continues a sentence that begins with "SIFT's"
  /// The options of its option table. An option that several detectors have is of the same kind and range in all of
  /// them. A detector that describes its points only on request has the flag `describe`.
  std::vector<OptionFacts> options;
  std::vector<std::string_view> presets;
  bool has_descriptors = true;  ///< its points can have descriptors

  /// The option of this name, or null if there is none.
  [[nodiscard]] const OptionFacts* find(std::string_view option) const;
};

/// All detectors, in the order of DetectorOptions.
std::span<const DetectorFacts> detectors();

/// The detector to which these options belong.
const DetectorFacts& detector_of(const DetectorOptions& options);

/// The default options of a detector. Throws Error(invalid_option) for an unknown name; the error lists the known ones.
DetectorOptions detector_options(std::string_view detector);

/// Options for another detector: its defaults, and the values of the options that both detectors have and that differ
/// from their default; for those of a preset that both detectors have, the other's preset of that name. For the same
/// detector the options are unchanged. Throws Error(invalid_option) for an unknown name.
DetectorOptions with_detector(const DetectorOptions& options, std::string_view detector);

/// The options of a preset of the same detector. Throws Error(invalid_option) for an unknown name.
DetectorOptions with_preset(const DetectorOptions& options, std::string_view preset);

/// The value of an option by its name. Throws Error(invalid_argument) if the detector has no such option.
OptionValue option_of(const DetectorOptions& options, std::string_view option);

/// The first condition of the option's effect (OptionFacts::needs) that these options do not meet, or null if it has an
/// effect. Throws Error(invalid_argument) if the detector has no such option.
const OptionNeed* unmet_need(const DetectorOptions& options, std::string_view option);

/// Sets an option by its name, and the options whose defaults depend on it. Throws Error(invalid_option) for an invalid
/// value, and Error(invalid_argument) if the detector has no such option. After an error the options are unchanged.
void set_option(DetectorOptions& options, std::string_view option, const OptionValue& value);

/// A JSON object: the name of the detector under `detector`, then the options.
std::string json_of(const DetectorOptions& options);

/// The largest number of keypoints to keep, by a target (`target_features`) or a budget (`max_features`); 0: all, also
/// where the detector has no such option, or where `max_points` limits the points.
int max_features_of(const DetectorOptions& options);

/// Whether the points get descriptors.
bool describes(const DetectorOptions& options);

/// The views in which features are found; `none` also where the detector has no such option.
Views views_of(const DetectorOptions& options);

/// The options with other views. Throws Error(invalid_argument) if the detector has no such option.
DetectorOptions with_views(DetectorOptions options, Views views);

/// The options, changed so that the points get descriptors. Throws Error(invalid_option) for a detector without.
DetectorOptions described(DetectorOptions options);

/// Throws Error(invalid_option) for the first option out of range. The error names the option, its value and the range.
void validate(const DetectorOptions& options);

/// Makes an extractor that uses the detector. Throws Error(invalid_option) or Error(device_unavailable).
Extractor make_extractor(const DetectorOptions& options, const DeviceOptions& device = {});

}  // namespace octavo
