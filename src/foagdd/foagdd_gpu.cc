// The host's half of foagdd_kernels.cl.h.

#include "foagdd/foagdd_gpu.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "device/gpu_room.h"
#include "maths/scalar.h"
#include "octavo/error.h"
#include "scale_space/grey.h"

namespace octavo {

const KernelModule& foagdd_kernels();

namespace {

using maths::wide;

// The list begins with the number of candidates, in so many bytes.
constexpr std::size_t list_head = sizeof(FoagddCandidate);

// Of images of which nothing is known, about.
constexpr std::size_t pixels_per_candidate = 300, least_capacity = 16384;

// Images have a few candidates more or less.
constexpr std::size_t staging_step = std::size_t{64} << 10;

constexpr int respond_side = 32, measure_side = 32, measure_height = 16;  // as in foagdd_kernels.cl.h

constexpr unsigned pieces(int whole, int piece) { return static_cast<unsigned>((whole + piece - 1) / piece); }
constexpr int rounded_up(int value, int step) { return (value + step - 1) / step * step; }

std::size_t floats(int stride, int rows) {
  return static_cast<std::size_t>(stride) * static_cast<std::size_t>(rows) * sizeof(float);
}

std::size_t list_bytes(std::size_t candidates) { return list_head + candidates * sizeof(FoagddCandidate); }

}  // namespace

FoagddGpu::FoagddGpu(const FoagddOptions& options, std::shared_ptr<Gpu> gpu)
    : plan_(plan_foagdd(options)), gpu_(std::move(gpu)), image_(gpu_), mask_(gpu_), queue_(gpu_->queue()) {
  const bool fixed = plan_.directions == 8;
  fixed_window_ = fixed && plan_.window == 7;
  const auto kernel = [&](const char* name) { return gpu_->kernel(foagdd_kernels(), name); };
  extend_ = kernel("extend");
  respond_ = kernel(fixed ? "respond_8" : "respond_any");
  measure_ = kernel(fixed_window_ ? "measure_8" : "measure_any");
  find_ = kernel("find");
  verify_ = kernel(fixed ? "verify_8" : "verify_any");
  for (const FoagddFilter& filter : plan_.scales) filters_.push_back(upload_filter(filter));
  queue_->wait();
}

FoagddGpu::FilterOnGpu FoagddGpu::upload_filter(const FoagddFilter& f) {
  FilterOnGpu filter{{f.directions, f.radius, f.below, f.aside, static_cast<int>(f.taps.size())}, {}, {}};
  const std::size_t tap_bytes = f.taps.size() * sizeof(FoagddTap), weight_bytes = f.weights.size() * sizeof(float);
  filter.taps = gpu_->allocate(tap_bytes);
  filter.weights = gpu_->allocate(weight_bytes);
  queue_->upload(*filter.taps, 0, f.taps.data(), tap_bytes);
  queue_->upload(*filter.weights, 0, f.weights.data(), weight_bytes);
  return filter;
}

void FoagddGpu::prepare(const ImageView& image, bool masked) {
  width_ = image.width;
  height_ = image.height;
  channels_ = image.channels;
  type_ = image.type;
  masked_ = masked;
  rows_ = columns_ = 0;
  if (!has_corners(width_, height_)) return;
  const FoagddRegion region = measured_region(width_, height_);
  rows_ = region.row_end - region.row_begin;
  columns_ = region.column_end - region.column_begin;
  extended_stride_ = rounded_up(width_ + 2 * extended_margin, 32);
  response_stride_ = rounded_up(columns_ + 2 * plan_.reach(), 32) + 64;  // groups read whole tiles
  key_stride_ = rounded_up(columns_, 32);
  planes_ = static_cast<wide>(response_stride_) * (rows_ + 2 * plan_.reach());
  image_.prepare(image);
  if (masked) mask_.prepare({nullptr, width_, height_, 1, PixelType::u8, width_});
  make_room(*gpu_, extended_, floats(extended_stride_, height_ + 2 * extended_margin));
  make_cleared_room(*gpu_, *queue_, responses_,
                    static_cast<std::size_t>(planes_) * sizeof(float) * static_cast<std::size_t>(plan_.directions));
  make_room(*gpu_, keys_, floats(key_stride_, rows_));
  likely_ = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) / pixels_per_candidate + 64;
  make_list(std::max(likely_, least_capacity));
}

void FoagddGpu::make_list(std::size_t candidates) {
  if (list_ && capacity_ >= candidates) return;
  make_room(*gpu_, list_, list_bytes(candidates));
  capacity_ = candidates;
  queue_->clear(*list_, 0, list_bytes(candidates));  // more may be downloaded than there is
}

