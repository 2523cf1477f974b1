// The budget on a GPU: the best N keypoints by rank (selection.h), which stay in canonical order. Ranks are floats that
// are not negative, so their bits have the order of integers. Every keypoint gets a key. The N greatest keys stay; of
// equal keys the first stay. The smallest key that stays is found digit by digit (radix select): keys are counted by
// their first digit, which gives the bin of the N-th key; the keys of that bin are counted by their second digit, and
// so on.
//
// With a grid the keys are made in the cells. Each cell first gets the same whole number of places, as many as the
// budget and the share allow. The keys of the keypoints in these places are above all others. The rest of the budget
// goes by rank: to the next keypoint of each cell, or to all other keypoints if the share is used up. The remaining
// keypoints have the smallest key.
// Included by sift_kernels.cl.h.

// The key of keypoints that stay in any case: above the keys of all floats.
OCTAVO_CONSTANT int certain_key = 0x7fffffff;

typedef CutRecord Cut;

// 1 and more. NaN, which an image on a device may cause, counts as infinity.
OCTAVO_INLINE uint key_of_rank(float rank) {
  const uint bits = (uint)float_bits_to_int(rank), infinity = 0x7f800000;
  return (bits < infinity ? bits : infinity) + 1;
}

OCTAVO_INLINE uint key_of(const Keypoint k, const SelectionOfKernel selection) {
  return key_of_rank(rank_of(selection.rank, k.response, k.scale));
}

OCTAVO_INLINE int cell_of(const GLOBAL Keypoint* k, const SelectionOfKernel selection) {
  const int row = part_of_side(k->y, selection.image_height, selection.grid);
  return row * selection.grid + part_of_side(k->x, selection.image_width, selection.grid);
}

// The digits of a key to the right of a digit.
OCTAVO_INLINE int bits_after(int digit) { return 20 - 10 * digit; }

OCTAVO_INLINE GLOBAL uint* bins_of(int digit, const SelectionOfKernel selection, GLOBAL uint* tallies) {
  return tallies + selection.bins_at + digit * digit_bins;
}

OCTAVO_INLINE void count_first_digit(uint key, const SelectionOfKernel selection, GLOBAL uint* tallies) {
  atomic_add_global(bins_of(0, selection, tallies) + (key >> bits_after(0)), 1);
}

// Makes the key of a keypoint if there is a budget and no grid. The bins begin all 0.
OCTAVO_INLINE void select_key(const Keypoint k, int i, const SelectionOfKernel selection, GLOBAL uint* tallies,
                              GLOBAL uint* keys) {
  if (selection.grid != 1) return;
  const uint key = key_of(k, selection);
  keys[i] = key;
  count_first_digit(key, selection, tallies);
}

// groups: any number. Counts the keypoints of each cell. The counts begin all 0.
KERNEL WORK_GROUP_SIZE(select_threads) void select_count_cells(const SelectionOfKernel selection, GLOBAL uint* tallies,
                                                               const GLOBAL Keypoint* points) {
  await_previous_kernel();
  const int total = in_order(selection.keypoint_capacity, tallies);
  for (int i = group_id_x * select_threads + local_id_x; i < total; i += num_groups_x * select_threads) {
    const int cell = cell_of(points + i, selection);
    atomic_add_global(tallies + selection.cells_at + cell, 1);
    atomic_add_global(tallies + selection.cell_rows_at + cell / selection.grid, 1);
  }
}

// Number of keypoints in the cells before this one.
OCTAVO_INLINE uint keypoints_before_cell(int cell, const SelectionOfKernel selection, const GLOBAL uint* tallies) {
  const int row = cell / selection.grid;
  const GLOBAL uint* rows = tallies + selection.cell_rows_at;
  const GLOBAL uint* cells = tallies + selection.cells_at;
  uint before = 0;
#pragma unroll 8
  for (int i = 0; i < row; ++i) before += rows[i];
#pragma unroll 8
  for (int i = row * selection.grid; i < cell; ++i) before += cells[i];
  return before;
}

