// The trilateral filter on the CPU. The scaled image lies in a plane with a margin as wide as the largest window, full
// of a value that nothing is near: its taps have the weight 0, so that no loop asks where the image ends. Each step
// goes through tiles that fit the cache. In a tile the pixels are put in order of their windows, and a vector takes the
// next so many of them, wherever they are: all of its lanes then have a window of one size, or nearly.

#pragma once

#include <memory>

#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "trilateral/trilateral.h"

namespace octavo {

std::unique_ptr<TrilateralEngine> make_trilateral_cpu(const TrilateralOptions& options, Isa isa, CpuPool pool);

}  // namespace octavo
