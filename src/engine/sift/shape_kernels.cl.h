// Affine shapes of extrema on a GPU (affine.h). Included by sift_kernels.cl.h.

typedef struct {
  int64_t xx, xy, yy;
} Moments;

// The sums of this thread over the window of a shape. A refused shape has an empty window.
OCTAVO_INLINE Moments sums_of_window(const ShapeWindow w, const Shape s, const OctaveLayout o, bool refused,
                                     const GLOBAL float* centre) {
  const int reach_x = reach_across(w, s), reach_y = reach_down(w, s);
  const int left = w.column - reach_x < 1 ? 1 - w.column : -reach_x;
  const int right = w.column + reach_x > o.width - 2 ? o.width - 2 - w.column : reach_x;
  const int top = w.row - reach_y < 1 ? 1 - w.row : -reach_y;
  const int last = w.row + reach_y > o.height - 2 ? o.height - 2 - w.row : reach_y;
  const int bottom = refused || right < left ? top - 1 : last;
  const int across = right - left + 1;
  Moments sums;
  sums.xx = sums.xy = sums.yy = 0;
  int dx = left + local_id_x, dy = top;
  while (dx > right && dy <= bottom) {
    dx -= across;
    ++dy;
  }
  while (dy <= bottom) {
    const int at = dy * o.stride + dx;
    const float x = to_float(dx) - w.x, y = to_float(dy) - w.y;
    const Products p = weighted_products(centre[at + 1] - centre[at - 1], centre[at + o.stride] - centre[at - o.stride],
                                         coordinate(x, y, s.yy, negate(s.xy)), y * s.xx, w.factor, w.limit);
    sums.xx += p.xx;
    sums.xy += p.xy;
    sums.yy += p.yy;
    dx += shape_threads;
    while (dx > right) {
      dx -= across;
      ++dy;
    }
  }
  return sums;
}

// groups: any number; each takes its share of the extrema.
KERNEL WORK_GROUP_SIZE(shape_threads) void fit_shapes(const GLOBAL float* pyramid, const GLOBAL OctaveLayout* layout,
                                                      const SiftOfKernel sift, const PoolingRecord pooling,
                                                      const GLOBAL uint* tallies, GLOBAL Oriented* found) {
  await_previous_kernel();
  LOCAL int64_t partial[3 * shape_threads];
  LOCAL int64_t moments[3];
  LOCAL float shape[3];
  LOCAL int refused[1];
  const int total = listed(tallies[sift.list_counter], sift.extrema_capacity);
  for (int e = group_id_x; e < total; e += num_groups_x) {
    const Oriented k = found[e];
    const ShapeWindow w = window_of_shape(pooling, k);
    const OctaveLayout o = layout[w.octave];
    const GLOBAL float* centre =
        computed_once(pyramid + o.first + w.layer * o.level_floats + (int64_t)w.row * o.stride + w.column);
    if (local_id_x == 0) {
      shape[0] = 1;
      shape[1] = 0;
      shape[2] = 1;
      refused[0] = 0;
    }
    local_barrier();
    for (int step = 0; step < shape_steps; ++step) {
      Shape s;
      s.xx = shape[0];
      s.xy = shape[1];
      s.yy = shape[2];
      const Moments sums = sums_of_window(w, s, o, refused[0] != 0, centre);
      partial[local_id_x] = sums.xx;
      partial[shape_threads + local_id_x] = sums.xy;
      partial[2 * shape_threads + local_id_x] = sums.yy;
      local_barrier();
      if (local_id_x < 3) {
        int64_t sum = 0;
        for (int i = 0; i < shape_threads; ++i) sum += partial[local_id_x * shape_threads + i];
        moments[local_id_x] = sum;
      }
      local_barrier();
      if (local_id_x == 0) {
        const Shape next = shape_of_moments(moments[0], moments[1], moments[2]);
        if (next.xx == 0.0f) refused[0] = 1;
        const bool keeps_circle = refused[0] != 0;
        shape[0] = keeps_circle ? 1.0f : next.xx;
        shape[1] = keeps_circle ? 0.0f : next.xy;
        shape[2] = keeps_circle ? 1.0f : next.yy;
      }
      local_barrier();
    }
    if (local_id_x == 0) {
      found[e].shape.xx = shape[0];
      found[e].shape.xy = shape[1];
      found[e].shape.yy = shape[2];
    }
    local_barrier();
  }
}
