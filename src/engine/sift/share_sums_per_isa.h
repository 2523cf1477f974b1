// How the eight shares of each pixel of a descriptor are added up. They are added as one block, for which the
// accumulators are laid out, instead of eight scattered integers. Neighbouring pixels mostly update the same
// accumulators, and an update would wait for the one before. So pixels of the first half of the window and of the
// second take turns, and pixels of either half are some columns apart. (Two sets of accumulators, used in turn, take
// longer to clear and to add up than they save.) Included inside the namespace of an instruction set, below its
// namespaces `vector` and `paired`, which have descriptor_maths.h.

// Sums of votes during the accumulation. A slot holds the eight sums that a pixel adds to, so that one addition of
// eight integers suffices: rows r and r + 1 of cells, in each the columns c and c + 1, in each the directions d and d +
// 1, at [r + 1][c + 1][d].
struct Slots {
  std::int32_t sum[5][5][8][8];

  // (The compiler would use an instruction that others wait for.)
  HWY_INLINE void clear() {
    const vector::IntTag d;
    std::int32_t* const first = sum[0][0][0];
    for (std::size_t i = 0; i < sizeof(sum) / sizeof(*first); i += vector::hn::Lanes(d)) {
      vector::hn::Store(vector::hn::Zero(d), d, first + i);
    }
  }
};

constexpr int block_lanes = std::min(vector_lanes, 4);  // of 128 bits
constexpr int blocks = vector_lanes / block_lanes;
constexpr int slot_shift = 5;  // of its bytes

// Adds eight integers to eight neighbouring ones, `offset` bytes from the first slot.
HWY_INLINE void add_eight(const std::int32_t* shares, Slots& slots, std::int32_t offset) {
  namespace hn = vector::hn;
  auto* const sums = reinterpret_cast<std::int32_t*>(reinterpret_cast<std::byte*>(&slots) + offset);
  const hn::CappedTag<std::int32_t, 8> d;
  for (std::size_t k = 0; k < 8; k += hn::Lanes(d)) {
    hn::Store(hn::Add(hn::Load(d, sums + k), hn::Load(d, shares + k)), d, sums + k);
  }
}

#if HWY_TARGET != HWY_SCALAR
// The lanes of four vectors, four at a time: out[k] has those of lane k of each block.
HWY_INLINE void transpose_blocks(vector::int_v v0, vector::int_v v1, vector::int_v v2, vector::int_v v3,
                                 vector::int_v* out) {
  using namespace vector;
  const IntTag d;
  const hn::Repartition<std::int64_t, IntTag> pairs;
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, v0, v1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, v2, v3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, v0, v1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, v2, v3));
  out[0] = hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23));
  out[1] = hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23));
  out[2] = hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23));
  out[3] = hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23));
}

// Stores the blocks of two vectors in turns: the first block of both, the second of both…
HWY_INLINE void store_blocks(vector::int_v row0, vector::int_v row1, std::int32_t* out) {
  using namespace vector;
  const IntTag d;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const __m512i lower = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0),
                upper = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
  hn::Store(int_v{_mm512_permutex2var_epi64(row0.raw, lower, row1.raw)}, d, out);
  hn::Store(int_v{_mm512_permutex2var_epi64(row0.raw, upper, row1.raw)}, d, out + vector_lanes);
#elif HWY_TARGET == HWY_AVX2
  hn::Store(hn::ConcatLowerLower(d, row1, row0), d, out);
  hn::Store(hn::ConcatUpperUpper(d, row1, row0), d, out + vector_lanes);
#else
  static_assert(blocks == 1);
  hn::Store(row0, d, out);
  hn::Store(row1, d, out + vector_lanes);
#endif
}
#endif

// The shares of a vector of pixels, eight of a pixel at a time: those of lane k of block b are at out + 8·(k·blocks +
// b).
HWY_INLINE void store_by_pixel(const vector::Shares& s, std::int32_t* out) {
#if HWY_TARGET == HWY_SCALAR
  const vector::int_v shares[] = {s.row0_column0_direction0, s.row0_column0_direction1, s.row0_column1_direction0,
                                  s.row0_column1_direction1, s.row1_column0_direction0, s.row1_column0_direction1,
                                  s.row1_column1_direction0, s.row1_column1_direction1};
  for (const vector::int_v& share : shares) *out++ = share.raw;
#else
  vector::int_v row0[block_lanes], row1[block_lanes];
  transpose_blocks(s.row0_column0_direction0, s.row0_column0_direction1, s.row0_column1_direction0,
                   s.row0_column1_direction1, row0);
  transpose_blocks(s.row1_column0_direction0, s.row1_column0_direction1, s.row1_column1_direction0,
                   s.row1_column1_direction1, row1);
  for (int k = 0; k < block_lanes; ++k) store_blocks(row0[k], row1[k], out + 8 * blocks * k);
#endif
}

