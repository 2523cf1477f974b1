#include "engine/scale_space/octave_cpu.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include <hwy/cache_control.h>

#include "engine/device/cpu_pool.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/scale_space/octave_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two includes above must come first.
#include "engine/scale_space/blur_per_isa.h"
#include "engine/scale_space/source_per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

// A multiple of most_blurred_rows; the more, the fewer rows of the step before are fetched again.
constexpr int rows_per_step = 24;
constexpr int column_unit = 16;  // rings start and end on these, so that vectors of every width are whole

inline int unit_below(int x) { return x / column_unit * column_unit; }
inline int unit_above(int x) { return (x + column_unit - 1) / column_unit * column_unit; }

// out[x] = in[2x] for x in [x_begin, x_end).
inline void every_second(const float* in, int x_begin, int x_end, float* out) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = x_begin;
  for (; x + lanes <= x_end; x += lanes) {
    float_v even, odd;
    hn::LoadInterleaved2(d, in + 2 * x, even, odd);
    hn::StoreU(even, d, out + x);
  }
  for (; x < x_end; ++x) out[x] = in[2 * x];
}

// One stage of the stream: the source rows, or one Gaussian level, blurred from the stage before.
struct Station {
  const Taps* taps = nullptr;  // from the stage before; null for the first
  Tile range;                  // the pixels it must produce
  // Number of rows by which it follows the first stage: the sum of the radii up to here.
  int lag = 0;
  LevelRows rows;
  // The buffer of its rows. Null if the rows are in a plane that exists already.
  float* ring = nullptr;
};

class TileStream {
 public:
  TileStream(const OctaveJob& job, const Tile& tile) : job_(job), tile_(tile) { lay_out_stations(); }

  // The size of the plane that holds the rings.
  [[nodiscard]] Size memory_size() const {
    int rows = rows_per_step + 2 + 1;  // column_sums_, doubled_, grey_
    for (const Station& s : stations_) rows += s.rows.slots;
    return {unit_above(stations_[0].range.x_end) - x_origin_ + 2 * unit_above(widest_) + column_unit, rows};
  }

  void run(Plane& memory, TileSink* sink) {
    lay_out_memory(memory);
    const int first_level = job_.image ? 1 : 0;
    std::vector<LevelRows> levels;
    for (std::size_t i = first_level; i < stations_.size(); ++i) levels.push_back(stations_[i].rows);

    const Station& last = stations_.back();
    int reported = tile_.y_begin;
    for (int front = stations_[0].range.y_begin; reported < tile_.y_end; front += rows_per_step) {
      CpuPool::tell_again();  // the page faults of new planes alone take seconds
      produce_source(front);
      for (std::size_t i = 0; i < stations_.size(); ++i) {
        const Station& s = stations_[i];
        const int begin = std::max(front - s.lag, s.range.y_begin);
        const int end = std::min(front - s.lag + rows_per_step, s.range.y_end);
        if (begin >= end) continue;
        if (i > 0) blur(stations_[i - 1], s, begin, end, copied_plane(i));
        deliver(i, begin, end);
      }
      const int ready = std::min(front - last.lag + rows_per_step - last_reach(), tile_.y_end);
      if (ready > reported) {
        if (sink) sink->rows_ready(levels, reported, ready);
        reported = ready;
      }
    }
  }

 private:
  // From the last stage backwards: each stage must produce the pixels that the next one's filter reads.
  void lay_out_stations() {
    const ScaleSpacePlan& plan = *job_.plan;
    stations_.resize(plan.step.size() + 1 + (job_.image ? 1 : 0));
    std::size_t i = stations_.size();
    for (std::size_t step = plan.step.size(); step-- > 0;) stations_[--i].taps = &plan.step[step];
    if (job_.image) stations_[--i].taps = &plan.base;

    int reach = last_reach();
    for (i = stations_.size(); i-- > 0;) {
      stations_[i].range = {std::max(tile_.x_begin - reach, 0), std::min(tile_.x_end + reach, job_.size.width),
                            std::max(tile_.y_begin - reach, 0), std::min(tile_.y_end + reach, job_.size.height)};
      if (i > 0) reach += stations_[i].taps->radius();
    }
    for (i = 1; i < stations_.size(); ++i) {
      stations_[i].lag = stations_[i - 1].lag + stations_[i].taps->radius();
      widest_ = std::max(widest_, stations_[i].taps->radius());
    }
    if (job_.image && job_.plan->doubled) {  // the source has pairs of columns
      stations_[0].range.x_begin &= ~1;
      stations_[0].range.x_end += stations_[0].range.x_end & 1;
    }
    x_origin_ = unit_below(stations_[0].range.x_begin);
    const int total_lag = stations_.back().lag;
    for (i = 0; i < stations_.size(); ++i) {
      const int for_next = i + 1 < stations_.size() ? 2 * stations_[i + 1].taps->radius() : 0;
      const int for_sink =
          total_lag - stations_[i].lag + last_reach() + (i + 1 < stations_.size() ? job_.reach : last_reach());
      stations_[i].rows.slots = std::max(for_sink, for_next) + rows_per_step;
    }
  }

