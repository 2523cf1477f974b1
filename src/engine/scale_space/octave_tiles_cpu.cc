#include "engine/scale_space/octave_tiles_cpu.h"

#include <algorithm>

namespace octavo {

void OctaveTilesCpu::run(const OctaveJob& job, const SinkOf& sink_of) {
  while (workers_.size() < static_cast<std::size_t>(pool_->threads())) workers_.emplace_back(isa_);
  const std::vector<Tile> tiles = cut_into_tiles(job.size, pool_->threads());
  pool_->parallel_for(static_cast<int>(tiles.size()), [&](int i, int worker) {
    const Tile& tile = tiles[static_cast<std::size_t>(i)];
    workers_[static_cast<std::size_t>(worker)].run(job, tile, sink_of ? sink_of(worker, tile) : nullptr);
  });
}

std::uint64_t OctaveTilesCpu::bytes_for(const OctaveJob& job) const {
  const OctaveCpu rings(isa_);
  std::uint64_t of_tile = 0;
  for (const Tile& tile : cut_into_tiles(job.size, pool_->threads())) {
    of_tile = std::max<std::uint64_t>(of_tile, rings.bytes_for(job, tile));
  }
  return static_cast<std::uint64_t>(pool_->threads()) * of_tile;
}

}  // namespace octavo
