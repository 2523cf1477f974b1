// From the luma of a decoded frame to a scaled image on GPUs: the means of areas of area_scale.h, in the same whole
// numbers, and the levels of levels.h by a table.

#include "engine/maths/kernel_primitives.h"
#include "video/frames/video_layout.h"

// out = the image of width×height pixels. A sample of `source` has one byte or two; shifted to the right by `shift`
// it is the number of its level. A thread has one pixel. With sides of at most 65535 a row's sum is below 2^24, and the
// whole below 2^40.
KERNEL WORK_GROUP_SIZE(scale_threads) void scale_luma(GLOBAL const uchar* source, int source_width, int source_height,
                                                      int sample_bytes, int shift, GLOBAL const uchar* levels,
                                                      int width, int height, GLOBAL uchar* out) {
  await_previous_kernel();
  const int x = group_id_x * scale_threads + local_id_x, y = group_row;
  if (x >= width || y >= height) return;
  const int64_t left = (int64_t)x * source_width, right = left + source_width;
  const int64_t top = (int64_t)y * source_height, bottom = top + source_height;
  const int first_column = (int)(left / width), first_row = (int)(top / height);
  const int64_t area = (int64_t)source_width * source_height;
  int64_t total = area / 2;
  for (int64_t row = first_row; row * height < bottom; ++row) {
    GLOBAL const uchar* const from = source + row * source_width * sample_bytes;
    const int64_t upper = row * height, lower = upper + height;
    const int64_t row_length = (lower < bottom ? lower : bottom) - (upper < top ? top : upper);
    int sum = 0;
    for (int64_t column = first_column; column * width < right; ++column) {
      const int64_t begin = column * width, end = begin + width;
      const int length = (int)((end < right ? end : right) - (begin < left ? left : begin));
      int sample = from[column * sample_bytes];
      if (sample_bytes == 2) sample |= (int)from[column * 2 + 1] << 8;
      sum += length * (int)levels[sample >> shift];
    }
    total += row_length * sum;
  }
  out[(int64_t)y * width + x] = (uchar)(total / area);
}