  void lay_out_memory(Plane& memory) {
    const Size size = memory_size();
    memory.resize(size.width, size.height);
    const int side = unit_above(widest_);
    const std::ptrdiff_t stride = memory.stride();
    int next = 0;
    for (std::size_t i = 0; i < stations_.size(); ++i) {
      Station& s = stations_[i];
      if (i == 0 && job_.first) {
        s.rows = {job_.first->row(0), job_.first->stride(), job_.first->height()};
        continue;
      }
      // Nothing else writes to this plane, so it can be the ring.
      if (Plane* plane = kept_plane(i); plane && whole_octave()) {
        s.ring = plane->row(0);
        s.rows = {s.ring, plane->stride(), plane->height()};
        continue;
      }
      s.ring = memory.row(next) + side - x_origin_;
      s.rows = {s.ring, stride, s.rows.slots};
      next += s.rows.slots;
    }
    for (float*& column_sums : column_sums_) column_sums = memory.row(next++) + side - x_origin_;
    for (float*& row : doubled_) row = memory.row(next++) + side - x_origin_;
    grey_ = memory.row(next);
  }

  [[nodiscard]] int last_reach() const { return std::max(job_.reach, job_.last_reach); }

  [[nodiscard]] bool whole_octave() const {
    return tile_.x_begin == 0 && tile_.x_end == job_.size.width && tile_.y_begin == 0 &&
           tile_.y_end == job_.size.height;
  }

  // The plane that keeps the rows of a stage; null if there is none.
  [[nodiscard]] Plane* kept_plane(std::size_t station) const {
    const std::size_t before_first_level = job_.image ? 1 : 0;
    return station < before_first_level || job_.keep.empty() ? nullptr : job_.keep[station - before_first_level];
  }

  float* writable(const Station& s, int y) const { return s.ring + (y % s.rows.slots) * s.rows.stride; }

  // Rows [front, front + rows_per_step) of the image; none if the input is a plane.
  void produce_source(int front) {
    if (!job_.image) return;
    const Station& s = stations_[0];
    for (int y = front; y < std::min(front + rows_per_step, s.range.y_end); ++y) {
      float* out = writable(s, y) + s.range.x_begin;
      if (!job_.plan->doubled) {
        grey_row(*job_.image, job_.luma, y, s.range.x_begin, s.range.x_end, out);
        continue;
      }
      const int count = s.range.x_end - s.range.x_begin;
      const float* row = doubled_image_row(y / 2);
      if (y % 2 == 0) {
        std::memcpy(out, row, sizeof(float) * count);
      } else {
        halfway_between(row, doubled_image_row(std::min(y / 2 + 1, job_.image->height - 1)), count, out);
      }
    }
  }

  // Row y of the image doubled along the row. The last two rows are kept.
  const float* doubled_image_row(int y) {
    const Tile& range = stations_[0].range;
    float* row = doubled_[y % 2] + range.x_begin;
    if (doubled_row_in_[y % 2] != y) {
      doubled_row(*job_.image, job_.luma, y, range.x_begin, range.x_end, grey_, row);
      doubled_row_in_[y % 2] = y;
    }
    return row;
  }

  // Rows [begin, end) of `to`, at most rows_per_step. The blur along columns works in blocks so narrow that the rows
  // they read stay in the first-level cache from one group of output rows to the next.
  void blur(const Station& from, const Station& to, int begin, int end, Plane* kept) {
    const int radius = to.taps->radius();
    const float* weight = to.taps->weight.data();
    const int width = job_.size.width;
    const int rows =
        // Rows are blurred in groups; those of the last group that lie beyond `end` are not used.
        (end - begin + most_blurred_rows - 1) / most_blurred_rows * most_blurred_rows + 2 * radius;
    taps_rows_.resize(static_cast<std::size_t>(rows));
    for (int k = 0; k < rows; ++k) {
      const int y = std::min(begin - radius + k, end - 1 + radius);
      taps_rows_[static_cast<std::size_t>(k)] = from.rows.row(pixel_read_at(y, job_.size.height, to.taps->border));
    }
    const int left = to.range.x_begin - radius, right = to.range.x_end + radius;
    const int x_end = std::min(right, width);
    constexpr int block = 128;
    for (int x = unit_below(std::max(left, 0)); x < x_end; x += block) {
      blur_rows(taps_rows_.data(), end - begin, weight, radius, x, std::min(x + block, x_end), column_sums_);
    }
    for (int y = begin; y < end; ++y) {
      float* sums = column_sums_[y - begin];
      for (int x = left; x < 0; ++x) sums[x] = sums[pixel_read_at(x, width, to.taps->border)];
      for (int x = width; x < right; ++x) sums[x] = sums[pixel_read_at(x, width, to.taps->border)];
      const auto along = [&](int x_first, int x_last, float* copy) {
        if (x_first < x_last) blur_along_row(sums, weight, radius, x_first, x_last, writable(to, y), copy);
      };
      const int x_first = unit_below(to.range.x_begin);
      if (!kept || y < tile_.y_begin || y >= tile_.y_end) {
        along(x_first, to.range.x_end, nullptr);
        continue;
      }
      along(x_first, tile_.x_begin, nullptr);
      along(tile_.x_begin, tile_.x_end, kept->row(y));
      along(tile_.x_end, to.range.x_end, nullptr);
    }
  }

