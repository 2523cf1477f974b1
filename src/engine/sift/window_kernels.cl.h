// Windows of any size and shape on a GPU (pooling_maths.h): a thread makes one, since it takes many instructions.
// Included by sift_kernels.cl.h.

typedef WindowRecord Window;

// The pixels within these distances of the centre of a window [step] that are inside the image.
OCTAVO_INLINE Window window_of_frame(const WindowFrame f, float reach_x, float reach_y,
                                     const GLOBAL OctaveLayout* layout) {
  const OctaveLayout o = layout[f.octave];
  const float to_steps = f.step == 1 ? 1.0f : 0.5f, x = f.x * to_steps, y = f.y * to_steps;
  Window w;
  w.pixel = o.first + f.layer * o.level_floats + (int64_t)f.row * o.stride + f.column;
  w.stride = o.stride;
  w.step = f.step;
  w.left = first_step(f.column, -round_to_int(x - reach_x), f.step);
  w.right = last_step(f.column, o.width, round_to_int(x + reach_x), f.step);
  w.top = first_step(f.row, -round_to_int(y - reach_y), f.step);
  w.bottom = last_step(f.row, o.height, round_to_int(y + reach_y), f.step);
  w.vote = f.vote;
  w.x = f.x;
  w.y = f.y;
  w.cells11 = f.cells11;
  w.cells12 = f.cells12;
  w.cells21 = f.cells21;
  w.cells22 = f.cells22;
  w.turn11 = f.turn11;
  w.turn12 = f.turn12;
  w.turn21 = f.turn21;
  w.turn22 = f.turn22;
  return w;
}

// The window of an extremum that votes for its orientation. Its cells are a parallelogram that reaches 1.5 cells; a
// pixel that rounding takes for one inside has no vote.
OCTAVO_INLINE Window voting_window(const PoolingRecord pooling, Oriented extremum, float size,
                                   const GLOBAL OctaveLayout* layout) {
  extremum.turns = 0;
  const WindowFrame f = frame_of_window(pooling, extremum, size);
  const float almost_half = 0.49f;
  const float side = 1.5f / ((f.cells11 * f.cells22 - f.cells12 * f.cells21) * to_float(f.step));
  return window_of_frame(f, side * (fabs(f.cells12) + fabs(f.cells22)) - almost_half,
                         side * (fabs(f.cells11) + fabs(f.cells21)) - almost_half, layout);
}

// groups: any number. Makes the windows that vote for orientations.
KERNEL WORK_GROUP_SIZE(window_threads) void make_windows(const GLOBAL OctaveLayout* layout, const SiftOfKernel sift,
                                                         const PoolingRecord pooling, const GLOBAL Oriented* found,
                                                         const GLOBAL uint* tallies, GLOBAL Window* windows) {
  await_previous_kernel();
  const int sizes = pooling.orientation_sizes;
  const int total = sizes * listed(tallies[sift.list_counter], sift.extrema_capacity);
  for (int i = group_id_x * window_threads + local_id_x; i < total; i += num_groups_x * window_threads) {
    windows[i] = voting_window(pooling, found[i / sizes], exp2_int(i % sizes), layout);
  }
}
