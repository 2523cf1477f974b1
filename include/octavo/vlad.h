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
#include "octavo/vocabulary.h"

// An image as one vector: VLAD, the vector of locally aggregated descriptors (Jégou, Douze, Schmid and Pérez 2010;
// Jégou et al. 2012), with intra-normalisation (Arandjelović and Zisserman 2013). The product of two such vectors tells
// how similar two images are. All numbers are integers, and docs/retrieval.md proves that none overflows.

// The most similar images of each image of a collection, by the products of their VLADs. The search is exact.

namespace OCTAVO_API octavo {

/// The length of a VLAD of an image with features. A VLAD is a vector of this length and any direction; each number is
/// rounded, so its length is within 0.6·√(128·k) of it.
inline constexpr std::int32_t vlad_length = 1 << 14;

/// An image with more features has no VLAD.
inline constexpr std::size_t most_vlad_features = std::size_t{1} << 19;

/// A vocabulary with more words makes no VLAD.
inline constexpr std::size_t most_vlad_words = 1024;

/// Makes the VLADs of images. The result depends on the descriptors and the vocabulary alone: not on the order of the
/// descriptors, the device or the number of threads. One VladEncoder must not be shared between threads. It can be used
/// again after an error.
class VladEncoder {
 public:
  /// Throws Error(invalid_argument) for a vocabulary of more than `most_vlad_words`, Error(invalid_option) and
  /// Error(device_unavailable).
  explicit VladEncoder(Vocabulary vocabulary, const DeviceOptions& device = {});
  ~VladEncoder();
  VladEncoder(VladEncoder&&) noexcept;
  VladEncoder& operator=(VladEncoder&&) noexcept;

  /// The VLAD of N descriptors (N×128), k×128 numbers: those of word w begin at 128·w. N is at most
  /// `most_vlad_features`. The sum of the differences between the descriptors of a word and its centre is divided by
  /// its length; then the whole vector is brought to the length `vlad_length`. A word without descriptors has zeros. So
  /// has every word of an image without features. Throws Error(invalid_argument) for another N or a length that is no
  /// multiple of 128, and Error(out_of_memory).
  std::vector<std::int16_t> encode(std::span<const std::uint8_t> descriptors);
  /// The same of the features of an extraction. An encoder on a GPU reads those on a GPU where they are.
  std::vector<std::int16_t> encode(const DeviceFeatures& features);

  [[nodiscard]] const Vocabulary& vocabulary() const;
  /// The name of the device, see Matcher::device.
  [[nodiscard]] const std::string& device() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The scalar product of two VLADs, an exact integer. Between two images with features it is from about
/// −vlad_length² to vlad_length², which is reached by equal VLADs. Throws Error(invalid_argument) for vectors of
/// different or of too great length.
std::int64_t vlad_product(std::span<const std::int16_t> a, std::span<const std::int16_t> b);

/// The same as the cosine of the angle between them, −1…1 but for rounding; 0 if one has no features.
double vlad_similarity(std::span<const std::int16_t> a, std::span<const std::int16_t> b);

/// An image that is similar to another one.
struct SimilarImage {
  std::size_t image = 0;     ///< its index in the collection
  std::int64_t product = 0;  ///< vlad_product of both
  friend bool operator==(const SimilarImage&, const SimilarImage&) = default;
};

/// For each image the `count` most similar other ones, by descending product, those of equal products by index.
/// `vlads` are of VladEncoder::encode with one vocabulary. An image whose VLAD is empty or zero, since it has no
/// features, has no similar images and is similar to none. The result is the same for any number of threads; of
/// `device` only `threads` and `progress` count. The work grows with the square of the number of images. Throws
/// Error(invalid_argument) for VLADs of different lengths and for a vector that is longer than a VLAD, and
/// Error(out_of_memory).
std::vector<std::vector<SimilarImage>> most_similar_images(std::span<const std::vector<std::int16_t>> vlads,
                                                           std::size_t count, const DeviceOptions& device = {});

}  // namespace octavo
