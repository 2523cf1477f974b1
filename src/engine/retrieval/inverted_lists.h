#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/retrieval.h"

// Inverted lists: for each visual word the images that have it, with a part of the code of each feature (Hamming
// embedding; Jégou, Douze and Schmid 2008). An image is an image, or a frame of a clip. docs/retrieval.md has the
// method and its bytes.

namespace OCTAVO_INTERNAL_API octavo {

/// A feature as a list keeps it: 12 bytes with the number of its image.
struct ListedFeature {
  std::uint16_t word = 0;        ///< nearest_words
  std::uint64_t code = 0;        ///< the first 64 bits of its code
  std::uint8_t scale = 0;        ///< 16·log₂ of the scale, plus any constant
  std::uint8_t orientation = 0;  ///< [2π/256]
};

/// Writes inverted lists into memory of the caller, such as a mapped file, in two passes over the features: so the
/// lists may be larger than the memory of the machine. First `count` for every feature, then `begin`, then `add` for
/// every feature. The bytes depend on the features and the order of the images alone.
class InvertedListsWriter {
 public:
  /// First pass: a feature of this word will come with this image, in any order.
  void count(std::uint32_t image, std::uint16_t word);
  /// The number of bytes that the lists of the counted features of this number of images take.
  [[nodiscard]] std::size_t bytes(std::uint32_t images) const;
  /// Ends the first pass. `storage` has bytes(images) bytes and begins at a multiple of 8; it must outlive the writer.
  /// Throws Error(invalid_argument) for other storage, and for fewer images than were counted.
  void begin(std::span<std::byte> storage, std::uint32_t images);
  /// Second pass: the features of the images, in ascending order of the images. Throws Error(invalid_argument) for a
  /// feature that was not counted, or an image out of range.
  void add(std::uint32_t image, const ListedFeature& feature);

 private:
  std::vector<std::uint64_t> counts_;  // of each word in each block of images
  std::vector<std::uint64_t> next_;    // where the next feature of each block of each word goes
  std::span<std::byte> storage_;
  std::uint64_t features_ = 0;
  std::uint32_t images_ = 0;
};

/// A feature of a query.
struct QueryFeature {
  std::span<const std::uint16_t> words;  ///< the words to look under, nearest first, such as nearest_words gives
  std::uint64_t code = 0;
  std::uint8_t scale = 0;
  std::uint8_t orientation = 0;
};

struct VoteOptions {
  /// Codes that differ in more bits do not vote. 0…64.
  int max_distance = 12;
  /// Words that have more than this share of all features do not vote. Frequent words tell little.
  double max_share = 0.002;
  /// A query compares no more codes than this, or than `most_codes_share` of all features, whichever is more. Words of
  /// few features are asked first, and the nearest word of a feature before its further ones.
  std::uint64_t most_codes = std::uint64_t{1} << 20;
  double most_codes_share = 1.0 / 128;
  std::size_t most = 100;    ///< the greatest number of images in a result
  std::string isa = "auto";  ///< DeviceOptions::isa; all give the same votes
};

/// An image that has features like those of a query.
struct ImageVote {
  std::uint32_t image = 0;
  std::uint32_t score = 0;  ///< greater is better; an integer, the same on every machine
  friend bool operator==(const ImageVote&, const ImageVote&) = default;
};

class InvertedLists;

/// How many features of an archive have each word. An archive may have several lists, of different images: the votes of
/// each are then weighed by the counts of all, so that the result does not depend on which list has which image.
class WordCounts {
 public:
  WordCounts() : counts_(code_words) {}
  /// Adds the features of these lists.
  void add(const InvertedLists& lists);
  /// Takes off a feature of this word: one of an image that lists have twice.
  void remove(std::uint16_t word) { --counts_[word], --total_; }
  [[nodiscard]] std::uint64_t of(std::uint16_t word) const { return counts_[word]; }
  [[nodiscard]] std::uint64_t total() const { return total_; }

 private:
  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0;
};

/// Inverted lists in memory that the caller owns, such as a mapped file.
class InvertedLists {
 public:
  /// `bytes` are those that InvertedListsWriter wrote, and begin at a multiple of 8. Throws Error(invalid_argument) for
  /// bytes that are no lists, or are cut off. The features themselves are not read before a vote; a number of an image
  /// that is out of range is passed over.
  explicit InvertedLists(std::span<const std::byte> bytes);

  [[nodiscard]] std::uint32_t images() const { return images_; }
  [[nodiscard]] std::uint64_t features() const { return features_; }
  [[nodiscard]] std::uint64_t features_of(std::uint16_t word) const { return end_of(word) - begin_of(word); }

  /// The images with most features like those of the query, best first; of equal ones the smaller number. A vote weighs
  /// more the nearer the codes and the rarer the word; a feature of the query votes once for an image. Votes count for
  /// an image only if they agree about the change of scale and the rotation (weak geometric consistency; Jégou et al.
  /// 2008). Can be called by several threads at a time. Throws Error(invalid_option) for an instruction set that is not
  /// there.
  [[nodiscard]] std::vector<ImageVote> vote(std::span<const QueryFeature> query, const WordCounts& counts,
                                            const VoteOptions& options = {}) const;

 private:
  [[nodiscard]] std::uint64_t begin_of(std::uint16_t word) const { return starts_[word * blocks_]; }
  [[nodiscard]] std::uint64_t end_of(std::uint16_t word) const { return starts_[(word + 1) * blocks_]; }

  std::span<const std::uint64_t> starts_;  // where the features of each block of each word begin, and the end
  std::span<const std::uint64_t> codes_;
  std::span<const std::byte> entries_;  // of each feature, as the bytes have it
  std::size_t blocks_ = 1;              // of images
  std::uint32_t images_ = 0;
  std::uint64_t features_ = 0;
};

}  // namespace octavo
