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

#include "octavo/retrieval.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "engine/core/within_memory.h"
#include "engine/device/registry.h"
#include "engine/maths/scalar.h"
#include "engine/retrieval/descriptor_count.h"
#include "engine/retrieval/on_features_gpu.h"
#include "engine/retrieval/vlad_gpu.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/matcher.h"

namespace octavo {

namespace {

using namespace maths;
#include "engine/retrieval/vlad_maths.h"

// S·F = 2^14·2^30/√m; the quotient by N·2^30 leaves 16 bits.
static_assert(vlad_length == 1 << (30 - 16));

using Residual = std::array<std::int32_t, descriptor_length>;

std::int64_t squared_length(const Residual& residual) {
  std::int64_t sum = 0;
  for (const std::int32_t r : residual) sum += std::int64_t{r} * r;
  return sum;
}

// The block of a word with a residual of squared length q > 0.
void normalise(const Residual& residual, std::int64_t q, std::int64_t factor, std::int16_t* block) {
  const int shift = vlad_shift(q);
  const std::int64_t length = integer_root(q << (2 * shift));
  for (std::size_t j = 0; j < descriptor_length; ++j) {
    block[j] = static_cast<std::int16_t>(vlad_number(residual[j], shift, length, factor));
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

std::vector<std::int16_t> vlad_of(const std::vector<Residual>& residuals) {
  std::vector<std::int64_t> squares(residuals.size());
  int filled = 0;
  for (std::size_t w = 0; w < residuals.size(); ++w) {
    squares[w] = squared_length(residuals[w]);
    if (squares[w] > 0) ++filled;
  }
  std::vector<std::int16_t> vlad(residuals.size() * descriptor_length);
  if (filled == 0) return vlad;
  const std::int64_t factor = vlad_factor(filled);
  for (std::size_t w = 0; w < residuals.size(); ++w) {
    if (squares[w] > 0) normalise(residuals[w], squares[w], factor, vlad.data() + w * descriptor_length);
  }
  return vlad;
}

void require_few_features(std::size_t features) {
  if (features <= most_vlad_features) return;
  throw Error(ErrorCode::invalid_argument, "the image has " + std::to_string(features) +
                                               " features, but must have at most " +
                                               std::to_string(most_vlad_features) + " for VLAD");
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

class VladEncoder::Impl {
 public:
  Impl(Vocabulary vocabulary, const DeviceOptions& device) : vocabulary_(require_few_words(std::move(vocabulary))) {
    const ResolvedDevice resolved = resolve_device(device);
    device_ = resolved.name();
    if (resolved.is_gpu()) {
      on_gpu_.emplace(resolved);
    } else {
      matcher_.emplace(MatchOptions{}, device);
    }
  }

  std::vector<std::int16_t> encode(std::span<const std::uint8_t> descriptors) {
    require_few_features(descriptor_count(descriptors));
    if (descriptors.empty()) return std::vector<std::int16_t>(vocabulary_.size() * descriptor_length);
    return within_memory_of_vlad([&] {
      return on_gpu_ ? on_gpu_->any().encode(descriptors, vocabulary_)
                     : vlad_of(residuals_of(descriptors, vocabulary_, *matcher_));
    });
  }

  std::vector<std::int16_t> encode(const DeviceFeatures& features) {
    if (!on_gpu_ || features.on_gpu() == nullptr) return encode(features.download().descriptors);
    require_few_features(features.size());
    const FeaturesOnGpu& there = *features.on_gpu();
    return within_memory_of_vlad([&] { return on_gpu_->reaching(there).encode(there, vocabulary_); });
  }

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const std::string& device() const { return device_; }

 private:
  template <class Work>
  std::vector<std::int16_t> within_memory_of_vlad(const Work& work) const {
    return within_memory([&] { return "for a VLAD of " + std::to_string(vocabulary_.size()) + " words"; }, work);
  }

  Vocabulary vocabulary_;
  std::string device_;
  // One of the two.
  std::optional<Matcher> matcher_;
  std::optional<OnFeaturesGpu<VladGpu>> on_gpu_;
};

VladEncoder::VladEncoder(Vocabulary vocabulary, const DeviceOptions& device)
    : impl_(std::make_unique<Impl>(std::move(vocabulary), device)) {}
VladEncoder::~VladEncoder() = default;
VladEncoder::VladEncoder(VladEncoder&&) noexcept = default;
VladEncoder& VladEncoder::operator=(VladEncoder&&) noexcept = default;

std::vector<std::int16_t> VladEncoder::encode(std::span<const std::uint8_t> descriptors) {
  return impl_->encode(descriptors);
}
std::vector<std::int16_t> VladEncoder::encode(const DeviceFeatures& features) { return impl_->encode(features); }
const Vocabulary& VladEncoder::vocabulary() const { return impl_->vocabulary(); }
const std::string& VladEncoder::device() const { return impl_->device(); }

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
