// The budget on a GPU: the best N keypoints by rank (selection.h), which stay in canonical order. Ranks are floats that
// are not negative, so their bits are ordered as integers are. Every keypoint gets a key; the N greatest keys stay, of
// equal ones the first. The smallest of them is found digit by digit: keys are counted by their first digit, the bin in
// which the N-th lies is known, its keys are counted by their second digit, and so on (radix select).
//
// With a grid the keys are made in the cells. A whole number of places, as many as the budget and the share allow, goes
// to the best of each cell: their keys are above all others. What the budget has left goes by rank: to the next of each
// cell, or to all others where the share is used up. The rest have the smallest key.
// Included by sift_kernels.cl.h.

// Of keypoints that are kept, whatever the others are: above those of all floats.
OCTAVO_CONSTANT int certain_key = 0x7fffffff;

// How far keys are decided: those whose digits up to here are below the prefix go, those above it stay, and so do so
// many of those that are equal to it.
typedef struct Cut {
  word prefix, wanted;
} Cut;

// 1 and more. NaN, which an image on a device may bring about, is as good as infinity.
OCTAVO_INLINE word key_of(const GLOBAL Keypoint* k, const SelectionOfKernel selection) {
  const word bits = (word)bits_of_real(selection.by_scale != 0 ? k->scale : k->response), infinity = 0x7f800000;
  return (bits < infinity ? bits : infinity) + 1;
}

OCTAVO_INLINE integer cell_of(const GLOBAL Keypoint* k, const SelectionOfKernel selection) {
  const integer row = part_of_side(k->y, selection.image_height, selection.grid);
  return row * selection.grid + part_of_side(k->x, selection.image_width, selection.grid);
}

// What is left of a key to the right of a digit.
OCTAVO_INLINE integer bits_after(integer digit) { return 20 - 10 * digit; }

OCTAVO_INLINE GLOBAL word* bins_of(integer digit, const SelectionOfKernel selection, GLOBAL word* tallies) {
  return tallies + selection.bins_at + digit * digit_bins;
}

OCTAVO_INLINE void count_first_digit(word key, const SelectionOfKernel selection, GLOBAL word* tallies) {
  add_global(bins_of(0, selection, tallies) + (key >> bits_after(0)), 1);
}

// groups: any number. Where there is no grid, the keys. The bins begin all 0.
KERNEL THREADS(256) void select_keys(const SelectionOfKernel selection, GLOBAL word* tallies,
                                     const GLOBAL Keypoint* points, GLOBAL word* keys) {
  await_previous_kernel();
  const integer total = in_order(selection.keypoint_capacity, tallies);
  for (integer i = group_x * 256 + thread_x; i < total; i += groups_x * 256) {
    const word key = key_of(points + i, selection);
    keys[i] = key;
    count_first_digit(key, selection, tallies);
  }
}

// groups: any number. How many keypoints the cells have. The counts begin all 0.
KERNEL THREADS(256) void select_count_cells(const SelectionOfKernel selection, GLOBAL word* tallies,
                                            const GLOBAL Keypoint* points) {
  await_previous_kernel();
  const integer total = in_order(selection.keypoint_capacity, tallies);
  for (integer i = group_x * 256 + thread_x; i < total; i += groups_x * 256) {
    const integer cell = cell_of(points + i, selection);
    add_global(tallies + selection.cells_at + cell, 1);
    add_global(tallies + selection.cell_rows_at + cell / selection.grid, 1);
  }
}

// Keypoints of the cells before this one.
OCTAVO_INLINE word keypoints_before_cell(integer cell, const SelectionOfKernel selection, const GLOBAL word* tallies) {
  const integer row = cell / selection.grid;
  const GLOBAL word* rows = tallies + selection.cell_rows_at;
  const GLOBAL word* cells = tallies + selection.cells_at;
  word before = 0;
#pragma unroll 8
  for (integer i = 0; i < row; ++i) before += rows[i];
#pragma unroll 8
  for (integer i = row * selection.grid; i < cell; ++i) before += cells[i];
  return before;
}

// groups: any number. Puts the standing of every keypoint on the list of its cell, in any order. Of two of a cell the
// smaller comes first: a greater key, or the same and a smaller number.
KERNEL THREADS(256) void select_list_cells(const SelectionOfKernel selection, GLOBAL word* tallies,
                                           const GLOBAL Keypoint* points, GLOBAL wide* standings) {
  await_previous_kernel();
  const integer total = in_order(selection.keypoint_capacity, tallies);
  for (integer i = group_x * 256 + thread_x; i < total; i += groups_x * 256) {
    const integer cell = cell_of(points + i, selection);
    const word slot = add_global(tallies + selection.cell_fill_at + cell, 1);
    const wide from_above = certain_key - (integer)key_of(points + i, selection);
    standings[keypoints_before_cell(cell, selection, tallies) + slot] = from_above << selection.index_bits | i;
  }
}

