// Words, codes (feature_code.cc) and VLADs (vlad.cc) of descriptors on GPUs, in the same whole numbers. The order of
// words needs no sort: all keys differ, so the rank of one is the number of smaller ones.

#include "engine/match/nearest_shape.h"
#include "engine/maths/kernel_primitives.h"
#include "engine/retrieval/quantise_layout.h"
#include "engine/retrieval/vlad_maths.h"

// codes[4·i …] = the code of descriptor i = group_id_x. `axes` has for each axis the sign of the rotation, then where
// the descriptor has its number, then the threshold. A thread has one axis.
KERNEL WORK_GROUP_SIZE(descriptor_numbers) void make_codes(GLOBAL const uchar* descriptors, GLOBAL const int* axes,
                                                           GLOBAL uint* codes) {
  await_previous_kernel();
  LOCAL int values[descriptor_numbers];
  const int j = local_id_x;
  const int from = axes[descriptor_numbers + j];
  int value = axes[j] * (int)descriptors[(int64_t)group_id_x * descriptor_numbers + from];
  for (int step = 1; step < descriptor_numbers; step *= 2) {
    values[j] = value;
    local_barrier();
    const int other = values[j ^ step];
    value = (j & step) != 0 ? other - value : value + other;
    local_barrier();
  }
  values[j] = value > axes[2 * descriptor_numbers + j] ? 1 : 0;
  local_barrier();
  if (j < code_words32) {
    uint bits = 0;
    for (int k = 0; k < 32; ++k) bits |= (uint)values[j * 32 + k] << k;
    codes[group_id_x * code_words32 + j] = bits;
  }
}

// words[count·i …] = the `count` nearest words of descriptor i = group_id_x, nearest first. `axes` is that of
// make_codes. `centres` has the first 32-bit word of all centres, then the second and so on. A pair of `pairs` is
// 256·(rank of an upper centre) + rank of a lower one. A thread has one centre.
KERNEL WORK_GROUP_SIZE(half_centres) void find_words(GLOBAL const uchar* descriptors, GLOBAL const int* axes,
                                                     GLOBAL const uint* centres, GLOBAL const uint* pairs,
                                                     int pair_count, int count, GLOBAL uint* words) {
  await_previous_kernel();
  LOCAL int x[descriptor_numbers];      // the upper half, then the lower one
  LOCAL uint keys[2 * half_centres];    // distance·256 + number of the centre
  LOCAL uint ranked[2 * half_centres];  // the same, nearest first
  LOCAL int64_t near[most_word_pairs];  // distance·65536 + word
  const int c = local_id_x;
  if (c < descriptor_numbers) {
    const int axis = c % half_numbers * 2 + c / half_numbers;
    x[c] = (int)descriptors[(int64_t)group_id_x * descriptor_numbers + axes[descriptor_numbers + axis]];
  }
  local_barrier();
  for (int half_number = 0; half_number < 2; ++half_number) {
    int sum = 0;
    for (int k = 0; k < half_words32; ++k) {
      const uint four = centres[k * half_centres + c];
      for (int b = 0; b < 4; ++b) {
        const int difference = x[half_number * half_numbers + 4 * k + b] - (int)(four >> (8 * b) & 255u);
        sum += difference * difference;
      }
    }
    keys[half_number * half_centres + c] = (uint)sum << 8 | (uint)c;
  }
  local_barrier();
  for (int first = 0; first < 2 * half_centres; first += half_centres) {
    const uint key = keys[first + c];
    int rank = 0;
    for (int i = 0; i < half_centres; ++i) rank += keys[first + i] < key ? 1 : 0;
    ranked[first + rank] = key;
  }
  local_barrier();
  for (int p = c; p < pair_count; p += half_centres) {
    const uint upper = ranked[pairs[p] >> 8], lower = ranked[half_centres + (pairs[p] & 255u)];
    near[p] = (int64_t)((upper >> 8) + (lower >> 8)) << 16 | (int64_t)((upper & 255u) << 8 | (lower & 255u));
  }
  local_barrier();
  for (int p = c; p < pair_count; p += half_centres) {
    int rank = 0;
    for (int i = 0; i < pair_count; ++i) rank += near[i] < near[p] ? 1 : 0;
    if (rank < count) words[(int64_t)group_id_x * count + rank] = (uint)(near[p] & 65535);
  }
}

// residuals[128·w …] = the sum of x − c over the descriptors of word w = group_id_x, squares[w] = its squared length.
// `nearest` has NearestTwo for each descriptor. A thread has one number of the descriptors.
KERNEL WORK_GROUP_SIZE(descriptor_numbers) void sum_residuals(GLOBAL const uchar* descriptors, int count,
                                                              GLOBAL const uint* nearest, GLOBAL const uchar* centres,
                                                              GLOBAL int* residuals, GLOBAL int64_t* squares) {
  await_previous_kernel();
  LOCAL int words[descriptor_numbers];  // of a tile of descriptors
  LOCAL int64_t square[descriptor_numbers];
  const int j = local_id_x;
  const int64_t at = (int64_t)group_id_x * descriptor_numbers + j;
  int sum = 0, members = 0;
  for (int first = 0; first < count; first += descriptor_numbers) {
    const int tile = min((int)descriptor_numbers, count - first);
    words[j] = j < tile ? (int)nearest[((int64_t)first + j) * nearest_result_words] : -1;
    local_barrier();
    for (int i = 0; i < tile; ++i) {
      if (words[i] != group_id_x) continue;
      sum += (int)descriptors[((int64_t)first + i) * descriptor_numbers + j];
      ++members;
    }
    local_barrier();
  }
  const int residual = sum - members * (int)centres[at];
  residuals[at] = residual;
  square[j] = (int64_t)residual * residual;
  local_barrier();
  if (j == 0) {
    int64_t total = 0;
    for (int i = 0; i < descriptor_numbers; ++i) total += square[i];
    squares[group_id_x] = total;
  }
}

// vlad[128·w …] = the block of word w = group_id_x.
KERNEL WORK_GROUP_SIZE(descriptor_numbers) void normalise_residuals(GLOBAL const int* residuals,
                                                                    GLOBAL const int64_t* squares, int words,
                                                                    GLOBAL short* vlad) {
  await_previous_kernel();
  LOCAL int filled[descriptor_numbers];
  const int j = local_id_x;
  int mine = 0;
  for (int w = j; w < words; w += descriptor_numbers) mine += squares[w] > 0 ? 1 : 0;
  filled[j] = mine;
  local_barrier();
  int all = 0;
  for (int i = 0; i < descriptor_numbers; ++i) all += filled[i];
  const int64_t at = (int64_t)group_id_x * descriptor_numbers + j;
  const int64_t q = squares[group_id_x];
  int number = 0;
  if (q > 0) {
    const int shift = vlad_shift(q);
    number = vlad_number(residuals[at], shift, integer_root(q << (2 * shift)), vlad_factor(all));
  }
  vlad[at] = (short)number;
}
