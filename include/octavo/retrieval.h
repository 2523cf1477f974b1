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

// Descriptors in 18 bytes: the visual word that a descriptor belongs to, for inverted lists, and a code of 128 bits,
// whose Hamming distance tells how near two descriptors are. Word and code of the mirrored descriptor follow from those
// of the descriptor. docs/retrieval.md has the method and the measurements.

/// One bit for each axis of a rotated space of descriptors: on which side of a threshold the descriptor lies (Jégou,
/// Douze and Schmid 2008). Bit j is bit j mod 64 of number j / 64.
using FeatureCode = std::array<std::uint64_t, 2>;

/// The bits of a code.
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
  static constexpr std::size_t centre_count = 256;                       ///< of halves of descriptors
  static constexpr std::size_t half_length = descriptor_length / 2;      ///< the numbers of a centre: 64
  static constexpr std::size_t threshold_count = feature_code_bits / 2;  ///< one for each even bit: 64

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

/// Trains a model with N descriptors (N×128): the centres of all halves by k-means (octavo/retrieval.h), at most
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