// The sum of 256 numbers, one a thread, or of those before a thread, in two halves with a barrier between: sums of
// sixteen, read from different banks, then the rest.
OCTAVO_INLINE void add_sixteens(const SHARED_POINTER word* numbers, SHARED_POINTER word* sixteens) {
  const SHARED_POINTER word* own = numbers + 16 * (thread_x & 15);
  word sum = 0;
  for (integer i = 0; i < 16; ++i) sum += own[(i + thread_x) & 15];
  if (thread_x < 16) sixteens[thread_x] = sum;
}

OCTAVO_INLINE word sum_before(const SHARED_POINTER word* numbers, const SHARED_POINTER word* sixteens) {
  const integer own = thread_x >> 4;
  word sum = 0;
  for (integer i = 0; i < 15; ++i) {
    sum += i < own ? sixteens[i] : 0;
    sum += i < (thread_x & 15) ? numbers[16 * own + i] : 0;
  }
  return sum;
}

OCTAVO_INLINE word sum_of_all(const SHARED_POINTER word* sixteens) {
  word sum = 0;
  for (integer i = 0; i < 16; ++i) sum += sixteens[i];
  return sum;
}

// groups: cells. Keys of the keypoints. Each group finds out how many places every cell has; then the standing of the
// first of its cell that has none, digit by digit.
KERNEL THREADS(256) void select_keys_in_cells(const SelectionOfKernel selection, GLOBAL word* tallies,
                                              const GLOBAL wide* standings, GLOBAL word* keys) {
  await_previous_kernel();
  SHARED word taken[32];  // by so many places of every cell
  SHARED word bins[256];
  SHARED word sixteens[16];
  SHARED word cut[2];
  const integer cells = selection.grid * selection.grid, cell = group_x;
  const GLOBAL word* counts = tallies + selection.cells_at;
  if (thread_x < 32) taken[thread_x] = 0;
  if (thread_x < 2) cut[thread_x] = 0;
  barrier_of_group();
  word places = 0;  // the most that the share allows and the budget has for all
  for (integer bit = selection.share_bits - 1; bit >= 0; --bit) {
    const word more = places + ((word)1 << bit);
    word sum = 0;
    for (integer i = thread_x; i < cells; i += 256) sum += counts[i] < more ? counts[i] : more;
    add_shared(&taken[bit], sum);
    barrier_of_group();
    places = more <= (word)selection.share && taken[bit] <= (word)selection.budget ? more : places;
  }
  const word count = counts[cell];
  const GLOBAL wide* own = standings + keypoints_before_cell(cell, selection, tallies);
  word wanted = places + 1;
  wide next = 0;  // the wanted-th in the cell
  const integer all_digits = (31 + selection.index_bits - 1) / 8 * 8;
  for (integer shift = count > places ? all_digits : -1; shift >= 0; shift -= 8) {
    bins[thread_x] = 0;
    barrier_of_group();
    for (word i = thread_x; i < count; i += 256) {
      const wide standing = own[i] >> shift;
      if (standing >> 8 == next) add_shared(&bins[standing & 255], 1);
    }
    barrier_of_group();
    add_sixteens(bins, sixteens);
    barrier_of_group();
    const word before = sum_before(bins, sixteens);
    if (before < wanted && wanted <= before + bins[thread_x]) {
      cut[0] = (word)thread_x;
      cut[1] = wanted - before;
    }
    barrier_of_group();
    next = next << 8 | cut[0];
    wanted = cut[1];
  }
  for (word i = thread_x; i < count; i += 256) {
    const wide standing = own[i];
    const truth certain = count <= places || standing < next;
    const truth open = !certain && (standing == next || places == (word)selection.share);
    const word key = (word)(certain_key - (integer)(standing >> selection.index_bits));
    keys[standing & (((wide)1 << selection.index_bits) - 1)] = certain ? (word)certain_key : open ? key : 0;
    if (open) count_first_digit(key, selection, tallies);
  }
  // Those without a chance need not be counted: the budget is used up before.
  if (thread_x == 0) {
    add_global(bins_of(0, selection, tallies) + ((word)certain_key >> bits_after(0)), count < places ? count : places);
  }
}

OCTAVO_INLINE Cut cut_before(integer digit, integer total, const SelectionOfKernel selection,
                             const GLOBAL word* tallies) {
  const GLOBAL word* stored = tallies + selection.cuts_at + 2 * digit;
  Cut cut;
  cut.prefix = digit == 0 ? 0 : stored[0];
  cut.wanted = digit > 0 ? stored[1] : total < selection.budget ? (word)total : (word)selection.budget;
  return cut;
}

// Each thread has eight bins, the first one the highest.
OCTAVO_INLINE integer highest_bin_of_thread() { return digit_bins - 1 - 8 * thread_x; }

