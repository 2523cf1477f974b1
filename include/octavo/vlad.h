#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/keypoint.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"

// Visual words (Sivic and Zisserman 2003): k descriptors, the centres of a clustering of many others. A descriptor
// belongs to the word whose centre is nearest. docs/retrieval.md explains the training and the format of the file.

namespace OCTAVO_API octavo {

/// The k centres of visual words, in u8×128, for RootSIFT descriptors. It never changes.
class Vocabulary {
 public:
  static constexpr std::size_t most_words = 65536;
  static constexpr std::size_t longest_origin = 65535;  ///< [byte]

  /// `centres` is k×128, row by row, with k from 1 to `most_words`. `origin` is a text for people: what the centres
  /// were trained on. Throws Error(invalid_argument) for another length of either.
  explicit Vocabulary(std::vector<std::uint8_t> centres, std::string origin = {});

  /// The number of words, k.
  [[nodiscard]] std::size_t size() const { return centres_.size() / descriptor_length; }
  /// k×128, row by row.
  [[nodiscard]] std::span<const std::uint8_t> centres() const { return centres_; }
  /// That of a word, of which there are `size`.
  [[nodiscard]] std::span<const std::uint8_t, descriptor_length> centre(std::size_t word) const {
    return std::span<const std::uint8_t, descriptor_length>(centres_.data() + word * descriptor_length,
                                                            descriptor_length);
  }
  /// Where it comes from, as it was given.
  [[nodiscard]] const std::string& origin() const { return origin_; }

  friend bool operator==(const Vocabulary&, const Vocabulary&) = default;

 private:
  std::vector<std::uint8_t> centres_;
  std::string origin_;
};

/// The vocabulary that Octavo brings: 64 words. Its origin() names the photographs that it was trained with. A better
/// one will get another name, since a VLAD can be compared only with VLADs of the same vocabulary.
const Vocabulary& general_vocabulary();

/// The bytes of a vocabulary's file: the same vocabulary gives the same bytes.
std::vector<std::byte> encode_vocabulary(const Vocabulary& vocabulary);

/// The vocabulary of such bytes. `name` is what the errors call them. Throws Error(file_error) that names what is
/// wrong: no vocabulary, another version, truncated, too long, damaged, a number out of its range; and
/// Error(out_of_memory).
Vocabulary decode_vocabulary(std::span<const std::byte> bytes, const std::string& name);

/// Options of the training of a vocabulary.
struct VocabularyOptions {
  int words = 64;
  int max_rounds = 100;   ///< the training stops after so many rounds even if the centres still move
  std::int64_t seed = 1;  ///< chooses the first centres
};

/// Name, range and meaning of every option.
template <>
const OptionTable<VocabularyOptions>& option_table<VocabularyOptions>();

/// Throws Error(invalid_option) for the first option out of range.
void validate(const VocabularyOptions& options);

/// What `train_vocabulary` made.
struct VocabularyTraining {
  Vocabulary vocabulary;
  int rounds = 0;                     ///< how often the centres were moved
  bool has_settled = false;           ///< false: `max_rounds` ended the training
  std::uint64_t distance2 = 0;        ///< sum of the squared distances of all descriptors to their centres
  std::vector<std::uint32_t> counts;  ///< the number of descriptors of each word
};

/// Trains a vocabulary by k-means (Lloyd 1982), in integers. `descriptors` is N×128. The result depends on the
/// descriptors, their order and the options alone: it is the same on every device and with any number of threads.
///  - First centres: k-means++ (Arthur and Vassilvitskii 2007) with the 64-bit Mersenne twister of `seed`.
///  - A round: each descriptor belongs to the nearest centre, of equally near ones to the first. Each centre moves to
///    the mean of its descriptors, of which every number is rounded to nearest, halves up.
///  - Of a word without descriptors, in ascending order: among the words with at least two descriptors, the descriptor
///    farthest from its centre, of equally far ones the first, is moved to the empty word before the means are taken.
///  - The training ends when the sum of squared distances falls no more.
/// Throws Error(invalid_argument) if the length is not a multiple of 128 or there are fewer different descriptors than
/// words, Error(invalid_option), Error(device_unavailable) and Error(out_of_memory).
VocabularyTraining train_vocabulary(std::span<const std::uint8_t> descriptors, const VocabularyOptions& options = {},
                                    const DeviceOptions& device = {}, std::string origin = {},
                                    const ProgressSink& progress = {});

// An image as one vector: VLAD, the vector of locally aggregated descriptors (Jégou, Douze, Schmid and Pérez 2010;
// Jégou et al. 2012), with intra-normalisation (Arandjelović and Zisserman 2013). The product of two such vectors tells
// how similar two images are. All numbers are integers, and docs/retrieval.md proves that none overflows.

// The most similar images of each image of a collection, by the products of their VLADs. The search is exact.

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

  /// The one that it encodes by.
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

/// No VLAD is augmented by more images.
inline constexpr std::size_t most_augmenting_images = 100;

/// Each VLAD with its `neighbours` most similar ones added, by their similarity, and brought to the length of a VLAD:
/// images of one scene at very different sizes become similar through those between them (database augmentation,
/// Arandjelović and Zisserman 2012). 0 gives them back. Takes and throws what most_similar_images does, and
/// Error(invalid_argument) for more than `most_augmenting_images`; the result is as exact.
std::vector<std::vector<std::int16_t>> augmented_vlads(std::span<const std::vector<std::int16_t>> vlads,
                                                       std::size_t neighbours, const DeviceOptions& device = {});

}  // namespace octavo
