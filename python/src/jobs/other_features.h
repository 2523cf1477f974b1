// Features of other detectors, which Python holds (octavo.OtherFeatures), for jobs.

#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "arrays.h"
#include "octavo/io/collection.h"
#include "octavo/keypoint.h"
#include "option_values.h"

namespace octavo::python {

/// They stay where Python has them, which keeps them as they are.
class OtherFeatures {
 public:
  /// `given` is None, or (rule, unit_length, {name: (keypoints, descriptors)}).
  explicit OtherFeatures(const nanobind::object& given);

  [[nodiscard]] bool are_given() const { return !rule_.empty(); }
  /// Empty if none are given. It needs no lock of Python, and this object must outlive it.
  [[nodiscard]] FeaturesByName by_name() const;
  [[nodiscard]] const std::string& rule() const { return rule_; }
  [[nodiscard]] double unit_length() const { return unit_length_; }

  /// Throws Error(invalid_argument) if features are given beside what is for extraction alone: options of the detector,
  /// or others.
  void require_effects(const Keywords& keywords, const DetectorOptions& detector, bool is_any_given) const;

 private:
  struct OfImage {
    std::span<const Keypoint> keypoints;
    std::span<const std::uint8_t> descriptors;
  };
  [[nodiscard]] Features features_of(const std::string& name) const;

  std::string rule_;
  double unit_length_ = 0;  // MatchJob::unit_length
  std::map<std::string, OfImage, std::less<>> images_;
  std::vector<AnyArray> arrays_;  // which the spans are of
};

/// Whether options of a detector, its name or a preset are given.
bool is_detector_given(const Keywords& keywords, const DetectorOptions& detector);

}  // namespace octavo::python