void FoagddGpu::release() {
  try {
    queue_->wait();         // nothing may still use what is freed
  } catch (const Error&) {  // its failure is known already: it is why we are here
  }
  image_.release();
  mask_.release();
  for (auto* buffer : {&extended_, &responses_, &keys_, &list_}) buffer->reset();
  fetched_.reset();
  capacity_ = 0;
}

void FoagddGpu::enqueue_work(const std::function<void(std::string_view)>& done) {
  enqueue_measures(done);
  enqueue_candidates(done);
}

void FoagddGpu::enqueue_measures(const Done& done) {
  const int width = width_ + 2 * extended_margin, height = height_ + 2 * extended_margin;
  const LumaWeights w = luma_weights(plan_.luma, type_, 255);
  queue_->launch(*extend_, {{pieces(width, 256), static_cast<unsigned>(height), 1}, {256, 1, 1}, true}, image_.pixels(),
                 static_cast<wide>(image_.row_bytes()), channels_, static_cast<int>(bytes_of(type_)), w.red, w.green,
                 w.blue, w.grey, width_, height_, *extended_, extended_stride_, *list_);
  done("extension");
  const FilterOnGpu& filter = filters_.front();
  const int reach = plan_.reach(), across = columns_ + 2 * reach, down = rows_ + 2 * reach;
  queue_->launch(*respond_, {{pieces(across, respond_side), pieces(down, respond_side), 1}, {256, 1, 1}, true},
                 *extended_, extended_stride_, width, height, extended_margin + measured_border - reach, filter.shape,
                 *filter.taps, *filter.weights, *responses_, planes_, response_stride_, across, down);
  done("responses");
  if (fixed_window_) {
    queue_->launch(*measure_, {{pieces(columns_, measure_side), pieces(rows_, measure_height), 1}, {512, 1, 1}, true},
                   *responses_, planes_, response_stride_, columns_, rows_, *keys_, key_stride_);
  } else {
    queue_->launch(*measure_, {{pieces(columns_, 64), static_cast<unsigned>(rows_), 1}, {64, 1, 1}, true}, *responses_,
                   planes_, response_stride_, columns_, plan_.directions, plan_.window, *keys_, key_stride_);
  }
  done("measures");
}

void FoagddGpu::enqueue_candidates(const Done& done) {
  const int room = static_cast<int>(capacity_);
  const unsigned rows = static_cast<unsigned>(rows_ - 2 * suppression_reach);
  queue_->launch(*find_, {{pieces(columns_, 256), rows, 1}, {256, 1, 1}, true}, *keys_, key_stride_, columns_,
                 plan_.threshold_key, static_cast<int>(masked_), masked_ ? mask_.pixels() : image_.pixels(), width_,
                 room, *list_);
  done("candidates");
  const unsigned groups = 16 * static_cast<unsigned>(std::max(gpu_->facts().compute_units, 1));
  for (std::size_t scale = 1; scale < filters_.size(); ++scale) {
    const FilterOnGpu& filter = filters_[scale];
    queue_->launch(*verify_, {{groups, 1, 1}, {64, 1, 1}, true}, *extended_, extended_stride_, filter.shape,
                   *filter.taps, *filter.weights, plan_.window, plan_.threshold_key, room, *list_);
  }
  done("verification");
}

void FoagddGpu::enqueue_download() {
  expected_ = std::min(likely_, capacity_);
  make_room(*gpu_, fetched_, list_bytes(expected_), staging_step);
  queue_->download(fetched_->data(), *list_, 0, list_bytes(expected_));
}

std::size_t FoagddGpu::found() const {
  std::uint32_t count;
  std::memcpy(&count, fetched_->data(), sizeof count);
  return count;
}

bool FoagddGpu::list_grew() {
  if (found() <= capacity_) return false;
  make_list(found());
  return true;
}

std::vector<FoagddPoint> FoagddGpu::corners() {
  const std::size_t n = found(), here = std::min(n, expected_);
  std::vector<FoagddCandidate> candidates(n);
  if (here > 0) std::memcpy(candidates.data(), fetched_->data() + list_head, here * sizeof(FoagddCandidate));
  if (here < n) {
    queue_->download(candidates.data() + here, *list_, list_bytes(here), (n - here) * sizeof(FoagddCandidate));
    queue_->wait();
  }
  // More at once where an image had more; fewer by and by, since the next may have as many again.
  likely_ = std::max(n + n / 4 + 64, likely_ - likely_ / 4);
  std::vector<FoagddPoint> corners;
  for (const FoagddCandidate& c : candidates) {
    if (c.stands != 0) corners.push_back({c.row, c.column, c.key});
  }
  std::sort(corners.begin(), corners.end(), [](const FoagddPoint& a, const FoagddPoint& b) {
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
  });
  return corners;
}

}  // namespace octavo
