// One submission an image: upload, all kernels, the download of as many candidates as are likely. The host comes back
// for more of them, and runs again with more room in the rare case that the list was full.

#include "foagdd/foagdd_gpu.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "device/gpu_room.h"
#include "maths/scalar.h"
#include "scale_space/grey.h"

namespace octavo {

const KernelModule& foagdd_kernels();

namespace {

using maths::wide;

constexpr std::size_t likely_candidates = 4096, least_capacity = 16384;
// What comes before a mark of this name is nobody's.
constexpr std::string_view not_timed = "";

constexpr int respond_side = 32, measure_side = 32;  // as in foagdd_kernels.cl.h

constexpr unsigned pieces(int whole, int piece) { return static_cast<unsigned>((whole + piece - 1) / piece); }
constexpr int rounded_up(int value, int step) { return (value + step - 1) / step * step; }

std::size_t floats(int stride, int rows) {
  return static_cast<std::size_t>(stride) * static_cast<std::size_t>(rows) * sizeof(float);
}

class GpuEngine : public FoagddEngine {
 public:
  GpuEngine(const FoagddOptions& options, std::shared_ptr<Gpu> gpu)
      : plan_(plan_foagdd(options)), gpu_(std::move(gpu)), queue_(gpu_->queue()) {
    const bool fixed = plan_.directions == 8;
    fixed_window_ = fixed && plan_.window == 7;
    const auto kernel = [&](const char* name) { return gpu_->kernel(foagdd_kernels(), name); };
    extend_ = kernel("extend");
    respond_ = kernel(fixed ? "respond_8" : "respond_any");
    measure_ = kernel(fixed_window_ ? "measure_8" : "measure_any");
    find_ = kernel("find");
    verify_ = kernel(fixed ? "verify_8" : "verify_any");
    for (const FoagddFilter& filter : plan_.scales) filters_.push_back(upload_filter(filter));
    count_ = gpu_->allocate(sizeof(std::uint32_t));
    make_room(*gpu_, list_, least_capacity * sizeof(FoagddCandidate));
    make_room(*gpu_, fetched_, sizeof(std::uint32_t) + likely_candidates * sizeof(FoagddCandidate));
    queue_->wait();
  }

  std::vector<FoagddPoint> detect(const ImageView& image, std::vector<StageTime>* times) override {
    if (!has_corners(image.width, image.height)) return {};
    try {
      prepare(image);
      marks_.clear();
      timed_ = times != nullptr;
      mark(not_timed);
      upload(image);
      mark("upload");
      enqueue_measures(image);
      const std::vector<FoagddCandidate> candidates = fetch_candidates();
      if (times) append_times(*times);
      std::vector<FoagddPoint> corners;
      for (const FoagddCandidate& c : candidates) {
        if (c.stands != 0) corners.push_back({c.row, c.column, c.key});
      }
      std::sort(corners.begin(), corners.end(), [](const FoagddPoint& a, const FoagddPoint& b) {
        return std::tie(a.row, a.column) < std::tie(b.row, b.column);
      });
      return corners;
    } catch (...) {
      // What did not fit shall not stand in the way of what will.
      for (auto* buffer : {&image_, &extended_, &responses_, &keys_}) buffer->reset();
      throw;
    }
  }

 private:
  struct FilterOnGpu {
    FoagddFilterShape shape;
    std::unique_ptr<GpuBuffer> taps, weights;
  };

  FilterOnGpu upload_filter(const FoagddFilter& f) {
    FilterOnGpu filter{{f.directions, f.radius, f.below, f.aside, static_cast<int>(f.taps.size())}, {}, {}};
    const std::size_t tap_bytes = f.taps.size() * sizeof(FoagddTap), weight_bytes = f.weights.size() * sizeof(float);
    filter.taps = gpu_->allocate(tap_bytes);
    filter.weights = gpu_->allocate(weight_bytes);
    queue_->upload(*filter.taps, 0, f.taps.data(), tap_bytes);
    queue_->upload(*filter.weights, 0, f.weights.data(), weight_bytes);
    return filter;
  }

  void prepare(const ImageView& image) {
    row_bytes_ =
        static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels) * bytes_of(image.type);
    const std::size_t image_bytes = row_bytes_ * static_cast<std::size_t>(image.height);
    const FoagddRegion region = measured_region(image.width, image.height);
    rows_ = region.row_end - region.row_begin;
    columns_ = region.column_end - region.column_begin;
    extended_stride_ = rounded_up(image.width + 2 * extended_margin, 32);
    response_stride_ = rounded_up(columns_ + 2 * plan_.reach(), 32) + 64;  // groups read whole tiles
    key_stride_ = rounded_up(columns_, 32);
    planes_ = static_cast<wide>(response_stride_) * (rows_ + 2 * plan_.reach());
    make_room(*gpu_, image_, image_bytes);
    make_room(*gpu_, staging_, image_bytes);
    make_room(*gpu_, extended_, floats(extended_stride_, image.height + 2 * extended_margin));
    make_room(*gpu_, responses_,
              static_cast<std::size_t>(planes_) * sizeof(float) * static_cast<std::size_t>(plan_.directions));
    make_room(*gpu_, keys_, floats(key_stride_, rows_));
  }

  void upload(const ImageView& image) {
    const std::size_t bytes = row_bytes_ * static_cast<std::size_t>(image.height);
    if (image.stride == static_cast<std::ptrdiff_t>(row_bytes_) && gpu_->reads_directly(image.data, bytes)) {
      queue_->upload(*image_, 0, image.data, bytes);
      return;
    }
    std::byte* to = staging_->data();
    for (int y = 0; y < image.height; ++y, to += row_bytes_) std::memcpy(to, image.row(y), row_bytes_);
    queue_->upload(*image_, 0, staging_->data(), bytes);
  }

