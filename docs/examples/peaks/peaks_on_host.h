// Peaks on the devices that work where they are called: the reference and the CPU.

#pragma once

#include <functional>
#include <vector>

#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "octavo/image_view.h"
#include "octavo/peaks.h"

namespace octavo {

#include "engine/peaks/peaks_layout.h"

/// The peaks of a valid image, row by row.
using FindPeaks = std::function<std::vector<Peak>(const ImageView& image)>;

FindPeaks find_peaks_by_reference(const PeaksOptions& options);
FindPeaks find_peaks_on_cpu(const PeaksOptions& options, const Isa& isa, CpuPool pool);

}  // namespace octavo
