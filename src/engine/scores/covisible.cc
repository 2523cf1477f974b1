// The region that both images of a pair show. Its masks keep detectors from spending their budget on points that the
// other image cannot show.

#include <cstddef>
#include <memory>
#include <utility>

#include "engine/scores/truth.h"
#include "octavo/image.h"
#include "octavo/pair_scores.h"

namespace octavo {
namespace {

std::shared_ptr<Image> seen_part(const std::array<double, 9>& matrix, ImageSize from, ImageSize to) {
  Image mask(from.width, from.height, 1, PixelType::u8);
  bool whole = true;
  for (int y = 0; y < from.height; ++y) {
    for (int x = 0; x < from.width; ++x) {
      const bool seen = evaluation::is_seen(matrix, {static_cast<double>(x), static_cast<double>(y)}, from, to);
      mask.row(y)[x] = seen ? std::byte{255} : std::byte{0};
      whole = whole && seen;
    }
  }
  if (whole) return nullptr;
  return std::make_shared<Image>(std::move(mask));
}

}  // namespace

Covisible covisible(const Truth& truth, ImageSize a, ImageSize b) {
  check(truth, a, b);
  const auto* known = std::get_if<TrueHomography>(&truth);
  if (!known) return {};
  return {seen_part(known->b_from_a, a, b), seen_part(evaluation::inverse(known->b_from_a), b, a)};
}

}  // namespace octavo
