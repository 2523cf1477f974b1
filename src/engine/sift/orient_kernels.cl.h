// Orientations of extrema on a GPU (orientation_maths.h, peak_maths.h). Included by sift_kernels.cl.h.

// Neighbouring pixels vote for the same few bins at once. Several copies of a histogram avoid conflicts.
OCTAVO_CONSTANT int orientation_copies = 8;

OCTAVO_INLINE void clear_votes(LOCAL_PTR uint* copies, LOCAL_PTR uint* peaks) {
  for (int i = local_id_x; i < 37 * orientation_copies; i += orient_threads) copies[i] = 0;
  if (local_id_x == 0) peaks[0] = 0;
}

// groups: any number; each takes its share of the extrema.
KERNEL LAUNCH_BOUNDS(orient_threads, 25) void orient(const GLOBAL float* pyramid, const GLOBAL OctaveLayout* layout,
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
    const int bottom = sift.upright != 0 ? top - 1 : last;
    const int across = right - left + 1;
    // Offsets from the extremum fit 32 bits.
    const GLOBAL float* centre = computed_once(pyramid + o.first + k.extremum.layer * o.level_floats +
                                               (int64_t)k.extremum.row * o.stride + k.extremum.column);
    LOCAL_PTR uint* copy = copies + (local_id_x & (orientation_copies - 1));
    int dx = left + local_id_x, dy = top;
    while (dx > right) {
      dx -= across;
      ++dy;
    }
    while (dy <= bottom) {
      const int at = dy * o.stride + dx;
      const float weight = weights[radius + dy] * 1048576.0f * weights[radius + dx];
      const Vote vote =
          orientation_vote(centre[at + 1] - centre[at - 1], centre[at + o.stride] - centre[at - o.stride], weight);
      atomic_add_local(copy + vote.bin * orientation_copies, (uint)vote.count);
      dx += orient_threads;
      while (dx > right) {
        dx -= across;
        ++dy;
      }
    }
    local_barrier();
#include "engine/sift/orient_peaks.cl.h"
  }
}

// groups: any number. The same with the votes of windows of any size and shape.
KERNEL LAUNCH_BOUNDS(orient_threads, 25) void orient_windows(const GLOBAL float* pyramid,
                                                             const GLOBAL OctaveLayout* layout, const SiftOfKernel sift,
                                                             const PoolingRecord pooling, const GLOBAL Oriented* found,
                                                             GLOBAL uint* tallies, GLOBAL Oriented* keypoints) {
  LOCAL WindowFrame frames[most_orientation_sizes];
#include "engine/sift/orient_tables.cl.h"
  for (int e = group_id_x; e < total; e += num_groups_x) {
    Oriented k = found[e];
    k.turns = 0;
    const int smoothings = pooling.smoothings;
    // As in describe_pooled a thread makes a frame.
    if (local_id_x < pooling.orientation_sizes) frames[local_id_x] = frame_of_window(pooling, k, exp2_int(local_id_x));
    clear_votes(copies, peaks);
    local_barrier();
    LOCAL_PTR uint* copy = copies + (local_id_x & (orientation_copies - 1));
    for (int size = 0; size < pooling.orientation_sizes; ++size) {
      const WindowFrame w = frames[size];
      const OctaveLayout o = layout[w.octave];
      // The window of orientations reaches 1.5 cells, that of descriptors 2.5.
      const int reach_x = (w.reach_x * 5 >> 3) + 1, reach_y = (w.reach_y * 5 >> 3) + 1;
      const int left = first_step(w.column, reach_x, w.step), right = last_step(w.column, o.width, reach_x, w.step);
      const int top = first_step(w.row, reach_y, w.step), last = last_step(w.row, o.height, reach_y, w.step);
      const int bottom = sift.upright != 0 || right < left ? top - 1 : last;
      const int across = right - left + 1;
      const GLOBAL float* centre =
          computed_once(pyramid + o.first + w.layer * o.level_floats + (int64_t)w.row * o.stride + w.column);
      int j = left + local_id_x, i = top;
      while (j > right && i <= bottom) {
        j -= across;
        ++i;
      }
      while (i <= bottom) {
        const int dx = j * w.step, dy = i * w.step, at = dy * o.stride + dx;
        const float gx = centre[at + 1] - centre[at - 1], gy = centre[at + o.stride] - centre[at - o.stride];
        const float x = to_float(dx) - w.x, y = to_float(dy) - w.y;
        const Vote vote =
            window_vote(coordinate(gx, gy, w.turn11, w.turn12), coordinate(gx, gy, w.turn21, w.turn22),
                        coordinate(x, y, w.cells11, w.cells12), coordinate(x, y, w.cells21, w.cells22), w.vote);
        if (vote.count > 0) atomic_add_local(copy + vote.bin * orientation_copies, (uint)vote.count);
        j += orient_threads;
        while (j > right) {
          j -= across;
          ++i;
        }
      }
    }
    local_barrier();
#include "engine/sift/orient_peaks.cl.h"
  }
}
