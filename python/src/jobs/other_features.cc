#include "jobs/other_features.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <filesystem>

#include "features.h"
#include "octavo/error.h"

namespace nb = nanobind;

namespace octavo::python {

OtherFeatures::OtherFeatures(const nb::object& given) {
  if (given.is_none()) return;
  rule_ = nb::cast<std::string>(given[0]);
  unit_length_ = nb::cast<double>(given[1]);
  for (const auto& [name, arrays] : nb::cast<nb::dict>(given[2])) {
    const AnyArray& keypoints = arrays_.emplace_back(host_array_of(arrays[0], "keypoints"));
    const std::span<const Keypoint> of_keypoints = keypoints_of(keypoints);
    const AnyArray& descriptors = arrays_.emplace_back(host_array_of(arrays[1], "descriptors"));
    images_.emplace(nb::cast<std::filesystem::path>(name).generic_string(),
                    OfImage{of_keypoints, descriptors_of(descriptors, "descriptors")});
  }
}

FeaturesByName OtherFeatures::by_name() const {
  if (!are_given()) return {};
  return [this](const std::string& name) { return features_of(name); };
}

Features OtherFeatures::features_of(const std::string& name) const {
  if (const auto known = images_.find(name); known != images_.end()) {
    const auto& [keypoints, descriptors] = known->second;
    return {{keypoints.begin(), keypoints.end()}, {descriptors.begin(), descriptors.end()}};
  }
  std::string sentence = "there are no features of '" + name + "'";
  const auto file_of = [](const std::string& one) { return std::filesystem::path(one).filename(); };
  const auto other = std::ranges::find_if(
      images_, [&](const std::string& one) { return file_of(one) == file_of(name); },
      &decltype(images_)::value_type::first);
  if (other != images_.end()) {
    sentence += ", but of '" + other->first + "': names are paths below the folder of images, or names of files";
  }
  throw Error(ErrorCode::invalid_argument, sentence);
}

void OtherFeatures::require_effects(const Keywords& keywords, const DetectorOptions& detector,
                                    bool is_any_given) const {
  if (!are_given() || !(is_any_given || is_detector_given(keywords, detector))) return;
  throw Error(ErrorCode::invalid_argument,
              "with features nothing is extracted: mask, one_range and the options of detectors have no effect");
}

bool is_detector_given(const Keywords& keywords, const DetectorOptions& detector) {
  const auto is_given = [&](const auto& option) { return keywords.was_given(option.name); };
  return keywords.was_given("detector") || keywords.was_given("preset") ||
         std::ranges::any_of(detector_of(detector).options, is_given);
}

}  // namespace octavo::python
