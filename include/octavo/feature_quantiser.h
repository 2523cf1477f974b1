#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/device_features.h"
#include "octavo/feature_code.h"
#include "octavo/keypoint.h"

namespace OCTAVO_API octavo {

/// Features with words and codes in the place of descriptors.
struct QuantisedFeatures {
  std::vector<Keypoint> keypoints;   ///< N
  std::vector<FeatureCode> codes;    ///< N, see feature_codes
  std::vector<std::uint16_t> words;  ///< N×words, see nearest_words
  friend bool operator==(const QuantisedFeatures&, const QuantisedFeatures&) = default;
};

/// Makes the codes and words of descriptors on a device. The result is that of feature_codes and nearest_words, on
/// every device. On a GPU the features of an extraction are read where they are. One FeatureQuantiser must not be
/// shared between threads. It can be used again after an error.
class FeatureQuantiser {
 public:
  /// `words` is the number of near words of each descriptor, 1 to 256. With several GPUs the first does the work on
  /// descriptors in host memory. Throws Error(invalid_argument) for another number, Error(invalid_option) and
  /// Error(device_unavailable).
  explicit FeatureQuantiser(std::size_t words = 1, const DeviceOptions& device = {},
                            CodeModel model = general_code_model());
  ~FeatureQuantiser();
  FeatureQuantiser(FeatureQuantiser&&) noexcept;
  FeatureQuantiser& operator=(FeatureQuantiser&&) noexcept;

  /// The codes and words of features, on the GPU whose memory holds them. Throws Error(out_of_memory) and
  /// Error(device_unavailable).
  QuantisedFeatures quantise(const DeviceFeatures& features);
  /// The same of N descriptors (N×128) in host memory, without keypoints. Throws Error(invalid_argument) for a length
  /// that is no multiple of 128, too.
  QuantisedFeatures quantise(std::span<const std::uint8_t> descriptors);

  /// The name of the device, see Matcher::device.
  [[nodiscard]] const std::string& device() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo
