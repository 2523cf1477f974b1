// Descriptors on a GPU (descriptor_maths.h, bytes_maths.h). Included by sift_kernels.cl.h.

// Neighbouring pixels share the same few bins, as in orient.
OCTAVO_CONSTANT int descriptor_copies = 8;

// The columns from low to high, and those up to a tenth beyond, as rounding errors are smaller. They are packed as
// first + 32768 | (last + 32768) << 16.
OCTAVO_INLINE uint span_within(float low, float high) {
  const float to_inside = 0.4f;
  const bool has_room = low <= high + 0.2f;
  const int begin = has_room ? round_to_int(low + to_inside) : 1, end = has_room ? round_to_int(high - to_inside) : 0;
  return (uint)(begin + 32768) | (uint)(end + 32768) << 16;
}

// The columns of a row of the window, relative to the keypoint, that can touch a cell: −2.5 < column, row − 1.5 < 2.5.
OCTAVO_INLINE uint span_of_row(float dy, float cosine, float sine, float over_cosine, float over_sine, int first,
                               int last) {
  float low = to_float(first), high = to_float(last);
  if (fabs(cosine) > 0.001f) {
    const float middle = (0.0f - dy * sine) * over_cosine, reach = fabs(2.5f * over_cosine);
    low = maximum(low, middle - reach);
    high = minimum(high, middle + reach);
  }
  if (fabs(sine) > 0.001f) {
    const float middle = dy * cosine * over_sine, reach = fabs(2.5f * over_sine);
    low = maximum(low, middle - reach);
    high = minimum(high, middle + reach);
  }
  return span_within(low, high);
}

// The sum of 128 values in the canonical order (descriptor_finish.h), in two halves with a barrier between: 32 threads
// make the partial sums, then add them up, each for itself.
OCTAVO_INLINE void make_partial_sum(const LOCAL_PTR float* values, LOCAL_PTR float* sums) {
  if (local_id_x >= 32) return;
  float sum = 0;
#pragma unroll
  for (int i = local_id_x; i < 128; i += 32) sum = fma(values[i], values[i], sum);
  sums[local_id_x] = sum;
}

OCTAVO_INLINE float tree_sum(const LOCAL_PTR float* sums) {
  float tree[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) tree[i] = sums[i] + sums[i + 16];
#pragma unroll
  for (int i = 0; i < 8; ++i) tree[i] += tree[i + 8];
#pragma unroll
  for (int i = 0; i < 4; ++i) tree[i] += tree[i + 4];
  return tree[0] + tree[2] + (tree[1] + tree[3]);
}

OCTAVO_INLINE void add_shares(LOCAL_PTR uint* copy, const Shares s) {
  LOCAL_PTR uint* one = copy + slot_of_shares(s, 6.0f, 9.0f) * descriptor_copies;
  const int next = descriptor_copies, right_cell = 9 * descriptor_copies, next_cells = 54 * descriptor_copies;
  atomic_add_local(one, (uint)s.row0_column0_direction0);
  atomic_add_local(one + next, (uint)s.row0_column0_direction1);
  atomic_add_local(one + right_cell, (uint)s.row0_column1_direction0);
  atomic_add_local(one + right_cell + next, (uint)s.row0_column1_direction1);
  atomic_add_local(one + next_cells, (uint)s.row1_column0_direction0);
  atomic_add_local(one + next_cells + next, (uint)s.row1_column0_direction1);
  atomic_add_local(one + next_cells + right_cell, (uint)s.row1_column1_direction0);
  atomic_add_local(one + next_cells + right_cell + next, (uint)s.row1_column1_direction1);
}

OCTAVO_CONSTANT int bins_by_fours = 36 * 9 * descriptor_copies / 4;  // 6×6 cells: the outermost take what falls outside

OCTAVO_INLINE void clear_copies(LOCAL_PTR float4* copies) {
  for (int i = local_id_x; i < bins_by_fours; i += describe_threads) copies[i] = make_float4(0, 0, 0, 0);
}

OCTAVO_INLINE uint sum_of_four(uint4 v) { return v.x + v.y + (v.z + v.w); }