// Adds sums of slots to sums of cells. Votes outside the 4×4 cells are dropped. The sums of two neighbouring directions
// are added as one number of 64 bits: shares are not negative and their sums fit 31 bits, so that none carries over.
inline void fold(const Slots& slots, DescriptorHistogram& histogram) {
  const auto sums_of = [&](int row, int column, int direction, int pair) {
    std::uint64_t sum;
    std::memcpy(&sum, &slots.sum[row][column][direction][2 * pair], sizeof(sum));
    return sum;
  };
  std::int32_t* out = histogram.data();
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column, out += 8) {
      // Here and in the next direction.
      std::int32_t both_sums[8][2];
      for (int d = 0; d < 8; ++d) {
        const std::uint64_t both = sums_of(row + 1, column + 1, d, 0) + sums_of(row + 1, column, d, 1) +
                                   sums_of(row, column + 1, d, 2) + sums_of(row, column, d, 3);
        std::memcpy(both_sums[d], &both, sizeof(both));
      }
      for (int d = 0; d < 8; ++d) out[d] = both_sums[d][0] + both_sums[(d + 7) % 8][1];
    }
  }
}

// Stores the shares of a vector of pixels and the places of their slots.
HWY_INLINE void store(const vector::Shares& s, vector::int_v slot, std::int32_t* shares, std::int32_t* offsets) {
  namespace hn = vector::hn;
  hn::Store(vector::shift_left(slot, slot_shift), vector::IntTag(), offsets);
  store_by_pixel(s, shares);
}

// Adds up the shares of packed pixels, behind which lie two vectors of pixels without weight. shares_of(i, j) are those
// of two vectors of pixels, from i and from j on. Meanwhile rows of the next window are fetched.
template <class SharesOf>
HWY_INLINE DescriptorHistogram sum_of_shares(int count, WindowPrefetch& next, const SharesOf& shares_of) {
  // Arithmetic on some pixels and scattering of those before alternate, so that the one fills the waits of the other.
  // (Scattering first takes an eighth longer, and so do four vectors at a time.)
  HWY_ALIGN Slots slots;
  slots.clear();
  HWY_ALIGN std::int32_t offsets[2][2][vector_lanes], shares[2][2][8 * vector_lanes];
  const int half = (count + 2 * vector_lanes - 1) / (2 * vector_lanes) * vector_lanes;
  const auto scatter = [&](int turn) HWY_ATTR {
    for (int k = 0; k < block_lanes; ++k) {
      for (int block = 0; block < blocks; ++block) {
        const int at = 8 * (k * blocks + block), lane = block_lanes * block + k;
        for (int h = 0; h < 2; ++h) add_eight(shares[turn][h] + at, slots, offsets[turn][h][lane]);
      }
    }
  };
  int turn = 0;
  for (int i = 0; i < half; i += vector_lanes, turn ^= 1) {
    next.fetch();
    const paired::Shares s = shares_of(i, half + i);
    const paired::int_v slot = paired::slot_of_shares(s, paired::splat(5.0f), paired::splat(8.0f));
    store({s.row.first, s.column.first, s.direction.first, s.row0_column0_direction0.first,
           s.row0_column0_direction1.first, s.row0_column1_direction0.first, s.row0_column1_direction1.first,
           s.row1_column0_direction0.first, s.row1_column0_direction1.first, s.row1_column1_direction0.first,
           s.row1_column1_direction1.first},
          slot.first, shares[turn][0], offsets[turn][0]);
    store({s.row.second, s.column.second, s.direction.second, s.row0_column0_direction0.second,
           s.row0_column0_direction1.second, s.row0_column1_direction0.second, s.row0_column1_direction1.second,
           s.row1_column0_direction0.second, s.row1_column0_direction1.second, s.row1_column1_direction0.second,
           s.row1_column1_direction1.second},
          slot.second, shares[turn][1], offsets[turn][1]);
    if (i > 0) scatter(turn ^ 1);
  }
  if (half > 0) scatter(turn ^ 1);
  DescriptorHistogram histogram;
  fold(slots, histogram);
  return histogram;
}
