#include "engine/scale_space/differences_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/scale_space/differences_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two includes above must come first.
#include "engine/maths/per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

// out = a − b in columns [x_begin, x_end), rounded out to whole vectors; x_begin is a multiple of 16.
void subtract_row(const float* a, const float* b, int x_begin, int x_end, float* out) {
  using namespace vector;
  const FloatTag d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(FloatTag()));
  for (int x = x_begin; x < x_end; x += lanes) {
    hn::StoreU(hn::LoadU(d, a + x) - hn::LoadU(d, b + x), d, out + x);
  }
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(subtract_row);

void DifferencesCpu::begin(const Tile& tile, std::vector<Plane>& planes) {
  tile_ = tile;
  planes_ = &planes;
}

void DifferencesCpu::rows_ready(const std::vector<LevelRows>& levels, int y_begin, int y_end) {
  const auto subtract = pick(HWY_DISPATCH_TABLE(subtract_row), isa_);
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    for (int y = y_begin; y < y_end; ++y) {
      subtract(levels[i + 1].row(y), levels[i].row(y), tile_.x_begin, tile_.x_end, (*planes_)[i].row(y));
    }
  }
}

}  // namespace octavo
#endif