  void enqueue_measures(const ImageView& image) {
    const int width = image.width + 2 * extended_margin, height = image.height + 2 * extended_margin;
    const LumaWeights w = luma_weights(plan_.luma, image.type, 255);
    queue_->launch(*extend_, {{pieces(width, 256), static_cast<unsigned>(height), 1}, {256, 1, 1}, true}, *image_,
                   static_cast<wide>(row_bytes_), image.channels, static_cast<int>(bytes_of(image.type)), w.red,
                   w.green, w.blue, w.grey, image.width, image.height, *extended_, extended_stride_);
    mark("extension");
    const FilterOnGpu& filter = filters_.front();
    const int reach = plan_.reach(), across = columns_ + 2 * reach, down = rows_ + 2 * reach;
    queue_->launch(*respond_, {{pieces(across, respond_side), pieces(down, respond_side), 1}, {256, 1, 1}, true},
                   *extended_, extended_stride_, width, height, extended_margin + measured_border - reach, filter.shape,
                   *filter.taps, *filter.weights, *responses_, planes_, response_stride_, across, down);
    mark("responses");
    if (fixed_window_) {
      queue_->launch(*measure_, {{pieces(columns_, measure_side), pieces(rows_, measure_side), 1}, {512, 1, 1}, true},
                     *responses_, planes_, response_stride_, columns_, rows_, *keys_, key_stride_);
    } else {
      queue_->launch(*measure_, {{pieces(columns_, 64), static_cast<unsigned>(rows_), 1}, {64, 1, 1}, true},
                     *responses_, planes_, response_stride_, columns_, plan_.directions, plan_.window, *keys_,
                     key_stride_);
    }
    mark("measures");
  }

  void mark(std::string_view stage) {
    if (timed_) marks_.emplace_back(stage, queue_->event());
  }

  // By the device's own clock. All marks are done.
  void append_times(std::vector<StageTime>& times) const {
    for (std::size_t i = 1; i < marks_.size(); ++i) {
      const auto& [stage, event] = marks_[i];
      if (stage != not_timed) times.push_back({std::string(stage), event->milliseconds_since(*marks_[i - 1].second)});
    }
  }

  [[nodiscard]] std::size_t capacity() const { return list_->bytes() / sizeof(FoagddCandidate); }

  std::vector<FoagddCandidate> fetch_candidates() {
    std::uint32_t found = 0;
    for (;;) {
      enqueue_candidates();
      queue_->download(fetched_->data(), *count_, 0, sizeof found);
      std::byte* const items = fetched_->data() + sizeof found;
      const std::size_t likely = std::min(capacity(), likely_candidates);
      queue_->download(items, *list_, 0, likely * sizeof(FoagddCandidate));
      mark("download");
      queue_->wait();
      std::memcpy(&found, fetched_->data(), sizeof found);
      if (found <= capacity()) break;
      mark(not_timed);
      make_room(*gpu_, list_, found * sizeof(FoagddCandidate));
    }
    if (found == 0) return {};
    std::vector<FoagddCandidate> candidates(found);
    const std::size_t here = std::min<std::size_t>(found, likely_candidates);
    std::memcpy(candidates.data(), fetched_->data() + sizeof found, here * sizeof(FoagddCandidate));
    if (here < found) {
      queue_->download(candidates.data() + here, *list_, here * sizeof(FoagddCandidate),
                       (found - here) * sizeof(FoagddCandidate));
      queue_->wait();
    }
    return candidates;
  }

  void enqueue_candidates() {
    const int room = static_cast<int>(capacity());
    queue_->clear(*count_, 0, sizeof(std::uint32_t));
    queue_->launch(*find_,
                   {{pieces(columns_, 256), static_cast<unsigned>(rows_ - 2 * suppression_reach), 1}, {256, 1, 1}},
                   *keys_, key_stride_, columns_, plan_.threshold_key, *count_, room, *list_);
    mark("candidates");
    const unsigned groups = 16 * static_cast<unsigned>(std::max(gpu_->facts().compute_units, 1));
    for (std::size_t scale = 1; scale < filters_.size(); ++scale) {
      const FilterOnGpu& filter = filters_[scale];
      queue_->launch(*verify_, {{groups, 1, 1}, {64, 1, 1}, true}, *extended_, extended_stride_, filter.shape,
                     *filter.taps, *filter.weights, plan_.window, plan_.threshold_key, *count_, room, *list_);
    }
    mark("verification");
  }

  FoagddPlan plan_;
  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuQueue> queue_;
  std::unique_ptr<GpuKernel> extend_, respond_, measure_, find_, verify_;
  bool fixed_window_ = false;  // 8 directions, 7 pixels
  std::vector<FilterOnGpu> filters_;
  std::unique_ptr<GpuBuffer> image_, extended_, responses_, keys_, list_, count_;
  std::unique_ptr<GpuPinned> staging_, fetched_;
  bool timed_ = false;
  std::vector<std::pair<std::string_view, std::unique_ptr<GpuEvent>>> marks_;
  // Of the image prepared for.
  std::size_t row_bytes_ = 0;
  int rows_ = 0, columns_ = 0;  // measured
  int extended_stride_ = 0, response_stride_ = 0, key_stride_ = 0;
  wide planes_ = 0;  // [float] from one plane of responses to the next
};

}  // namespace

std::unique_ptr<FoagddEngine> make_foagdd_gpu(const FoagddOptions& options, std::shared_ptr<Gpu> gpu) {
  return std::make_unique<GpuEngine>(options, std::move(gpu));
}

}  // namespace octavo