// groups: any number. Appends the sort key of every keypoint to the list of its cell, in any order. Of two sort keys of
// a cell the smaller one comes first: it has the greater key, or the same key and the smaller number.
KERNEL WORK_GROUP_SIZE(select_threads) void select_list_cells(const SelectionOfKernel selection, GLOBAL uint* tallies,
                                                              const GLOBAL Keypoint* points,
                                                              GLOBAL int64_t* sort_keys) {
  await_previous_kernel();
  const int total = in_order(selection.keypoint_capacity, tallies);
  for (int i = group_id_x * select_threads + local_id_x; i < total; i += num_groups_x * select_threads) {
    const int cell = cell_of(points + i, selection);
    const uint slot = atomic_add_global(tallies + selection.cell_fill_at + cell, 1);
    const int64_t from_above = certain_key - (int)key_of(points[i], selection);
    sort_keys[keypoints_before_cell(cell, selection, tallies) + slot] = from_above << selection.index_bits | i;
  }
}

// The sum of 256 numbers, one for each thread, or of those before a thread, in two halves with a barrier between them:
// sums of sixteen, read from different banks, then the rest.
OCTAVO_INLINE void add_sixteens(const LOCAL_PTR uint* numbers, LOCAL_PTR uint* sixteens) {
  const LOCAL_PTR uint* own = numbers + 16 * (local_id_x & 15);
  uint sum = 0;
  for (int i = 0; i < 16; ++i) sum += own[(i + local_id_x) & 15];
  if (local_id_x < 16) sixteens[local_id_x] = sum;
}

OCTAVO_INLINE uint sum_before(const LOCAL_PTR uint* numbers, const LOCAL_PTR uint* sixteens) {
  const int own = local_id_x >> 4;
  uint sum = 0;
  for (int i = 0; i < 15; ++i) {
    sum += i < own ? sixteens[i] : 0;
    sum += i < (local_id_x & 15) ? numbers[16 * own + i] : 0;
  }
  return sum;
}

OCTAVO_INLINE uint sum_of_all(const LOCAL_PTR uint* sixteens) {
  uint sum = 0;
  for (int i = 0; i < 16; ++i) sum += sixteens[i];
  return sum;
}

// The keypoints of this thread that have places if every cell has at most `more`.
OCTAVO_INLINE uint places_of_thread(const GLOBAL uint* counts, int cells, uint more) {
  uint sum = 0;
  for (int i = local_id_x; i < cells; i += 256) sum += counts[i] < more ? counts[i] : more;
  return sum;
}

// Counts by their digit those of the `count` sort keys that begin with `next`.
OCTAVO_INLINE void count_sort_digit(const GLOBAL int64_t* sort_keys, uint count, int shift, int64_t next,
                                    LOCAL_PTR uint* bins) {
  for (uint i = local_id_x; i < count; i += 256) {
    const int64_t sort_key = sort_keys[i] >> shift;
    if (sort_key >> 8 == next) atomic_add_local(&bins[sort_key & 255], 1);
  }
}

// The keys of the `count` keypoints of a cell, whose first one without a place has the sort key `next`.
OCTAVO_INLINE void write_keys_of_cell(const GLOBAL int64_t* sort_keys, uint count, uint places, int64_t next,
                                      const SelectionOfKernel selection, GLOBAL uint* tallies, GLOBAL uint* keys) {
  for (uint i = local_id_x; i < count; i += 256) {
    const int64_t sort_key = sort_keys[i];
    const bool certain = count <= places || sort_key < next;
    const bool open = !certain && (sort_key == next || places == (uint)selection.share);
    const uint key = (uint)(certain_key - (int)(sort_key >> selection.index_bits));
    keys[sort_key & (((int64_t)1 << selection.index_bits) - 1)] = certain ? (uint)certain_key : open ? key : 0;
    if (open) count_first_digit(key, selection, tallies);
  }
}

