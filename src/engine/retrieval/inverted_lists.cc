// Inverted lists and their votes. The bytes, little endian, F being the number of features and B that of blocks of
// 65 536 images, at least 1:
//
//     bytes           content
//     8               "OctLists"
//     4 4             u32 version, 2; u32 number of images
//     8·(65536·B + 1) u64 where the features of each block of each word begin, word by word; the last is F
//     8·F             u64 codes
//     (2 1 1)·F       of each feature: u16 image, within its block; u8 scale; u8 orientation
//
// All arithmetic of a vote is on integers. The weight of a vote is (max_distance + 1 − d)·idf², where d is the Hamming
// distance and idf is ⌊log₂(F/f)⌋ + 1 for a word with f features.
//
// The time of a vote is that of the codes that it compares, so it has a budget of them. A code of a word with f
// features is a true match with the chance p/f, where p is the chance that a feature's true match is under its n-th
// word. So words are asked in the order of f·cost, where cost = 1/p falls about like those of the table in
// docs/retrieval.md.

#include "engine/retrieval/inverted_lists.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/retrieval/near_codes.h"
#include "octavo/error.h"

namespace octavo {

static_assert(std::endian::native == std::endian::little, "lists are mapped as they are");

namespace {

constexpr std::string_view lists_magic = "OctLists";
constexpr std::uint32_t lists_version = 2;
constexpr std::size_t head_bytes = 16;
constexpr std::uint32_t block_images = 65536;
constexpr std::uint64_t least_frequent = 64;  // a word of fewer features is never frequent

std::size_t blocks_of(std::uint32_t images) {
  return std::max<std::size_t>(1, (std::size_t{images} + block_images - 1) / block_images);
}

// What a list has beside the code of a feature.
struct Entry {
  std::uint16_t image = 0;  // within its block
  std::uint8_t scale = 0;
  std::uint8_t orientation = 0;
};
static_assert(sizeof(Entry) == 4);
constexpr std::size_t feature_bytes = sizeof(std::uint64_t) + sizeof(Entry);

// Where each array begins.
struct Layout {
  Layout(std::size_t blocks, std::uint64_t features)
      : codes(head_bytes + (code_words * blocks + 1) * sizeof(std::uint64_t)),
        entries(codes + sizeof(std::uint64_t) * features),
        end(entries + sizeof(Entry) * features) {}
  std::size_t codes, entries, end;
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

void InvertedListsWriter::count(std::uint32_t image, std::uint16_t word) {
  const std::size_t block = image / block_images;
  if (counts_.size() <= block * code_words) counts_.resize((block + 1) * code_words);
  ++counts_[block * code_words + word];
}

std::size_t InvertedListsWriter::bytes(std::uint32_t images) const {
  std::uint64_t features = 0;
  for (const std::uint64_t count : counts_) features += count;
  return Layout(blocks_of(images), features).end;
}

void InvertedListsWriter::begin(std::span<std::byte> storage, std::uint32_t images) {
  require_aligned(storage.data());
  const std::size_t blocks = blocks_of(images);
  if (counts_.size() > blocks * code_words) refuse("get " + std::to_string(images) + " images, but counted more");
  if (storage.size() != bytes(images)) {
    refuse("get " + std::to_string(storage.size()) + " bytes, but need " + std::to_string(bytes(images)));
  }
  counts_.resize(blocks * code_words);
  storage_ = storage;
  images_ = images;
  std::memcpy(storage.data(), lists_magic.data(), lists_magic.size());
  std::memcpy(storage.data() + 8, &lists_version, sizeof lists_version);
  std::memcpy(storage.data() + 12, &images, sizeof images);
  next_.reserve(blocks * code_words);
  for (std::size_t word = 0; word < code_words; ++word) {
    for (std::size_t block = 0; block < blocks; ++block) {
      next_.push_back(features_);
      features_ += counts_[block * code_words + word];
    }
  }
  std::byte* const starts = storage.data() + head_bytes;
  std::memcpy(starts, next_.data(), next_.size() * sizeof(std::uint64_t));
  std::memcpy(starts + next_.size() * sizeof(std::uint64_t), &features_, sizeof features_);
}

void InvertedListsWriter::add(std::uint32_t image, const ListedFeature& feature) {
  if (image >= images_) refuse("get image " + std::to_string(image) + " of " + std::to_string(images_));
  const std::size_t blocks = blocks_of(images_), block = image / block_images;
  std::uint64_t& left = counts_[block * code_words + feature.word];
  if (left == 0) refuse("get a feature that was not counted");
  --left;
  const std::uint64_t place = next_[feature.word * blocks + block]++;
  const Layout layout(blocks, features_);
  const Entry entry{static_cast<std::uint16_t>(image % block_images), feature.scale, feature.orientation};
  std::memcpy(storage_.data() + layout.codes + sizeof feature.code * place, &feature.code, sizeof feature.code);
  std::memcpy(storage_.data() + layout.entries + sizeof entry * place, &entry, sizeof entry);
}

InvertedLists::InvertedLists(std::span<const std::byte> bytes) {
  require_aligned(bytes.data());
  if (bytes.size() < head_bytes) refuse("are cut off");
  if (std::memcmp(bytes.data(), lists_magic.data(), lists_magic.size()) != 0) refuse("are none of Octavo's");
  std::uint32_t found = 0;
  std::memcpy(&found, bytes.data() + 8, sizeof found);
  if (found != lists_version) {
    refuse("are of version " + std::to_string(found) + ", but must be of " + std::to_string(lists_version));
  }
  std::memcpy(&images_, bytes.data() + 12, sizeof images_);
  blocks_ = blocks_of(images_);
  if (bytes.size() < Layout(blocks_, 0).end) refuse("are cut off");
  starts_ = array_at<std::uint64_t>(bytes, head_bytes, code_words * blocks_ + 1);
  features_ = starts_.back();
  if (features_ > bytes.size() / feature_bytes || bytes.size() != Layout(blocks_, features_).end) {
    refuse("are cut off");
  }
  if (starts_.front() != 0 || !std::ranges::is_sorted(starts_)) refuse("are damaged");
  const Layout layout(blocks_, features_);
  codes_ = array_at<std::uint64_t>(bytes, layout.codes, features_);
  entries_ = bytes.subspan(layout.entries);
}

void WordCounts::add(const InvertedLists& lists) {
  for (std::size_t word = 0; word < counts_.size(); ++word) {
    counts_[word] += lists.features_of(static_cast<std::uint16_t>(word));
  }
  total_ += lists.features();
}

namespace {

// A feature of the query and a word to look under.
struct Lookup {
  std::uint64_t cost = 0;
  std::uint32_t feature = 0;
  std::uint16_t word = 0;
  friend auto operator<=>(const Lookup&, const Lookup&) = default;
};

// The lookups that the budget allows. They follow from the counts alone, not from which lists have what.
std::vector<Lookup> lookups_of(std::span<const QueryFeature> query, const WordCounts& counts,
                               const VoteOptions& options) {
  constexpr std::array<std::uint64_t, 8> costs{1, 4, 7, 10, 14, 18, 22, 26};  // of the first words, and of the rest
  const auto share = [&](double part) {
    return static_cast<std::uint64_t>(part * static_cast<double>(counts.total()));
  };
  const std::uint64_t frequent = std::max(share(options.max_share), least_frequent);
  std::vector<Lookup> lookups;
  std::uint64_t codes = 0;
  for (std::uint32_t i = 0; i < query.size(); ++i) {
    for (std::size_t n = 0; n < query[i].words.size(); ++n) {
      const std::uint16_t word = query[i].words[n];
      const std::uint64_t features = counts.of(word);
      if (features == 0 || features > frequent) continue;
      lookups.push_back({features * costs[std::min(n, costs.size() - 1)], i, word});
      codes += features;
    }
  }
  const std::uint64_t budget = std::max(options.most_codes, share(options.most_codes_share));
  if (codes <= budget) return lookups;
  std::ranges::sort(lookups);
  std::size_t kept = 0;
  for (codes = 0; kept < lookups.size(); ++kept) {
    codes += counts.of(lookups[kept].word);
    if (codes > budget) break;
  }
  lookups.resize(kept);
  return lookups;
}

// A feature of the query and one of an image that are alike.
struct Vote {
  std::uint32_t image;
  std::uint32_t feature;  // of the query
  std::uint32_t weight;
  std::uint8_t rotation;  // [2π/256]
  std::uint8_t scaling;   // [1/16 octave] modulo 256
};

constexpr std::size_t bins = 32;  // of 11°, and of half an octave

// The greatest sum of two neighbouring bins of a circle.
std::uint32_t peak_of(const std::array<std::uint32_t, bins>& histogram) {
  std::uint32_t peak = 0;
  for (std::size_t i = 0; i < bins; ++i) peak = std::max(peak, histogram[i] + histogram[(i + 1) % bins]);
  return peak;
}

// Sorts votes by their image, in passes over a part of the number's bits, the lowest first.
void sort_by_image(std::vector<Vote>& votes, std::uint32_t images) {
  constexpr int bits = 11;
  std::vector<Vote> sorted(votes.size());
  std::array<std::size_t, std::size_t{1} << bits> next;
  for (unsigned shift = 0; shift < static_cast<unsigned>(std::bit_width(images)); shift += bits) {
    const auto digit = [&](const Vote& vote) { return (vote.image >> shift) & (next.size() - 1); };
    next.fill(0);
    for (const Vote& vote : votes) ++next[digit(vote)];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), std::size_t{0});
    for (const Vote& vote : votes) sorted[next[digit(vote)]++] = vote;
    votes.swap(sorted);
  }
}

// The score of an image from its votes, which are sorted here.
std::uint32_t score_of(std::span<Vote> votes) {
  std::ranges::sort(votes, {}, [](const Vote& v) { return std::tuple(v.feature, ~v.weight, v.rotation, v.scaling); });
  std::array<std::uint32_t, bins> rotations{}, scalings{};
  std::uint32_t before = ~votes.front().feature;
  for (const Vote& vote : votes) {
    if (vote.feature == before) continue;  // the feature has voted, with a greater weight
    before = vote.feature;
    rotations[vote.rotation / 8] += vote.weight;
    scalings[vote.scaling / 8] += vote.weight;
  }
  return std::min(peak_of(rotations), peak_of(scalings));
}

// The best images of votes. Nearly all images have a vote or two by chance; an image whose votes would not be enough
// even if they all agreed is passed over.
std::vector<ImageVote> best_images(std::vector<Vote> votes, std::uint32_t images, std::size_t most) {
  sort_by_image(votes, images);
  const auto is_better = [](const ImageVote& a, const ImageVote& b) {
    return std::pair(~a.score, a.image) < std::pair(~b.score, b.image);
  };
  std::vector<ImageVote> best;  // a heap whose first is the worst
  for (std::size_t begin = 0, end = 0; begin < votes.size() && most > 0; begin = end) {
    const std::uint32_t image = votes[begin].image;
    std::uint32_t sum = 0;
    for (; end < votes.size() && votes[end].image == image; ++end) sum += votes[end].weight;
    const bool is_full = best.size() == most;
    if (is_full && !is_better({image, sum}, best.front())) continue;
    const ImageVote one{image, score_of(std::span(votes).subspan(begin, end - begin))};
    if (is_full) {
      if (!is_better(one, best.front())) continue;
      std::ranges::pop_heap(best, is_better);
      best.pop_back();
    }
    best.push_back(one);
    std::ranges::push_heap(best, is_better);
  }
  std::ranges::sort_heap(best, is_better);
  return best;
}

// Adds the votes for the near codes of a word. `starts` are where its blocks of images begin, and its end.
void add_votes(const Lookup& lookup, const QueryFeature& feature, std::span<const NearCode> near,
               std::span<const std::uint64_t> starts, std::span<const std::byte> entries, std::uint32_t idf,
               const VoteOptions& options, std::vector<Vote>& votes) {
  std::uint32_t block = 0;
  for (const NearCode& one : near) {
    const std::uint64_t place = starts.front() + one.place;
    while (place >= starts[block + 1]) ++block;
    Entry entry;
    std::memcpy(&entry, entries.data() + sizeof entry * place, sizeof entry);
    votes.push_back({.image = block * block_images + entry.image,
                     .feature = lookup.feature,
                     .weight = (static_cast<std::uint32_t>(options.max_distance) + 1 - one.distance) * idf * idf,
                     .rotation = static_cast<std::uint8_t>(entry.orientation - feature.orientation),
                     .scaling = static_cast<std::uint8_t>(entry.scale - feature.scale)});
  }
}

}  // namespace

std::vector<ImageVote> InvertedLists::vote(std::span<const QueryFeature> query, const WordCounts& counts,
                                           const VoteOptions& options) const {
  std::vector<Vote> votes;
  std::vector<NearCode> near;
  const AddNearCodes add_near = add_near_codes(find_isa(options.isa));
  for (const Lookup& lookup : lookups_of(query, counts, options)) {
    const QueryFeature& feature = query[lookup.feature];
    const auto starts = starts_.subspan(lookup.word * blocks_, blocks_ + 1);
    const auto idf = static_cast<std::uint32_t>(std::bit_width(counts.total() / counts.of(lookup.word)));
    near.clear();
    add_near(codes_.subspan(starts.front(), starts.back() - starts.front()), feature.code, options.max_distance, near);
    add_votes(lookup, feature, near, starts, entries_, idf, options, votes);
  }
  std::erase_if(votes, [&](const Vote& vote) { return vote.image >= images_; });
  return best_images(std::move(votes), images_, options.most);
}

}  // namespace octavo
