// The work of a job (device/gpu_job.h) contains all steps from pixels to filtered rows. No step needs the host: the
// scale, which depends on the gradients of the whole image, stays on the device.

#include "engine/trilateral/engine_gpu.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/device/gpu_job.h"
#include "engine/device/gpu_room.h"
#include "engine/device/image_on_gpu.h"
#include "engine/device/run_and_wait.h"
#include "engine/trilateral/trilateral_gpu.h"

namespace octavo {

namespace {

// A result is a row of filtered pixels.
class FilterWork : public GpuWork {
 public:
  FilterWork(const TrilateralOptions& options, std::shared_ptr<Gpu> gpu)
      : options_(options), gpu_(std::move(gpu)), filter_(options, gpu_), image_(gpu_), queue_(gpu_->queue()) {}

  [[nodiscard]] std::unique_ptr<GpuWork> on(const std::shared_ptr<Gpu>& gpu) const override {
    return std::make_unique<FilterWork>(options_, gpu);
  }
  GpuQueue& queue() override { return *queue_; }

  void prepare(const ImageView& image, bool) override {
    width_ = image.width;
    height_ = image.height;
    channels_ = image.channels;
    order_ = image.order;
    type_ = image.type;
    filter_.prepare({{width_, height_}});
    image_.prepare(image);
    make_room(*gpu_, grey_, samples(filter_.stride(), height_) * sizeof(float));
    make_cleared_room(*gpu_, *queue_, filtered_, samples(filter_.stride(), height_) * sizeof(float));
  }
  [[nodiscard]] bool has_work() const override { return true; }
  void release() override {
    image_.release();
    for (auto* buffer : {&grey_, &filtered_}) buffer->reset();
    filter_.release();
  }

  ImageOnGpu& image() override { return image_; }

  void enqueue(const StageDone& done) override {
    const TrilateralGpu::Rows grey{*grey_, 0, filter_.stride()};
    filter_.enqueue_grey(*queue_, image_, channels_, order_, type_, grey);
    done("grey");
    filter_.enqueue(*queue_, grey, {*filtered_, 0, filter_.stride()}, [&](const char* step) { done(step); });
  }

  bool lists_grew(const std::byte*) override { return false; }
  [[nodiscard]] std::size_t results(const std::byte*) const override { return capacity(); }
  [[nodiscard]] std::size_t capacity() const override { return static_cast<std::size_t>(height_); }
  [[nodiscard]] std::size_t likely_results() const override { return capacity(); }
  [[nodiscard]] std::vector<GpuResultList> lists() const override {
    return {{*filtered_, samples(filter_.stride(), 1) * sizeof(float)}};
  }

  void fetch_levels(TrilateralLevels& out) {
    std::vector<std::uint8_t> rows(filter_.level_bytes());
    run_and_wait(*queue_, [&] { filter_.download_levels(*queue_, rows.data()); });
    out.width = width_;
    out.height = height_;
    out.level.resize(samples(width_, height_));
    for (int y = 0; y < height_; ++y) {
      std::copy_n(rows.data() + samples(filter_.level_stride(), y), width_, out.level.data() + samples(width_, y));
    }
  }

  [[nodiscard]] int stride() const { return filter_.stride(); }
  [[nodiscard]] TrilateralSchedule schedule() const { return filter_.schedule(); }

 private:
  TrilateralOptions options_;
  std::shared_ptr<Gpu> gpu_;
  TrilateralGpu filter_;
  ImageOnGpu image_;
  std::unique_ptr<GpuBuffer> grey_, filtered_;
  int width_ = 0, height_ = 0, channels_ = 0;
  ChannelOrder order_ = ChannelOrder::rgb;
  PixelType type_ = PixelType::u8;
  // The last member: its destructor waits for the work before the buffers are destroyed.
  std::unique_ptr<GpuQueue> queue_;
};

class GpuEngine : public TrilateralEngine {
 public:
  GpuEngine(const TrilateralOptions& options, const std::shared_ptr<Gpu>& gpu, CpuPool pool)
      : gpu_(gpu), work_(options, gpu), job_(gpu, work_, std::make_shared<CpuPool>(std::move(pool))) {}

  void filter(const ImageView& image, Plane& out, std::vector<StageTime>* times) override {
    out.resize(image.width, image.height);
    job_.begin({.image = image, .timed = times != nullptr});
    job_.finish([&](std::size_t rows) { fetch(rows, out); });
    if (times == nullptr) return;
    for (StageTime& time : job_.times()) times->push_back(std::move(time));
  }

  void fetch_levels(TrilateralLevels& out) override { work_.fetch_levels(out); }

  [[nodiscard]] TrilateralSchedule schedule() const override { return work_.schedule(); }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image) const override {
    return memory_of_job(work_, gpu_->facts(), image, false).need;
  }
  [[nodiscard]] const Gpu* gpu() const override { return gpu_.get(); }

 private:
  void fetch(std::size_t rows, Plane& out) {
    int y = 0;
    job_.fetch(rows, [&](std::size_t count, const std::vector<const std::byte*>& lists) {
      const std::byte* from = lists.front();
      for (std::size_t i = 0; i < count; ++i, ++y, from += samples(work_.stride(), 1) * sizeof(float)) {
        std::memcpy(out.row(y), from, samples(out.width(), 1) * sizeof(float));
      }
    });
  }

  std::shared_ptr<Gpu> gpu_;
  FilterWork work_;
  GpuJob job_;
};

}  // namespace

std::unique_ptr<TrilateralEngine> make_trilateral_gpu(const TrilateralOptions& options, const std::shared_ptr<Gpu>& gpu,
                                                      CpuPool pool) {
  return std::make_unique<GpuEngine>(options, gpu, std::move(pool));
}

}  // namespace octavo