  // The plane to which the rows of a stage are copied; null if there is none, or if its rows are made there.
  [[nodiscard]] Plane* copied_plane(std::size_t station) const {
    return whole_octave() && stations_[station].ring ? nullptr : kept_plane(station);
  }

  // Copies the rows to the planes that outlive the tile, but for those that blurs have copied.
  void deliver(std::size_t station, int begin, int end) {
    const Station& s = stations_[station];
    Plane* keep = station == 0 ? copied_plane(station) : nullptr;
    Plane* half =
        job_.half && s.taps == &job_.plan->step[static_cast<std::size_t>(job_.plan->halved) - 1] ? job_.half : nullptr;
    if (!keep && !half) return;
    for (int y = std::max(begin, tile_.y_begin); y < std::min(end, tile_.y_end); ++y) {
      const float* row = s.rows.row(y);
      if (keep) copy_columns(row, tile_.x_begin, tile_.x_end, keep->row(y));
      if (half && y % 2 == 0 && y / 2 < half->height()) {
        every_second(row, tile_.x_begin / 2, std::min((tile_.x_end + 1) / 2, half->width()), half->row(y / 2));
      }
    }
  }

  const OctaveJob& job_;
  const Tile tile_;
  std::vector<Station> stations_;
  int widest_ = 0;                          // the largest radius
  int x_origin_ = 0;                        // column of the octave at the start of the rings
  float* column_sums_[rows_per_step] = {};  // rows blurred down the columns; [x] is column x
  float* doubled_[2] = {};                  // rows of the image, doubled along the row
  int doubled_row_in_[2] = {-1, -1};
  float* grey_ = nullptr;
  std::vector<const float*> taps_rows_;
};

void run_tile(const OctaveJob& job, const Tile& tile, Plane& memory, TileSink* sink) {
  TileStream(job, tile).run(memory, sink);
  hwy::FlushStream();  // other threads read the planes
}

Size memory_of_tile(const OctaveJob& job, const Tile& tile) { return TileStream(job, tile).memory_size(); }

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(run_tile);
HWY_EXPORT(memory_of_tile);

void OctaveCpu::run(const OctaveJob& job, const Tile& tile, TileSink* sink) {
  pick(HWY_DISPATCH_TABLE(run_tile), isa_)(job, tile, rings_, sink);
}

std::size_t OctaveCpu::bytes_for(const OctaveJob& job, const Tile& tile) const {
  const Size size = pick(HWY_DISPATCH_TABLE(memory_of_tile), isa_)(job, tile);
  return Plane::bytes_of(size.width, size.height);
}

std::vector<Tile> cut_into_tiles(Size octave, int threads) {
  // Narrow tiles keep their rings in a nearer cache. With 1 MiB of second-level cache 2048 measured faster than 1024
  // and 1408, and as fast as 4096.
  constexpr int widest = 2048, shortest = 64, unit = 16;
  constexpr int repeated = 53;  // pixels of a neighbour that a tile makes too, on average
  const auto parts = [](int length, int part) { return (length + part - 1) / part; };
  const auto made = [&](int length, int count) {
    return std::min(parts(length, count) + std::min(count - 1, 2) * repeated, length);
  };
  // The cut whose last thread ends first; of equal ones that of fewest tiles.
  const int fewest = parts(octave.width, widest), most = std::max(fewest, 2 * threads);
  int columns = fewest, bands = 1;
  const auto pixels_of = [&](int across, int down) {
    return std::int64_t{parts(across * down, threads)} * made(octave.width, across) * made(octave.height, down);
  };
  for (int across = fewest; across <= std::max(fewest, octave.width / shortest); ++across) {
    for (int down = 1; down <= std::max(1, octave.height / shortest) && across * down <= most; ++down) {
      if (std::pair(pixels_of(across, down), across * down) < std::pair(pixels_of(columns, bands), columns * bands)) {
        columns = across;
        bands = down;
      }
    }
  }
  const int width = parts(parts(octave.width, columns), unit) * unit;
  const int height = parts(octave.height, bands);
  std::vector<Tile> tiles;
  for (int y = 0; y < octave.height; y += height) {
    for (int x = 0; x < octave.width; x += width) {
      tiles.push_back({x, std::min(x + width, octave.width), y, std::min(y + height, octave.height)});
    }
  }
  return tiles;
}

}  // namespace octavo
#endif