// Each thread adds up a bin of the 4×4 cells inside, four copies at a time. Half of the threads begin at the other
// four, so that fewer of them read the same bank. Direction 8 is direction 0.
OCTAVO_INLINE uint votes_of_bin(const LOCAL_PTR uint* copies) {
  const int inner = local_id_x >> 3, direction = local_id_x & 7, later = local_id_x >> 2 & 1;
  const LOCAL_PTR uint* cell = copies + ((inner / 4 + 1) * 6 + inner % 4 + 1) * 9 * descriptor_copies;
  const LOCAL_PTR uint4* bin = (const LOCAL_PTR uint4*)(cell + direction * descriptor_copies);
  const uint votes = sum_of_four(bin[later]) + sum_of_four(bin[later ^ 1]);
  return direction == 0 ? votes + sum_of_four(bin[16]) + sum_of_four(bin[17]) : votes;
}

// The runs of four pixels that a work-group knows at a time. A window has at most 640 columns: an ellipse is at most 2
// times as high as the circle of its area.
OCTAVO_CONSTANT int listed_runs = 1024;

// The rows of a window of so many columns of which a list has room for all runs.
OCTAVO_INLINE int rows_of_list(int columns) {
  return columns < 1 ? listed_runs : listed_runs / ((columns - 1) / 4 + 1);
}

// Lists the pixels of a row that can touch a cell, by fours: the place of the first, in pixels from the one nearest to
// the centre, packed as x & 65535 | y << 16. Threads that take rows stand idle at their ends, a third of the time.
OCTAVO_INLINE void list_row(uint span, int step, int dy, LOCAL_PTR uint* runs, LOCAL_PTR uint* count) {
  const int begin = (int)(span & 0xffff) - 32768, last = (int)(span >> 16) - 32768;
  if (begin > last) return;
  LOCAL_PTR uint* next = runs + atomic_add_local(count, (uint)((last - begin) / 4 + 1));
  for (int column = begin; column <= last; column += 4) {
    *next++ = ((uint)(column * step) & 65535) | (uint)dy << 16;
  }
}

// The votes of this thread in a list of runs. Offsets from the centre fit 32 bits. `weights` are those of columns and
// rows from the centre, and `right` is the last column: a run may reach beyond it.
OCTAVO_INLINE void vote(const GLOBAL float* centre, int stride, int right, const LOCAL_PTR uint* runs, int count,
                        const LOCAL_PTR float* weights, float cosine, float sine, float turns, LOCAL_PTR uint* copy) {
  for (int i = local_id_x; i < 4 * count; i += describe_threads) {
    const uint run = runs[i >> 2];
    const int dx = ((int)(run << 16) >> 16) + (local_id_x & 3), dy = (int)run >> 16;
    const float across = to_float(dx), down = to_float(dy);
    const float column = cell_column(across, down, cosine, sine);
    const float row = cell_row(across, down, cosine, sine);
    if (dx <= right && column > -1.0f && column < 4.0f && row > -1.0f && row < 4.0f) {
      const int at = dy * stride + dx;
      add_shares(copy, descriptor_shares(centre[at + 1] - centre[at - 1], centre[at + stride] - centre[at - stride],
                                         column, row, turns, weights[dy] * 1048576.0f * weights[dx]));
    }
  }
}