// groups: cells. Makes the keys of the keypoints. Each group computes how many places every cell has, then finds the
// sort key of the first keypoint of its cell without a place, digit by digit.
KERNEL WORK_GROUP_SIZE(select_threads) void select_keys_in_cells(const SelectionOfKernel selection,
                                                                 GLOBAL uint* tallies, const GLOBAL int64_t* sort_keys,
                                                                 GLOBAL uint* keys) {
  await_previous_kernel();
  LOCAL uint taken[32];  // by all cells together, for each bit of `more`
  LOCAL uint bins[256];
  LOCAL uint sixteens[16];
  LOCAL uint cut[2];
  const int cells = selection.grid * selection.grid, cell = group_id_x;
  const GLOBAL uint* counts = tallies + selection.cells_at;
  if (local_id_x < 32) taken[local_id_x] = 0;
  if (local_id_x < 2) cut[local_id_x] = 0;
  local_barrier();
  // The greatest number of places for every cell that the share and the budget allow.
  uint places = 0;
  for (int bit = selection.share_bits - 1; bit >= 0; --bit) {
    const uint more = places + ((uint)1 << bit);
    atomic_add_local(&taken[bit], places_of_thread(counts, cells, more));
    local_barrier();
    places = more <= (uint)selection.share && taken[bit] <= (uint)selection.budget ? more : places;
  }
  const uint count = counts[cell];
  const GLOBAL int64_t* own = sort_keys + keypoints_before_cell(cell, selection, tallies);
  uint wanted = places + 1;
  // The sort key whose rank in the cell is `wanted`.
  int64_t next = 0;
  const int all_digits = (31 + selection.index_bits - 1) / 8 * 8;
  for (int shift = count > places ? all_digits : -1; shift >= 0; shift -= 8) {
    bins[local_id_x] = 0;
    local_barrier();
    count_sort_digit(own, count, shift, next, bins);
    local_barrier();
    add_sixteens(bins, sixteens);
    local_barrier();
    const uint before = sum_before(bins, sixteens);
    if (before < wanted && wanted <= before + bins[local_id_x]) {
      cut[0] = (uint)local_id_x;
      cut[1] = wanted - before;
    }
    local_barrier();
    next = next << 8 | cut[0];
    wanted = cut[1];
  }
  write_keys_of_cell(own, count, places, next, selection, tallies, keys);
  // Keypoints that cannot be chosen need not be counted: the budget is used up before them.
  if (local_id_x == 0) {
    atomic_add_global(bins_of(0, selection, tallies) + ((uint)certain_key >> bits_after(0)),
                      count < places ? count : places);
  }
}

OCTAVO_INLINE Cut cut_before(int digit, int total, const SelectionOfKernel selection, const GLOBAL uint* tallies) {
  const GLOBAL uint* stored = tallies + selection.cuts_at + 2 * digit;
  Cut cut;
  cut.prefix = digit == 0 ? 0 : stored[0];
  cut.wanted = digit > 0 ? stored[1] : total < selection.budget ? (uint)total : (uint)selection.budget;
  return cut;
}

// Each thread has eight bins; the first thread has the highest ones.
OCTAVO_INLINE int highest_bin_of_thread() { return digit_bins - 1 - 8 * local_id_x; }

OCTAVO_INLINE uint count_in_bins(const GLOBAL uint* bins) {
  uint sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) sum += bins[highest_bin_of_thread() - i];
  return sum;
}

// The thread whose bins contain the N-th key writes the cut: the prefix and the keys that remain to be chosen.
OCTAVO_INLINE void find_cut(const GLOBAL uint* bins, const Cut before, uint above, LOCAL_PTR uint* cut) {
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const uint bin = (uint)(highest_bin_of_thread() - i), count = bins[bin];
    if (above < before.wanted && before.wanted <= above + count) {
      cut[0] = before.prefix << 10 | bin;
      cut[1] = before.wanted - above;
    }
    above += count;
  }
}

