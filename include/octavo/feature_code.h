#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/keypoint.h"

// Descriptors in 18 bytes: the visual word that a descriptor belongs to, for inverted lists, and a code of 128 bits,
// whose Hamming distance tells how near two descriptors are. Word and code of the mirrored descriptor follow from those
// of the descriptor. docs/retrieval.md has the method and the measurements.

namespace OCTAVO_API octavo {

/// One bit for each axis of a rotated space of descriptors: on which side of a threshold the descriptor lies (Jégou,
/// Douze and Schmid 2008). Bit j is bit j mod 64 of number j / 64.
using FeatureCode = std::array<std::uint64_t, 2>;

inline constexpr int feature_code_bits = 128;

/// The number of bits that differ, 0…128.
inline int hamming_distance(const FeatureCode& a, const FeatureCode& b) {
  return std::popcount(a[0] ^ b[0]) + std::popcount(a[1] ^ b[1]);
}

/// The number of words: a pair of 256 centres.
inline constexpr std::size_t code_words = 65536;

/// The word that the mirrored descriptor of a keypoint has: a mirror exchanges the halves.
constexpr std::uint16_t mirrored_word(std::uint16_t word) { return static_cast<std::uint16_t>(word << 8 | word >> 8); }

/// The code that the mirrored descriptor has: bits with odd numbers change. (The code of mirrored_descriptors itself
/// differs in odd bits whose coordinate is exactly 0.)
constexpr FeatureCode mirrored_code(const FeatureCode& code) {
  constexpr std::uint64_t odd = 0xaaaa'aaaa'aaaa'aaaa;
  return {code[0] ^ odd, code[1] ^ odd};
}

/// What is trained of a code: 256 centres of halves of descriptors, and a threshold for each even bit. It never
/// changes. It is for RootSIFT descriptors.
class CodeModel {
 public:
  static constexpr std::size_t centre_count = 256;
  static constexpr std::size_t half_length = descriptor_length / 2;
  static constexpr std::size_t threshold_count = feature_code_bits / 2;

  /// `centres` is 256×64, `thresholds` has 64 numbers. Throws Error(invalid_argument) for other lengths, or an origin
  /// of more than 65 535 bytes.
  CodeModel(std::vector<std::uint8_t> centres, std::vector<std::int32_t> thresholds, std::string origin);

  /// As they were given.
  [[nodiscard]] std::span<const std::uint8_t> centres() const { return centres_; }
  /// As they were given.
  [[nodiscard]] std::span<const std::int32_t> thresholds() const { return thresholds_; }
  /// What it was trained with, a text for people.
  [[nodiscard]] const std::string& origin() const { return origin_; }

  friend bool operator==(const CodeModel&, const CodeModel&) = default;

 private:
  std::vector<std::uint8_t> centres_;
  std::vector<std::int32_t> thresholds_;
  std::string origin_;
};

/// Trains a model with N descriptors (N×128): the centres of all halves by k-means (octavo/vlad.h), at most
/// `max_rounds` rounds; each threshold is the median of its axis, of two medians the lower. The same descriptors give
/// the same model. Throws Error(invalid_argument) if there are fewer different halves than centres, and for a length
/// that is no multiple of 128.
CodeModel train_code_model(std::span<const std::uint8_t> descriptors, int max_rounds, const std::string& origin);

/// The bytes of a model's file; see encode_vocabulary.
std::vector<std::byte> encode_code_model(const CodeModel& model);
/// The model of such bytes; see decode_vocabulary.
CodeModel decode_code_model(std::span<const std::byte> bytes, const std::string& name);

/// The model that Octavo brings. A better one will get another name, since only codes of one model can be compared.
const CodeModel& general_code_model();

/// The codes of N descriptors (N×128). The result depends on the descriptors and the model alone. Throws
/// Error(invalid_argument) for a length that is no multiple of 128.
std::vector<FeatureCode> feature_codes(std::span<const std::uint8_t> descriptors,
                                       const CodeModel& model = general_code_model());

/// The `count` nearest words of each descriptor, N×count, nearest first: the first is the word that it belongs to; with
/// the others a query finds more (multiple assignment; Philbin et al. 2008). A word is 256·(centre of the upper half) +
/// centre of the lower half as a mirror shows it. The distance to it is the sum of the squared distances of both
/// halves; of equally near words the one with the smaller number comes first. `count` is 1 to 256. Throws
/// Error(invalid_argument).
std::vector<std::uint16_t> nearest_words(std::span<const std::uint8_t> descriptors, std::size_t count = 1,
                                         const CodeModel& model = general_code_model());

/// The descriptors that the same keypoints have in a mirrored image. In the frame of a keypoint, whose x axis is its
/// orientation, a mirror turns y round: row r of cells becomes 3 − r, and direction d becomes −d. The orientation θ of
/// the keypoint itself becomes π − θ in an image that is mirrored left to right. Throws Error(invalid_argument) for a
/// length that is no multiple of 128.
std::vector<std::uint8_t> mirrored_descriptors(std::span<const std::uint8_t> descriptors);

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
