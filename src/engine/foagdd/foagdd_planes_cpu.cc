#include "engine/foagdd/foagdd_planes_cpu.h"

#include <algorithm>

namespace octavo {

FoagddKeys::FoagddKeys(const FoagddRegion& region)
    : region_(region), stride_(key_stride_of(region)), keys_(bytes_of(region) / sizeof(std::int32_t)) {}

std::size_t FoagddKeys::bytes_of(const FoagddRegion& region) {
  return static_cast<std::size_t>(region.row_end - region.row_begin) * static_cast<std::size_t>(key_stride_of(region)) *
         sizeof(std::int32_t);
}

FoagddPlanesCpu::FoagddPlanesCpu(const FoagddPlan& plan, const Isa& isa, CpuPool& pool) : plan_(plan), pool_(pool) {
  for (int i = 0; i < pool.threads(); ++i) measures_.emplace_back(plan, isa);
}

FoagddFilterOnImage FoagddPlanesCpu::filter(int scale, const Plane& extended) const {
  return {plan_.scales[static_cast<std::size_t>(scale)], extended.stride()};
}

void FoagddPlanesCpu::respond(const Plane& extended, int scale, std::vector<Plane>& responses) {
  const int width = extended.width() - 2 * extended_margin, height = extended.height() - 2 * extended_margin;
  responses.resize(static_cast<std::size_t>(plan_.directions));
  for (Plane& response : responses) response.resize(width, height);
  const FoagddFilterOnImage on_image = filter(scale, extended);
  constexpr int rows_at_a_time = 32, most = FoagddMeasuresCpu::most_columns;
  pool_.parallel_for((height + rows_at_a_time - 1) / rows_at_a_time, [&](int part, int thread) {
    for (int y = part * rows_at_a_time; y < std::min((part + 1) * rows_at_a_time, height); ++y) {
      for (int x = 0; x < width; x += most) {
        const int count = std::min(most, width - x);
        const Plane& made = measures_[static_cast<std::size_t>(thread)].respond(extended, on_image, y, x, count);
        for (int d = 0; d < plan_.directions; ++d) {
          std::copy_n(made.row(d), count, responses[static_cast<std::size_t>(d)].row(y) + x);
        }
      }
    }
  });
}

void FoagddPlanesCpu::measure(const Plane& extended, int scale, FoagddKeys& keys) {
  const int width = extended.width() - 2 * extended_margin, height = extended.height() - 2 * extended_margin;
  keys = FoagddKeys(measured_region(width, height));
  measure_in_tiles(
      pool_, [this](int thread) -> FoagddMeasuresCpu& { return measures_[static_cast<std::size_t>(thread)]; }, extended,
      filter(scale, extended), keys.region(), keys.data());
}

std::size_t FoagddPlanesCpu::bytes() const { return measures_.size() * measures_.front().bytes(); }

}  // namespace octavo
