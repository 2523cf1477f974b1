// Inverted lists and their votes. The bytes, little endian, F being the number of features:
//
//     bytes     content
//     8         "OctLists"
//     4 4       u32 version, 1; u32 number of images
//     8·65537   u64 where the features of each word begin; the last is F
//     8·F       u64 codes
//     4·F       u32 images
//     F F       u8 scales; u8 orientations
//
// All arithmetic of a vote is on integers. The weight of a vote is (max_distance + 1 − d)·idf², where d is the Hamming
// distance and idf is ⌊log₂(F/f)⌋ + 1 for a word with f features.

#include "octavo/inverted_lists.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>

#include "octavo/error.h"

namespace octavo {

static_assert(std::endian::native == std::endian::little, "lists are mapped as they are");

namespace {

constexpr std::string_view magic = "OctLists";
constexpr std::uint32_t version = 1;
constexpr std::size_t head_bytes = 16;
constexpr std::size_t starts_bytes = (code_words + 1) * sizeof(std::uint64_t);
constexpr std::size_t feature_bytes = 14;
constexpr std::uint64_t least_frequent = 64;  // a word of fewer features is never frequent

// Where each array begins.
struct Layout {
  explicit Layout(std::uint64_t features)
      : codes(head_bytes + starts_bytes),
        images(codes + 8 * features),
        scales(images + 4 * features),
        orientations(scales + features),
        end(orientations + features) {}
  std::size_t codes, images, scales, orientations, end;
};

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::invalid_argument, "the lists " + why); }

void require_aligned(const void* data) {
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(std::uint64_t) != 0) refuse("do not begin at a multiple of 8");
}

template <class Number>
std::span<const Number> array_at(std::span<const std::byte> bytes, std::size_t offset, std::uint64_t count) {
  return {reinterpret_cast<const Number*>(bytes.data() + offset), static_cast<std::size_t>(count)};
}

}  // namespace

InvertedListsWriter::InvertedListsWriter() : counts_(code_words) {}

std::size_t InvertedListsWriter::bytes() const {
  std::uint64_t features = 0;
  for (const std::uint64_t count : counts_) features += count;
  return head_bytes + starts_bytes + feature_bytes * features;
}

void InvertedListsWriter::begin(std::span<std::byte> storage, std::uint32_t images) {
  require_aligned(storage.data());
  if (storage.size() != bytes()) {
    refuse("get " + std::to_string(storage.size()) + " bytes, but need " + std::to_string(bytes()));
  }
  storage_ = storage;
  images_ = images;
  std::memcpy(storage.data(), magic.data(), magic.size());
  std::memcpy(storage.data() + 8, &version, sizeof version);
  std::memcpy(storage.data() + 12, &images, sizeof images);
  auto* const starts = reinterpret_cast<std::uint64_t*>(storage.data() + head_bytes);
  for (std::size_t word = 0; word < counts_.size(); ++word) {
    starts[word] = features_;
    features_ += std::exchange(counts_[word], features_);
  }
  starts[code_words] = features_;
}

void InvertedListsWriter::add(std::uint32_t image, const ListedFeature& feature) {
  const auto* const starts = reinterpret_cast<const std::uint64_t*>(storage_.data() + head_bytes);
  std::uint64_t& next = counts_[feature.word];
  if (storage_.empty() || next >= starts[feature.word + 1]) refuse("get a feature that was not counted");
  if (image >= images_) refuse("get image " + std::to_string(image) + " of " + std::to_string(images_));
  const Layout layout(features_);
  std::memcpy(storage_.data() + layout.codes + 8 * next, &feature.code, sizeof feature.code);
  std::memcpy(storage_.data() + layout.images + 4 * next, &image, sizeof image);
  storage_[layout.scales + next] = std::byte{feature.scale};
  storage_[layout.orientations + next] = std::byte{feature.orientation};
  ++next;
}