// groups: any number. Counts by this digit (1 or 2) the keys that the digits before it leave undecided.
KERNEL WORK_GROUP_SIZE(select_threads) void select_count_digit(const SelectionOfKernel selection, int digit,
                                                               GLOBAL uint* tallies, const GLOBAL uint* keys) {
  await_previous_kernel();
  LOCAL uint counts[256];
  LOCAL uint sixteens[16];
  LOCAL uint cut[2];
  const int total = in_order(selection.keypoint_capacity, tallies);
  const GLOBAL uint* known = bins_of(digit - 1, selection, tallies);
  counts[local_id_x] = count_in_bins(known);
  if (local_id_x < 2) cut[local_id_x] = 0;  // stays 0 if there are no keypoints
  local_barrier();
  add_sixteens(counts, sixteens);
  local_barrier();
  find_cut(known, cut_before(digit - 1, total, selection, tallies), sum_before(counts, sixteens), cut);
  local_barrier();
  if (group_id_x == 0 && local_id_x < 2) tallies[selection.cuts_at + 2 * digit + local_id_x] = cut[local_id_x];
  GLOBAL uint* bins = bins_of(digit, selection, tallies);
  const uint prefix = cut[0];
  for (int i = group_id_x * select_threads + local_id_x; i < total; i += num_groups_x * select_threads) {
    const uint key = keys[i];
    if (key >> bits_after(digit - 1) == prefix) atomic_add_global(bins + (key >> bits_after(digit) & 1023), 1);
  }
}

// Adds the keys of this thread before `begin` that are above the last one that stays, and those that equal it. Sixteen
// keys are read at once: a loop of single ones would wait for each.
OCTAVO_INLINE void count_before(const GLOBAL uint* keys, int begin, uint last_key, LOCAL_PTR uint* before_span) {
  uint above = 0, equal = 0;
  for (int first = local_id_x; first < begin; first += 16 * 256) {
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      const int i = first + 256 * j;
      const uint key = i < begin ? keys[i] : 0;
      above += key > last_key ? 1 : 0;
      equal += i < begin && key == last_key ? 1 : 0;
    }
  }
  atomic_add_local(&before_span[0], above);
  atomic_add_local(&before_span[1], equal);
}

// groups: any number; each takes a span of keypoints. A group evaluates the last digit, counts the keypoints that stay
// before its span, and writes those of its span behind them.
KERNEL WORK_GROUP_SIZE(select_threads) void select_gather(const SelectionOfKernel selection, GLOBAL uint* tallies,
                                                          const GLOBAL uint* keys, const GLOBAL int* order,
                                                          const GLOBAL Keypoint* points, GLOBAL int* chosen,
                                                          GLOBAL Keypoint* out) {
  await_previous_kernel();
  LOCAL uint counts[256];
  LOCAL uint sixteens[16];
  LOCAL uint cut[2];
  LOCAL uint before_span[2];  // keys above the last one that stays; keys equal to it
  const int total = in_order(selection.keypoint_capacity, tallies);
  const GLOBAL uint* known = bins_of(key_digits - 1, selection, tallies);
  counts[local_id_x] = count_in_bins(known);
  if (local_id_x < 2) cut[local_id_x] = before_span[local_id_x] = 0;
  local_barrier();
  add_sixteens(counts, sixteens);
  local_barrier();
  find_cut(known, cut_before(key_digits - 1, total, selection, tallies), sum_before(counts, sixteens), cut);
  local_barrier();
  const uint last_key = cut[0], wanted = cut[1];
  const int span = (total + 256 * num_groups_x - 1) / (256 * num_groups_x) * 256;
  const int begin = group_id_x * span < total ? group_id_x * span : total;
  const int end = begin + span < total ? begin + span : total;
  count_before(keys, begin, last_key, before_span);
  local_barrier();
  uint above = before_span[0], equal = before_span[1];
  for (int first = begin; first < end; first += 256) {
    const int i = first + local_id_x;
    const uint key = i < end ? keys[i] : 0;
    const bool is_above = i < end && key > last_key, is_equal = i < end && key == last_key;
    counts[local_id_x] = is_above ? 0x10000 : is_equal ? 1 : 0;
    local_barrier();
    add_sixteens(counts, sixteens);
    local_barrier();
    const uint before = sum_before(counts, sixteens), all = sum_of_all(sixteens);
    const uint above_here = above + (before >> 16), equal_here = equal + (before & 0xffff);
    const uint place = above_here + (equal_here < wanted ? equal_here : wanted);
    if (is_above || (is_equal && equal_here < wanted)) {
      chosen[place] = order[i];
      out[place] = points[i];
    }
    above += all >> 16;
    equal += all & 0xffff;
    local_barrier();
  }
}
