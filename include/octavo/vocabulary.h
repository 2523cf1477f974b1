#pragma once

#include <cstddef>
#include <cstdint>
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
  [[nodiscard]] std::span<const std::uint8_t, descriptor_length> centre(std::size_t word) const {
    return std::span<const std::uint8_t, descriptor_length>(centres_.data() + word * descriptor_length,
                                                            descriptor_length);
  }
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

}  // namespace octavo