// groups: any number. Describes all keypoints, but at most `most`, in their order.
KERNEL LAUNCH_BOUNDS(describe_threads, 9) void describe(const GLOBAL float* pyramid, const GLOBAL OctaveLayout* layout,
                                                        const SiftOfKernel sift, const GLOBAL uint* tallies,
                                                        const GLOBAL Oriented* keypoints, const GLOBAL int* order,
                                                        int most, GLOBAL uchar* descriptors) {
  await_previous_kernel();
  LOCAL float4 zeroed[bins_by_fours];
  LOCAL uint runs[listed_runs];
  LOCAL uint counts[2];      // of the runs of this list and of the next one
  LOCAL float weights[321];  // of columns and rows −radius … radius
  LOCAL float values[128];
  LOCAL float sums[32];
  LOCAL float total_sum[1];
  LOCAL uint byte_sum[1];
  LOCAL_PTR uint* copies = (LOCAL_PTR uint*)zeroed;
  LOCAL_PTR uint* copy = copies + (local_id_x & (descriptor_copies - 1));
  const int all = in_order(sift.keypoint_capacity, tallies), total = all < most ? all : most;
  if (local_id_x == 0) counts[0] = 0;
  int list = 0;
  local_barrier();
  for (int n = group_id_x; n < total; n += num_groups_x) {
    const Oriented k = keypoints[order[n]];
    if (local_id_x == 0) byte_sum[0] = 0;
    const OctaveLayout o = layout[k.octave];
    const int radius = radius_of_descriptor(k.scale);
    const float cell = cell_width(k.scale);
    const float cosine = cosine_of_turns(k.turns) / cell, sine = sine_of_turns(k.turns) / cell;
    const float factor = window_factor(2.0f * cell);
    const int left = k.extremum.column - radius < 1 ? 1 - k.extremum.column : -radius;
    const int right = k.extremum.column + radius > o.width - 2 ? o.width - 2 - k.extremum.column : radius;
    const int top = k.extremum.row - radius < 1 ? 1 - k.extremum.row : -radius;
    const int bottom = k.extremum.row + radius > o.height - 2 ? o.height - 2 - k.extremum.row : radius;
    const float over_cosine = 1.0f / cosine, over_sine = 1.0f / sine;
    clear_copies(zeroed);
    for (int i = local_id_x; i <= 2 * radius; i += describe_threads)
      weights[i] = window_weight(to_float(i - radius), factor);
    const GLOBAL float* centre = computed_once(pyramid + o.first + k.extremum.layer * o.level_floats +
                                               (int64_t)k.extremum.row * o.stride + k.extremum.column);
    const int rows = rows_of_list(right - left + 1);
    int first = top;
    do {
      const int end = first + rows <= bottom ? first + rows : bottom + 1;
      for (int dy = first + local_id_x; dy < end; dy += describe_threads) {
        list_row(span_of_row(to_float(dy), cosine, sine, over_cosine, over_sine, left, right), 1, dy, runs,
                 counts + list);
      }
      local_barrier();
      vote(centre, o.stride, right, runs, (int)counts[list], weights + radius, cosine, sine, k.turns, copy);
      list ^= 1;
      if (local_id_x == 0) counts[list] = 0;
      local_barrier();
      first += rows;
    } while (first <= bottom);
    values[local_id_x] = to_float((int)votes_of_bin(copies));
    local_barrier();
#include "engine/sift/describe_votes.cl.h"
    const int byte = byte_of(values[local_id_x] * total_sum[0]);
#include "engine/sift/describe_bytes.cl.h"
  }
}

// The columns of a row of a window of any size that can touch a cell, in steps, packed as by span_within. `dy` is the
// distance from the centre, and the columns are those from the pixel nearest to it.
OCTAVO_INLINE uint span_of_window_row(const LOCAL_PTR Window* w, float dy) {
  const float to_steps = w->step == 1 ? 1.0f : 0.5f;
  float low = to_float(w->left), high = to_float(w->right);
  if (fabs(w->cells11) > 0.001f) {
    const float middle = (w->x - dy * w->cells12 / w->cells11) * to_steps, reach = fabs(2.5f / w->cells11) * to_steps;
    low = maximum(low, middle - reach);
    high = minimum(high, middle + reach);
  }
  if (fabs(w->cells21) > 0.001f) {
    const float middle = (w->x - dy * w->cells22 / w->cells21) * to_steps, reach = fabs(2.5f / w->cells21) * to_steps;
    low = maximum(low, middle - reach);
    high = minimum(high, middle + reach);
  }
  return span_within(low, high);
}

// Lists the runs of some rows.
OCTAVO_INLINE void list_runs(const LOCAL_PTR Window* w, int first, int rows, LOCAL_PTR uint* runs,
                             LOCAL_PTR uint* count) {
  const int end = first + rows <= w->bottom ? first + rows : w->bottom + 1;
  for (int row = first + local_id_x; row < end; row += describe_threads) {
    const int dy = row * w->step;
    list_row(span_of_window_row(w, to_float(dy) - w->y), w->step, dy, runs, count);
  }
}

