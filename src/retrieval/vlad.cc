// VLAD in integers. Let r be the sum of the residuals x − c of the n descriptors of a word, and q = Σ r_j². A block of
// the VLAD is r·S/(√q·√m), with S = vlad_length and m the number of words with q > 0: each block has the length S/√m,
// so the whole has the length S. Both roots are integers with spare bits:
//
//     N = ⌊√(q·2^(2e))⌋   with e such that 2^60 ≤ q·2^(2e) < 2^62, so 2^30 ≤ N < 2^31
//     F = ⌊√(2^60/m)⌋     which is 2^30/√m, so F ≤ 2^30
//     block_j = ⌊(|r_j|·2^e·F + N·2^15) / (N·2^16)⌋, with the sign of r_j: rounded to nearest, halves away from zero
//
// Nothing overflows. With n ≤ 2^19: |r_j| ≤ 255·2^19 < 2^27, and since ‖x − c‖² ≤ 128·255² < 2^23,
// q ≤ n²·2^23 ≤ 2^61. Since |r_j| ≤ √q, |r_j|·2^e < 2^31, so the numerator is below 2^61 + 2^46, and the block's
// numbers are at most 2^14.

#include "octavo/vlad.h"

#include <array>
#include <bit>
#include <new>
#include <utility>

#include "octavo/error.h"
#include "retrieval/integer_root.h"

namespace octavo {

namespace {

// S·F = 2^14·2^30/√m; the quotient by N·2^30 leaves 16 bits.
constexpr int spare_bits = 16;
static_assert(vlad_length == 1 << (30 - spare_bits));

using Residual = std::array<std::int32_t, descriptor_length>;

std::uint64_t squared_length(const Residual& residual) {
  std::uint64_t sum = 0;
  for (const std::int32_t r : residual) sum += static_cast<std::uint64_t>(std::int64_t{r} * r);
  return sum;
}

// The block of a word with a residual of squared length q > 0.
void normalise(const Residual& residual, std::uint64_t q, std::uint64_t factor, std::int16_t* block) {
  const int shift = (62 - static_cast<int>(std::bit_width(q))) / 2;
  const std::uint64_t length = integer_root(q << (2 * shift));
  for (std::size_t j = 0; j < descriptor_length; ++j) {
    const std::int32_t r = residual[j];
    const auto magnitude = static_cast<std::uint64_t>(r < 0 ? -r : r) << shift;
    const auto rounded =
        static_cast<std::int32_t>((magnitude * factor + (length << (spare_bits - 1))) / (length << spare_bits));
    block[j] = static_cast<std::int16_t>(r < 0 ? -rounded : rounded);
  }
}

std::vector<Residual> residuals_of(std::span<const std::uint8_t> descriptors, const Vocabulary& vocabulary,
                                   Matcher& matcher) {
  std::vector<Residual> residuals(vocabulary.size(), Residual{});
  const std::vector<NearestTwo> nearest = matcher.nearest_two(descriptors, vocabulary.centres());
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    const auto word = static_cast<std::size_t>(nearest[i].index[0]);
    const auto centre = vocabulary.centre(word);
    const std::uint8_t* descriptor = descriptors.data() + i * descriptor_length;
    for (std::size_t j = 0; j < descriptor_length; ++j) residuals[word][j] += descriptor[j] - centre[j];
  }
  return residuals;
}

Vocabulary require_few_words(Vocabulary vocabulary) {
  if (vocabulary.size() > most_vlad_words) {
    throw Error(ErrorCode::invalid_argument, "the vocabulary has " + std::to_string(vocabulary.size()) +
                                                 " words, but must have at most " + std::to_string(most_vlad_words) +
                                                 " for VLAD");
  }
  return vocabulary;
}

}  // namespace

VladEncoder::VladEncoder(Vocabulary vocabulary, const DeviceOptions& device)
    : vocabulary_(require_few_words(std::move(vocabulary))), matcher_({}, device) {}

std::vector<std::int16_t> VladEncoder::encode(std::span<const std::uint8_t> descriptors) try {
  if (descriptors.size() / descriptor_length > most_vlad_features) {
    throw Error(ErrorCode::invalid_argument,
                "the picture has " + std::to_string(descriptors.size() / descriptor_length) +
                    " features, but must have at most " + std::to_string(most_vlad_features) + " for VLAD");
  }
  const std::vector<Residual> residuals = residuals_of(descriptors, vocabulary_, matcher_);
  std::vector<std::uint64_t> squares(residuals.size());
  std::uint64_t filled = 0;
  for (std::size_t w = 0; w < residuals.size(); ++w) {
    squares[w] = squared_length(residuals[w]);
    if (squares[w] > 0) ++filled;
  }
  std::vector<std::int16_t> vlad(residuals.size() * descriptor_length);
  if (filled == 0) return vlad;
  const std::uint64_t factor = integer_root((std::uint64_t{1} << 60) / filled);
  for (std::size_t w = 0; w < residuals.size(); ++w) {
    if (squares[w] > 0) normalise(residuals[w], squares[w], factor, vlad.data() + w * descriptor_length);
  }
  return vlad;
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory, "no memory for a VLAD of " + std::to_string(vocabulary_.size()) + " words");
}

std::int64_t vlad_product(std::span<const std::int16_t> a, std::span<const std::int16_t> b) {
  if (a.size() != b.size() || a.size() > most_vlad_words * descriptor_length) {
    throw Error(ErrorCode::invalid_argument, "the VLADs have " + std::to_string(a.size()) + " and " +
                                                 std::to_string(b.size()) +
                                                 " numbers, but must have equally many, at most " +
                                                 std::to_string(most_vlad_words * descriptor_length));
  }
  std::int64_t sum = 0;  // at most 2^17 terms of at most 2^30
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::int32_t{a[i]} * b[i];
  return sum;
}

double vlad_similarity(std::span<const std::int16_t> a, std::span<const std::int16_t> b) {
  return static_cast<double>(vlad_product(a, b)) / (static_cast<double>(vlad_length) * vlad_length);
}

}  // namespace octavo
