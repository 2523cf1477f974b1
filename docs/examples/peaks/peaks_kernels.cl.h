// Peaks on a GPU, written once for CUDA and OpenCL: a thread looks at one pixel.

// The primitives come before what is written in them.
// clang-format off
#include "engine/maths/kernel_primitives.h"
#include "engine/scale_space/pixel_maths.h"
#include "engine/scale_space/grey.cl.h"
#include "engine/peaks/peaks_maths.h"
#include "engine/peaks/peaks_layout.h"
// clang-format on

// groups: ⌈width/256⌉ × height. Adds the peaks to a list in any order: the host sorts them. Where the list is full its
// counter goes on, so the host sees how much room there must be.
KERNEL WORK_GROUP_SIZE(peaks_threads) void find_peaks(const GLOBAL uchar* image, int64_t stride, int channels,
                                                      int red_at, int sample_bytes, float red, float green, float blue,
                                                      float single, int width, int height, float threshold,
                                                      int capacity, GLOBAL uint* list) {
  await_previous_kernel();
  const int x = group_id_x * peaks_threads + local_id_x, y = group_row;
  if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1) return;
  float around[9];
  for (int i = 0; i < 9; ++i) {
    const GLOBAL uchar* row = image + (int64_t)(y - 1 + i / 3) * stride;
    around[i] = grey_of(row, x - 1 + i % 3, channels, red_at, sample_bytes, red, green, blue, single);
  }
  const float pixel = around[4];
  around[4] = around[8];  // eight neighbours are left
  const float strength = strength_of(pixel, around);
  if (!(strength > threshold)) return;
  const uint place = atomic_add_global(list, 1);
  if (place >= (uint)capacity) return;
  GLOBAL Peak* peak = (GLOBAL Peak*)list + 1 + place;
  peak->row = y;
  peak->column = x;
  peak->strength = strength;
  peak->unused = 0;
}
