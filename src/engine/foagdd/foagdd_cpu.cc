#include "engine/foagdd/foagdd_cpu.h"

#include <algorithm>
#include <deque>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/foagdd/foagdd_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two includes above must come first.
#include "engine/core/scratch.h"
#include "engine/device/stage_clock.h"
#include "engine/foagdd/foagdd_per_isa.h"
#include "engine/scale_space/source_per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

/// A row of the extended image from row y of the image.
void extend_row(const ImageView& image, const FoagddPlan& plan, int y, float* out) {
  float* const pixels = out + extended_margin;
  grey_row(image, plan.luma, y, 0, image.width, pixels, 255);
  if (plan.round_grey) {
    for (int x = 0; x < image.width; ++x) pixels[x] = scalar::round_to_float(pixels[x]);
  }
  for (int x = -extended_margin; x < 0; ++x) {
    const int from = extended_index(x, image.width);
    pixels[x] = from < 0 ? 0 : pixels[from];
  }
  for (int x = image.width; x < image.width + extended_margin; ++x) {
    const int from = extended_index(x, image.width);
    pixels[x] = from < 0 ? 0 : pixels[from];
  }
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(extend_row);
HWY_EXPORT(respond_row);
HWY_EXPORT(sum_products);
HWY_EXPORT(measure_row);
HWY_EXPORT(measure_pixel);
HWY_EXPORT(find_highest);

namespace {

constexpr int vector_room = 16;  // floats of the longest vector

std::size_t index(int i) { return static_cast<std::size_t>(i); }

int rounded_up(int value, int step) { return (value + step - 1) / step * step; }

}  // namespace

FoagddFilterOnImage::FoagddFilterOnImage(const FoagddFilter& f, std::ptrdiff_t stride) : filter(&f), taps() {
  for (const auto [down, right] : f.taps) taps.push_back({down * stride + right, down * stride - right});
}

FoagddMeasuresCpu::FoagddMeasuresCpu(const FoagddPlan& plan, Isa isa)
    : isa_(std::move(isa)), directions_(plan.directions), pairs_(plan.products()), disc_(plan.disc) {
  const int reach = plan.reach();
  depth_.resize(index(reach) + 1);
  first_.resize(index(reach) + 1);
  // Sums of this half width are kept until the disc is complete.
  for (int i = 0; i <= reach; ++i) depth_[index(disc_[index(i)])] = reach + i + 1;
  int rows = 0;
  for (int half = 1; half <= reach; ++half) {
    first_[index(half)] = rows;
    rows += depth_[index(half)] * pairs_;
  }
  const int columns = most_columns + 2 * reach + 2 * vector_room;
  responses_.resize(columns, directions_);
  products_.resize(columns, 1);
  rings_.resize(most_columns, rows);
  square_.resize(most_directions * plan.window * plan.window + vector_room, 1);
  disc_rows_.resize(index(pairs_) * index(plan.window));
}

std::size_t FoagddMeasuresCpu::bytes() const {
  return responses_.bytes() + products_.bytes() + rings_.bytes() + square_.bytes();
}

std::int32_t FoagddMeasuresCpu::run(const Plane& extended, const FoagddFilterOnImage& filter, int row, int column) {
  const int reach = static_cast<int>(disc_.size()) - 1;
  const float* const corner = extended.row(row - reach + extended_margin) + column - reach + extended_margin;
  return pick(HWY_DISPATCH_TABLE(measure_pixel), isa_)(corner, extended.stride(), filter, disc_.data(), reach,
                                                       responses_.row(0), responses_.stride(), square_.row(0));
}

const Plane& FoagddMeasuresCpu::respond(const Plane& extended, const FoagddFilterOnImage& filter, int row, int column,
                                        int count) {
  const float* const first = extended.row(row + extended_margin) + column + extended_margin;
  pick(HWY_DISPATCH_TABLE(respond_row), isa_)(first, filter, count, responses_.row(0), responses_.stride());
  return responses_;
}

float* FoagddMeasuresCpu::ring_row(int half, int pair, int row) {
  const int depth = depth_[index(half)];
  return rings_.row(first_[index(half)] + pair * depth + (row + extended_margin) % depth);
}

void FoagddMeasuresCpu::run(const Plane& extended, const FoagddFilterOnImage& filter, const FoagddRegion& region,
                            std::int32_t* keys, std::ptrdiff_t stride) {
  const auto respond = pick(HWY_DISPATCH_TABLE(respond_row), isa_);
  const auto sum = pick(HWY_DISPATCH_TABLE(sum_products), isa_);
  const int reach = static_cast<int>(disc_.size()) - 1, columns = region.column_end - region.column_begin;
  std::vector<float*> sums(disc_.size());
  for (int row = region.row_begin - reach; row < region.row_end + reach; ++row) {
    const float* first = extended.row(row + extended_margin) + region.column_begin - reach + extended_margin;
    respond(first, filter, columns + 2 * reach, responses_.row(0), responses_.stride());
    int pair = 0;
    for (int a = 0; a < directions_; ++a) {
      for (int b = a; b < directions_; ++b, ++pair) {
        for (int half = 1; half <= reach; ++half) {
          sums[index(half)] = depth_[index(half)] > 0 ? ring_row(half, pair, row) : nullptr;
        }
        sum(responses_.row(a), responses_.row(b), columns, reach, products_.row(0), sums.data());
      }
    }
    const int complete = row - reach;
    if (complete >= region.row_begin) measure(complete, columns, keys + (complete - region.row_begin) * stride);
  }
}

void FoagddMeasuresCpu::measure(int row, int columns, std::int32_t* keys) {
  const int reach = static_cast<int>(disc_.size()) - 1;
  auto next = disc_rows_.begin();
  for (int pair = 0; pair < pairs_; ++pair) {
    for (int i = reach; i >= 1; --i) {
      *next++ = ring_row(disc_[index(i)], pair, row - i);
      *next++ = ring_row(disc_[index(i)], pair, row + i);
    }
    *next++ = ring_row(disc_[0], pair, row);
  }
  pick(HWY_DISPATCH_TABLE(measure_row), isa_)(disc_rows_.data(), directions_, reach, columns, keys);
}

int key_stride_of(const FoagddRegion& region) {
  return rounded_up(region.column_end - region.column_begin, vector_room);
}

// Tiles are so high that the rows they share with their neighbours cost little, but there are enough of them for all
// threads.
void measure_in_tiles(CpuPool& pool, const std::function<FoagddMeasuresCpu&(int thread)>& measures_of,
                      const Plane& extended, const FoagddFilterOnImage& filter, const FoagddRegion& region,
                      std::int32_t* keys) {
  const int rows = region.row_end - region.row_begin, columns = region.column_end - region.column_begin;
  constexpr int width = FoagddMeasuresCpu::most_columns;
  const int across = (columns + width - 1) / width;
  const int height = std::clamp(rows * across / (4 * pool.threads()), 32, 128), down = (rows + height - 1) / height;
  const std::ptrdiff_t stride = key_stride_of(region);
  pool.parallel_for(across * down, [&](int i, int thread) {
    const int row = i / across * height, column = i % across * width;
    const FoagddRegion tile{region.row_begin + row, region.row_begin + std::min(row + height, rows),
                            region.column_begin + column, region.column_begin + std::min(column + width, columns)};
    measures_of(thread).run(extended, filter, tile, keys + row * stride + column, stride);
  });
}

namespace {

// The state of one thread.
struct Worker {
  Worker(const FoagddPlan& plan, const Isa& isa) : measures(plan, isa) {}
  FoagddMeasuresCpu measures;
  std::vector<std::int32_t> highest, columns;
};

class CpuEngine : public FoagddHostEngine {
 public:
  CpuEngine(const FoagddOptions& options, Isa isa, CpuPool pool)
      : plan_(plan_foagdd(options)), isa_(std::move(isa)), pool_(std::move(pool)) {}

  std::vector<FoagddPoint> corners(const ImageView& image, std::vector<StageTime>* times) override {
    StageClock clock(times);
    if (!has_corners(image.width, image.height)) return {};
    while (static_cast<int>(workers_.size()) < pool_.threads()) workers_.emplace_back(plan_, isa_);
    const FoagddRegion region = measured_region(image.width, image.height);
    pool_.stage("measures");
    extend(image);
    clock.lap("extension");
    measure(region);
    clock.lap("measures");
    pool_.stage("candidates");
    std::vector<FoagddPoint> candidates = find_candidates(region);
    clock.lap("candidates");
    pool_.stage("verification");
    keep_verified(candidates);
    clock.lap("verification");
    return candidates;
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, bool) const override {
    if (!has_corners(image.width, image.height)) return {};
    const FoagddRegion region = measured_region(image.width, image.height);
    const std::uint64_t planes =
        Plane::bytes_of(image.width + 2 * extended_margin, image.height + 2 * extended_margin) +
        index(region.row_end - region.row_begin) * index(key_stride_of(region)) * sizeof(std::int32_t);
    const std::uint64_t threads = static_cast<std::uint64_t>(pool_.threads());
    const std::uint64_t of_thread = FoagddMeasuresCpu(plan_, isa_).bytes() + scratch_of_thread;
    return {{planes, 0}, {planes + threads * of_thread, 0}};
  }

 private:
  Worker& worker(int i) { return workers_[index(i)]; }

  // Calls work(begin, end, worker) for chunks of [0, count).
  template <class Work>
  void in_chunks(int count, int chunk, const Work& work) {
    pool_.parallel_for((count + chunk - 1) / chunk, [&](int i, int worker_number) {
      work(i * chunk, std::min((i + 1) * chunk, count), worker(worker_number));
    });
  }

  void extend(const ImageView& image) {
    extended_.resize(image.width + 2 * extended_margin, image.height + 2 * extended_margin);
    const auto row_of = pick(HWY_DISPATCH_TABLE(extend_row), isa_);
    in_chunks(extended_.height(), 64, [&](int begin, int end, Worker&) {
      for (int y = begin; y < end; ++y) {
        const int from = extended_index(y - extended_margin, image.height);
        if (from < 0) {
          std::fill_n(extended_.row(y), extended_.width(), 0.0f);
        } else {
          row_of(image, plan_, from, extended_.row(y));
        }
      }
    });
    if (stride_of_filters_ == extended_.stride()) return;
    filters_.clear();
    for (const FoagddFilter& filter : plan_.scales) filters_.emplace_back(filter, extended_.stride());
    stride_of_filters_ = extended_.stride();
  }

  void measure(const FoagddRegion& region) {
    key_stride_ = key_stride_of(region);
    keys_.resize(index(region.row_end - region.row_begin) * index(key_stride_));
    measure_in_tiles(
        pool_, [this](int thread) -> FoagddMeasuresCpu& { return worker(thread).measures; }, extended_,
        filters_.front(), region, keys_.data());
  }

  std::int32_t* keys_of(int measured_row) { return keys_.data() + std::ptrdiff_t{measured_row} * key_stride_; }

  std::vector<FoagddPoint> find_candidates(const FoagddRegion& region) {
    const int rows = region.row_end - region.row_begin, columns = region.column_end - region.column_begin;
    constexpr int chunk = 16;
    const int inner = rows - 2 * suppression_reach;
    std::vector<std::vector<FoagddPoint>> found(index((inner + chunk - 1) / chunk));
    const auto find = pick(HWY_DISPATCH_TABLE(find_highest), isa_);
    in_chunks(inner, chunk, [&](int begin, int end, Worker& w) {
      w.highest.resize(index(columns));
      w.columns.resize(index(columns));
      for (int row = begin + suppression_reach; row < end + suppression_reach; ++row) {
        const std::int32_t* around[2 * suppression_reach + 1];
        for (int i = 0; i <= 2 * suppression_reach; ++i) around[i] = keys_of(row + i - suppression_reach);
        const int count = find(around, columns, plan_.threshold_key, w.highest.data(), w.columns.data());
        for (int i = 0; i < count; ++i) {
          const int column = w.columns[index(i)];
          found[index(begin / chunk)].push_back(
              {region.row_begin + row, region.column_begin + column, keys_of(row)[column]});
        }
      }
    });
    std::vector<FoagddPoint> all;
    for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
    return all;
  }

  void keep_verified(std::vector<FoagddPoint>& candidates) {
    if (filters_.size() < 2) return;
    stands_.assign(candidates.size(), 0);
    in_chunks(static_cast<int>(candidates.size()), 16, [&](int begin, int end, Worker& w) {
      for (int i = begin; i < end; ++i) {
        const FoagddPoint& p = candidates[index(i)];
        stands_[index(i)] = std::all_of(filters_.begin() + 1, filters_.end(), [&](const FoagddFilterOnImage& filter) {
          return w.measures.run(extended_, filter, p.row, p.column) > plan_.threshold_key;
        });
      }
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (stands_[i] != 0) candidates[kept++] = candidates[i];
    }
    candidates.resize(kept);
  }

  FoagddPlan plan_;
  Isa isa_;
  CpuPool pool_;
  std::deque<Worker> workers_;
  Plane extended_;
  std::vector<FoagddFilterOnImage> filters_;
  std::ptrdiff_t stride_of_filters_ = 0;
  std::vector<std::int32_t> keys_;  // of the measured region
  int key_stride_ = 0;
  // Bytes and not bits, since threads write neighbouring elements.
  std::vector<std::uint8_t> stands_;
};

}  // namespace

std::unique_ptr<FoagddEngine> make_foagdd_cpu(const FoagddOptions& options, Isa isa, CpuPool pool) {
  return std::make_unique<CpuEngine>(options, std::move(isa), std::move(pool));
}

}  // namespace octavo
#endif
