// Orientations of extrema on a GPU (orientation_maths.h, peak_maths.h). Included by sift_kernels.cl.h.

// Neighbouring pixels vote for the same few bins at once. Several copies of a histogram avoid conflicts.
OCTAVO_CONSTANT int orientation_copies = 8;

OCTAVO_INLINE void clear_votes(LOCAL_PTR uint* copies, LOCAL_PTR uint* peaks) {
  for (int i = local_id_x; i < 37 * orientation_copies; i += orient_threads) copies[i] = 0;
  if (local_id_x == 0) peaks[0] = 0;
}

// The row of a pixel of a window, which has at most 640 columns and rows.
OCTAVO_INLINE int row_of_pixel(int pixel, float over_columns) { return (int)((to_float(pixel) + 0.5f) * over_columns); }

// groups: any number; each takes its share of the extrema.
KERNEL LAUNCH_BOUNDS(orient_threads, 16) void orient(const GLOBAL float* pyramid, const GLOBAL OctaveLayout* layout,
                                                     const SiftOfKernel sift, const GLOBAL Oriented* found,
                                                     GLOBAL uint* tallies, GLOBAL Oriented* keypoints) {
  LOCAL float weights[128];  // of columns and rows −radius … radius
#include "engine/sift/orient_tables.cl.h"
  for (int e = group_id_x; e < total; e += num_groups_x) {
    Oriented k = found[e];
    const OctaveLayout o = layout[k.octave];
    // No barrier may depend on an option: upright keypoints have an empty window instead.
    const int smoothings = 1, radius = radius_of_orientation(k.scale);
    const float factor = window_factor(1.5f * k.scale);
    clear_votes(copies, peaks);
    for (int i = local_id_x; i <= 2 * radius; i += orient_threads)
      weights[i] = window_weight(to_float(i - radius), factor);
    local_barrier();
    const int left = k.extremum.column - radius < 1 ? 1 - k.extremum.column : -radius;
    const int right = k.extremum.column + radius > o.width - 2 ? o.width - 2 - k.extremum.column : radius;
    const int top = k.extremum.row - radius < 1 ? 1 - k.extremum.row : -radius;
    const int last = k.extremum.row + radius > o.height - 2 ? o.height - 2 - k.extremum.row : radius;
    const int across = right - left + 1, pixels = sift.upright != 0 ? 0 : across * (last - top + 1);
    const float over_across = 1.0f / to_float(across);
    // Offsets from the extremum fit 32 bits.
    const GLOBAL float* centre = computed_once(pyramid + o.first + k.extremum.layer * o.level_floats +
                                               (int64_t)k.extremum.row * o.stride + k.extremum.column);
    LOCAL_PTR uint* copy = copies + (local_id_x & (orientation_copies - 1));
    for (int n = local_id_x; n < pixels; n += orient_threads) {
      const int row = row_of_pixel(n, over_across), dy = top + row, dx = left + n - row * across;
      const int at = dy * o.stride + dx;
      const float weight = weights[radius + dy] * 1048576.0f * weights[radius + dx];
      const Vote vote =
          orientation_vote(centre[at + 1] - centre[at - 1], centre[at + o.stride] - centre[at - o.stride], weight);
      atomic_add_local(copy + vote.bin * orientation_copies, (uint)vote.count);
    }
    local_barrier();
#include "engine/sift/orient_peaks.cl.h"
  }
}

// groups: any number. The same with the votes of windows of any size and shape: those of make_windows.
KERNEL LAUNCH_BOUNDS(orient_threads, 25) void orient_windows(const GLOBAL float* pyramid,
                                                             const GLOBAL OctaveLayout* layout, const SiftOfKernel sift,
                                                             const PoolingRecord pooling, const GLOBAL Oriented* found,
                                                             const GLOBAL Window* windows, GLOBAL uint* tallies,
                                                             GLOBAL Oriented* keypoints) {
#include "engine/sift/orient_tables.cl.h"
  for (int e = group_id_x; e < total; e += num_groups_x) {
    Oriented k = found[e];
    k.turns = 0;
    const int smoothings = pooling.smoothings;
    clear_votes(copies, peaks);
    local_barrier();
    LOCAL_PTR uint* copy = copies + (local_id_x & (orientation_copies - 1));
    for (int size = 0; size < pooling.orientation_sizes; ++size) {
      const Window w = windows[e * pooling.orientation_sizes + size];
      const GLOBAL float* centre = computed_once(pyramid + w.pixel);
      const int across = w.right - w.left + 1;
      const int pixels = sift.upright != 0 || across < 1 ? 0 : across * (w.bottom - w.top + 1);
      const float over_across = 1.0f / to_float(across);
      for (int n = local_id_x; n < pixels; n += orient_threads) {
        const int row = row_of_pixel(n, over_across);
        const int dx = (w.left + n - row * across) * w.step, dy = (w.top + row) * w.step, at = dy * w.stride + dx;
        const float gx = centre[at + 1] - centre[at - 1], gy = centre[at + w.stride] - centre[at - w.stride];
        const float x = to_float(dx) - w.x, y = to_float(dy) - w.y;
        const Vote vote =
            window_vote(coordinate(gx, gy, w.turn11, w.turn12), coordinate(gx, gy, w.turn21, w.turn22),
                        coordinate(x, y, w.cells11, w.cells12), coordinate(x, y, w.cells21, w.cells22), w.vote);
        if (vote.count > 0) atomic_add_local(copy + vote.bin * orientation_copies, (uint)vote.count);
      }
    }
    local_barrier();
#include "engine/sift/orient_peaks.cl.h"
  }
}