OCTAVO_INLINE word count_in_bins(const GLOBAL word* bins) {
  word sum = 0;
#pragma unroll
  for (integer i = 0; i < 8; ++i) sum += bins[highest_bin_of_thread() - i];
  return sum;
}

// The thread in whose bins the wanted ones run out says where.
OCTAVO_INLINE void find_cut(const GLOBAL word* bins, const Cut before, word above, SHARED_POINTER word* cut) {
#pragma unroll
  for (integer i = 0; i < 8; ++i) {
    const word bin = (word)(highest_bin_of_thread() - i), count = bins[bin];
    if (above < before.wanted && before.wanted <= above + count) {
      cut[0] = before.prefix << 10 | bin;
      cut[1] = before.wanted - above;
    }
    above += count;
  }
}

// groups: any number. The keys that the digits before this one (1 or 2) leave undecided are counted by it.
KERNEL THREADS(256) void select_count_digit(const SelectionOfKernel selection, integer digit, GLOBAL word* tallies,
                                            const GLOBAL word* keys) {
  await_previous_kernel();
  SHARED word counts[256];
  SHARED word sixteens[16];
  SHARED word cut[2];
  const integer total = in_order(selection.keypoint_capacity, tallies);
  const GLOBAL word* known = bins_of(digit - 1, selection, tallies);
  counts[thread_x] = count_in_bins(known);
  if (thread_x < 2) cut[thread_x] = 0;  // stays so where there are no keypoints
  barrier_of_group();
  add_sixteens(counts, sixteens);
  barrier_of_group();
  find_cut(known, cut_before(digit - 1, total, selection, tallies), sum_before(counts, sixteens), cut);
  barrier_of_group();
  if (group_x == 0 && thread_x < 2) tallies[selection.cuts_at + 2 * digit + thread_x] = cut[thread_x];
  GLOBAL word* bins = bins_of(digit, selection, tallies);
  const word prefix = cut[0];
  for (integer i = group_x * 256 + thread_x; i < total; i += groups_x * 256) {
    const word key = keys[i];
    if (key >> bits_after(digit - 1) == prefix) add_global(bins + (key >> bits_after(digit) & 1023), 1);
  }
}

// groups: any number; each takes a span of keypoints. What the last digit decides is known to it; it counts those that
// stay before its span, and puts those of its span behind them.
KERNEL THREADS(256) void select_gather(const SelectionOfKernel selection, GLOBAL word* tallies, const GLOBAL word* keys,
                                       const GLOBAL Oriented* sorted, const GLOBAL Keypoint* points,
                                       GLOBAL Oriented* chosen, GLOBAL Keypoint* out) {
  await_previous_kernel();
  SHARED word counts[256];
  SHARED word sixteens[16];
  SHARED word cut[2];
  SHARED word before_span[2];  // keys above the last one that stays; keys equal to it
  const integer total = in_order(selection.keypoint_capacity, tallies);
  const GLOBAL word* known = bins_of(key_digits - 1, selection, tallies);
  counts[thread_x] = count_in_bins(known);
  if (thread_x < 2) cut[thread_x] = before_span[thread_x] = 0;
  barrier_of_group();
  add_sixteens(counts, sixteens);
  barrier_of_group();
  find_cut(known, cut_before(key_digits - 1, total, selection, tallies), sum_before(counts, sixteens), cut);
  barrier_of_group();
  const word last_key = cut[0], wanted = cut[1];
  const integer span = (total + 256 * groups_x - 1) / (256 * groups_x) * 256;
  const integer begin = group_x * span < total ? group_x * span : total;
  const integer end = begin + span < total ? begin + span : total;
  word above = 0, equal = 0;
#pragma unroll 8
  for (integer i = thread_x; i < begin; i += 256) {
    above += keys[i] > last_key ? 1 : 0;
    equal += keys[i] == last_key ? 1 : 0;
  }
  add_shared(&before_span[0], above);
  add_shared(&before_span[1], equal);
  barrier_of_group();
  above = before_span[0];
  equal = before_span[1];
  for (integer first = begin; first < end; first += 256) {
    const integer i = first + thread_x;
    const word key = i < end ? keys[i] : 0;
    const truth is_above = i < end && key > last_key, is_equal = i < end && key == last_key;
    counts[thread_x] = is_above ? 0x10000 : is_equal ? 1 : 0;
    barrier_of_group();
    add_sixteens(counts, sixteens);
    barrier_of_group();
    const word before = sum_before(counts, sixteens), all = sum_of_all(sixteens);
    const word above_here = above + (before >> 16), equal_here = equal + (before & 0xffff);
    const word place = above_here + (equal_here < wanted ? equal_here : wanted);
    if (is_above || (is_equal && equal_here < wanted)) {
      chosen[place] = sorted[i];
      out[place] = points[i];
    }
    above += all >> 16;
    equal += all & 0xffff;
    barrier_of_group();
  }
}