InvertedLists::InvertedLists(std::span<const std::byte> bytes) {
  require_aligned(bytes.data());
  if (bytes.size() < head_bytes + starts_bytes) refuse("are cut off");
  if (std::memcmp(bytes.data(), magic.data(), magic.size()) != 0) refuse("are none of Octavo's");
  std::uint32_t found = 0;
  std::memcpy(&found, bytes.data() + 8, sizeof found);
  if (found != version) refuse("are of version " + std::to_string(found) + ", but must be of 1");
  std::memcpy(&images_, bytes.data() + 12, sizeof images_);
  starts_ = array_at<std::uint64_t>(bytes, head_bytes, code_words + 1);
  features_ = starts_.back();
  if (features_ > bytes.size() / feature_bytes || bytes.size() != Layout(features_).end) refuse("are cut off");
  if (starts_.front() != 0 || !std::ranges::is_sorted(starts_)) refuse("are damaged");
  const Layout layout(features_);
  codes_ = array_at<std::uint64_t>(bytes, layout.codes, features_);
  images_of_ = array_at<std::uint32_t>(bytes, layout.images, features_);
  scales_ = array_at<std::uint8_t>(bytes, layout.scales, features_);
  orientations_ = array_at<std::uint8_t>(bytes, layout.orientations, features_);
}

// A feature of the query and one of an image that are alike.
struct InvertedLists::Vote {
  std::uint32_t image;
  std::uint32_t feature;  // of the query
  std::uint32_t weight;
  std::uint8_t rotation;  // [2π/256]
  std::uint8_t scaling;   // [1/16 octave] modulo 256
};

void WordCounts::add(const InvertedLists& lists) {
  for (std::size_t word = 0; word < counts_.size(); ++word) {
    counts_[word] += lists.features_of(static_cast<std::uint16_t>(word));
  }
  total_ += lists.features();
}

void InvertedLists::collect(const QueryFeature& feature, std::uint32_t number, const WordCounts& counts,
                            const VoteOptions& options, std::vector<Vote>& votes) const {
  const auto most = static_cast<std::uint64_t>(options.max_share * static_cast<double>(counts.total()));
  for (const std::uint16_t word : feature.words) {
    const std::uint64_t first = starts_[word], last = starts_[word + 1];
    if (first == last || counts.of(word) > std::max(most, least_frequent)) continue;
    const auto idf = static_cast<std::uint32_t>(std::bit_width(counts.total() / counts.of(word)));
    for (std::uint64_t i = first; i < last; ++i) {
      const int distance = std::popcount(codes_[i] ^ feature.code);
      if (distance > options.max_distance || images_of_[i] >= images_) continue;
      votes.push_back({.image = images_of_[i],
                       .feature = number,
                       .weight = static_cast<std::uint32_t>(options.max_distance + 1 - distance) * idf * idf,
                       .rotation = static_cast<std::uint8_t>(orientations_[i] - feature.orientation),
                       .scaling = static_cast<std::uint8_t>(scales_[i] - feature.scale)});
    }
  }
}

namespace {

constexpr std::size_t bins = 32;  // of 11°, and of half an octave

// The greatest sum of two neighbouring bins of a circle.
std::uint32_t peak_of(const std::array<std::uint32_t, bins>& histogram) {
  std::uint32_t peak = 0;
  for (std::size_t i = 0; i < bins; ++i) peak = std::max(peak, histogram[i] + histogram[(i + 1) % bins]);
  return peak;
}

}  // namespace

std::vector<ImageVote> InvertedLists::vote(std::span<const QueryFeature> query, const WordCounts& counts,
                                           const VoteOptions& options) const {
  std::vector<Vote> votes;
  for (std::size_t i = 0; i < query.size(); ++i)
    collect(query[i], static_cast<std::uint32_t>(i), counts, options, votes);
  const auto order = [](const Vote& v) { return std::tuple(v.image, v.feature, ~v.weight, v.rotation, v.scaling); };
  std::ranges::sort(votes, {}, order);
  std::vector<ImageVote> result;
  for (std::size_t i = 0; i < votes.size();) {
    const std::uint32_t image = votes[i].image;
    std::array<std::uint32_t, bins> rotations{}, scalings{};
    for (std::uint32_t before = ~votes[i].feature; i < votes.size() && votes[i].image == image; ++i) {
      if (votes[i].feature == before) continue;  // the feature has voted, with a greater weight
      before = votes[i].feature;
      rotations[votes[i].rotation / 8] += votes[i].weight;
      scalings[votes[i].scaling / 8] += votes[i].weight;
    }
    result.push_back({image, std::min(peak_of(rotations), peak_of(scalings))});
  }
  const std::size_t kept = std::min(options.most, result.size());
  std::ranges::partial_sort(result, result.begin() + static_cast<std::ptrdiff_t>(kept), {},
                            [](const ImageVote& v) { return std::pair(~v.score, v.image); });
  result.resize(kept);
  return result;
}

}  // namespace octavo
