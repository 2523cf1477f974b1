// How the eight shares of each pixel of a descriptor are added up. They are added as one block, for which the
// accumulators are laid out, instead of eight scattered integers. Two sets of accumulators are used in turn, since
// neighbouring pixels mostly update the same accumulators and would wait for each other. Included inside the namespace
// of an instruction set, below its namespaces `vector` and `paired`, which have descriptor_maths.h.
//
// Tried without gain: the eight shares of a pixel as one vector in memory, with slots as offsets.

// Sums of votes during the accumulation. A slot holds the eight sums that a pixel adds to, so that one addition of
// eight integers suffices: rows r and r + 1 of cells, in each the columns c and c + 1, in each the directions d and d +
// 1, at [r + 1][c + 1][d].
struct Slots {
  std::int32_t sum[5][5][8][8] = {};
};

// Adds four and four integers to eight neighbouring ones.
HWY_INLINE void add_eight(const std::int32_t* row0, const std::int32_t* row1, std::int32_t* sums) {
  namespace hn = vector::hn;
  const hn::CappedTag<std::int32_t, 4> half;
#if HWY_MAX_BYTES >= 32
  const hn::CappedTag<std::int32_t, 8> d;
  hn::Store(hn::Add(hn::Load(d, sums), hn::Combine(d, hn::Load(half, row1), hn::Load(half, row0))), d, sums);
#else
  for (std::size_t k = 0; k < 4; k += hn::Lanes(half)) {
    hn::Store(hn::Add(hn::Load(half, sums + k), hn::Load(half, row0 + k)), half, sums + k);
    hn::Store(hn::Add(hn::Load(half, sums + 4 + k), hn::Load(half, row1 + k)), half, sums + 4 + k);
  }
#endif
}

constexpr int block_lanes = std::min(vector_lanes, 4);  // of 128 bits
constexpr int blocks = vector_lanes / block_lanes;

// The lanes of four vectors, four at a time: those of lane k of block b are at out + 4·(k·blocks + b). This order needs
// no operation across blocks.
HWY_INLINE void store_by_lane(vector::int_v v0, vector::int_v v1, vector::int_v v2, vector::int_v v3,
                              std::int32_t* out) {
  using namespace vector;
  const IntTag d;
#if HWY_TARGET == HWY_SCALAR
  hn::StoreInterleaved4(v0, v1, v2, v3, d, out);
#else
  const hn::Repartition<std::int64_t, IntTag> pairs;
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, v0, v1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, v2, v3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, v0, v1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, v2, v3));
  hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, out);
  hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, out + vector_lanes);
  hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, out + 2 * vector_lanes);
  hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, out + 3 * vector_lanes);
#endif
}

// Adds sums of slots to sums of cells. Votes outside the 4×4 cells are dropped. The sums of two neighbouring directions
// are added as one number of 64 bits: shares are not negative and their sums fit 31 bits, so that none carries over.
inline void fold(const Slots& even, const Slots& odd, DescriptorHistogram& histogram) {
  const auto sums_of = [&](int row, int column, int direction, int pair) {
    std::uint64_t a, b;
    std::memcpy(&a, &even.sum[row][column][direction][2 * pair], sizeof(a));
    std::memcpy(&b, &odd.sum[row][column][direction][2 * pair], sizeof(b));
    return a + b;
  };
  std::int32_t* out = histogram.data();
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column, out += 8) {
      // Here and in the next direction.
      std::int32_t sums[8][2];
      for (int d = 0; d < 8; ++d) {
        const std::uint64_t both = sums_of(row + 1, column + 1, d, 0) + sums_of(row + 1, column, d, 1) +
                                   sums_of(row, column + 1, d, 2) + sums_of(row, column, d, 3);
        std::memcpy(sums[d], &both, sizeof(both));
      }
      for (int d = 0; d < 8; ++d) out[d] = sums[d][0] + sums[(d + 7) % 8][1];
    }
  }
}

// Adds up the shares of packed pixels. shares_of(i) are those of the two vectors of pixels from i on.
template <class SharesOf>
HWY_INLINE DescriptorHistogram sum_of_shares(int count, const SharesOf& shares_of) {
  // Arithmetic and scattering alternate, several vectors at a time. Interleaved, each would wait for the other.
  constexpr int batch = 4 * paired::lanes;
  HWY_ALIGN Slots slots[2];
  HWY_ALIGN std::int32_t slot[batch], row0[4 * batch], row1[4 * batch];
  for (int begin = 0; begin < count; begin += batch) {
    const int n = std::min(batch, count - begin);
    for (int i = 0; i < n; i += paired::lanes) {
      const paired::Shares s = shares_of(begin + i);
      paired::store(paired::slot_of_shares(s, paired::splat(5.0f), paired::splat(8.0f)), slot + i);
      store_by_lane(s.row0_column0_direction0.first, s.row0_column0_direction1.first, s.row0_column1_direction0.first,
                    s.row0_column1_direction1.first, row0 + 4 * i);
      store_by_lane(s.row1_column0_direction0.first, s.row1_column0_direction1.first, s.row1_column1_direction0.first,
                    s.row1_column1_direction1.first, row1 + 4 * i);
      store_by_lane(s.row0_column0_direction0.second, s.row0_column0_direction1.second,
                    s.row0_column1_direction0.second, s.row0_column1_direction1.second, row0 + 4 * (i + vector_lanes));
      store_by_lane(s.row1_column0_direction0.second, s.row1_column0_direction1.second,
                    s.row1_column1_direction0.second, s.row1_column1_direction1.second, row1 + 4 * (i + vector_lanes));
    }
    // Pixels beyond the last add 0.
    for (int i = 0; i < n; i += vector_lanes) {
      for (int k = 0; k < block_lanes; ++k) {
        for (int block = 0; block < blocks; ++block) {
          const int at = 4 * (i + k * blocks + block);
          add_eight(row0 + at, row1 + at,
                    slots[(k * blocks + block) % 2].sum[0][0][0] + 8 * slot[i + block_lanes * block + k]);
        }
      }
    }
  }
  DescriptorHistogram histogram;
  fold(slots[0], slots[1], histogram);
  return histogram;
}
