// All tiles of an octave, on all threads.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>

#include "engine/core/internal_api.h"
#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "engine/scale_space/octave_cpu.h"

namespace OCTAVO_INTERNAL_API octavo {

class OctaveTilesCpu {
 public:
  /// `pool` must outlive the object.
  OctaveTilesCpu(Isa isa, CpuPool& pool) : isa_(std::move(isa)), pool_(&pool) {}

  /// Gives the sink for a tile that a worker begins. Workers run at the same time.
  using SinkOf = std::function<TileSink*(int worker, const Tile& tile)>;
  void run(const OctaveJob& job, const SinkOf& sink_of = nullptr);

  /// [byte] that the rings of all threads take for this job. Its images need no pixels.
  [[nodiscard]] std::uint64_t bytes_for(const OctaveJob& job) const;

 private:
  Isa isa_;
  CpuPool* pool_;
  std::deque<OctaveCpu> workers_;
};

}  // namespace octavo