// The votes of this thread in a list of runs.
OCTAVO_INLINE void vote_in_runs(const GLOBAL float* centre, const LOCAL_PTR Window* window, const LOCAL_PTR uint* runs,
                                int count, LOCAL_PTR uint* copy) {
  const Window w = *window;
  const int across_run = (local_id_x & 3) * w.step, right = w.right * w.step;
  for (int i = local_id_x; i < 4 * count; i += describe_threads) {
    const uint run = runs[i >> 2];
    const int dx = ((int)(run << 16) >> 16) + across_run, dy = (int)run >> 16;
    const float x = to_float(dx) - w.x, y = to_float(dy) - w.y;
    const float column = coordinate(x, y, w.cells11, w.cells12) + 1.5f;
    const float row = coordinate(x, y, w.cells21, w.cells22) + 1.5f;
    // A run may reach beyond the image.
    if (dx <= right && column > -1.0f && column < 4.0f && row > -1.0f && row < 4.0f) {
      const int at = dy * w.stride + dx;
      const float gx = centre[at + 1] - centre[at - 1], gy = centre[at + w.stride] - centre[at - w.stride];
      add_shares(copy, window_shares(coordinate(gx, gy, w.turn11, w.turn12), coordinate(gx, gy, w.turn21, w.turn22),
                                     column, row));
    }
  }
}

// groups: any number. The same with descriptors pooled over windows of several sizes.
KERNEL LAUNCH_BOUNDS(describe_threads,
                     10) void describe_pooled(const GLOBAL float* pyramid, const GLOBAL OctaveLayout* layout,
                                              const SiftOfKernel sift, const PoolingRecord pooling,
                                              const GLOBAL uint* tallies, const GLOBAL Oriented* keypoints,
                                              const GLOBAL int* order, int most, GLOBAL uchar* descriptors) {
  await_previous_kernel();
  LOCAL float4 zeroed[bins_by_fours];
  LOCAL Window windows[most_sizes];
  LOCAL int rows[most_sizes];  // of a list
  LOCAL uint runs[listed_runs];
  LOCAL uint counts[2];  // of the runs of this list and of the next one
  LOCAL float values[128];
  LOCAL float sums[32];
  LOCAL float total_sum[1];
  LOCAL uint byte_sum[1];
  LOCAL_PTR uint* copies = (LOCAL_PTR uint*)zeroed;
  LOCAL_PTR uint* copy = copies + (local_id_x & (descriptor_copies - 1));
  const int all = in_order(sift.keypoint_capacity, tallies), total = all < most ? all : most;
  if (local_id_x == 0) counts[0] = 0;
  clear_copies(zeroed);
  int list = 0;
  for (int n = group_id_x; n < total; n += num_groups_x) {
    const Oriented k = keypoints[order[n]];
    if (local_id_x == 0) byte_sum[0] = 0;
    // A window takes many instructions: a thread makes one, and the others read it.
    if (local_id_x < pooling.sizes) {
      const WindowFrame f = frame_of_window(pooling, k, pooling.size[local_id_x]);
      const Window w = window_of_frame(f, to_float(f.reach_x), to_float(f.reach_y), layout);
      windows[local_id_x] = w;
      rows[local_id_x] = rows_of_list(w.right - w.left + 1);
    }
    local_barrier();
    int bytes = 0;
    for (int size = 0; size < pooling.sizes; ++size) {
      const LOCAL_PTR Window* w = windows + size;
      const GLOBAL float* centre = computed_once(pyramid + w->pixel);
      for (int row = w->top; row <= w->bottom; row += rows[size]) {
        list_runs(w, row, rows[size], runs, counts + list);
        local_barrier();
        vote_in_runs(centre, w, runs, (int)counts[list], copy);
        list ^= 1;
        if (local_id_x == 0) counts[list] = 0;
        local_barrier();
      }
      values[local_id_x] = to_float((int)votes_of_bin(copies));
      local_barrier();
      clear_copies(zeroed);
#include "engine/sift/describe_votes.cl.h"
      bytes += byte_of(values[local_id_x] * total_sum[0]);
      local_barrier();
    }
    values[local_id_x] = to_float(bytes);
    local_barrier();
#include "engine/sift/unit_length.cl.h"
    const int byte = byte_of(values[local_id_x] * total_sum[0]);
#include "engine/sift/describe_bytes.cl.h"
  }
}
