#include "engine/inspect/octave_blurs.h"

#include <cstddef>

namespace octavo::inspection {

void make_blurs(const OctaveJob& octave, std::vector<Plane>& levels, OctaveTilesCpu& tiles) {
  OctaveJob job = octave;
  levels.resize(static_cast<std::size_t>(job.plan->levels()));
  for (Plane& level : levels) {
    level.resize(job.size.width, job.size.height);
    job.keep.push_back(&level);
  }
  tiles.run(job);
}

}  // namespace octavo::inspection
