// The work of a job (device/gpu_job.h) contains all steps from pixels to planes, which stay on the device until they
// are fetched, octave by octave.

#include "engine/pyramid/engine_gpu.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/device/gpu_job.h"
#include "engine/device/gpu_room.h"
#include "engine/device/run_and_wait.h"
#include "engine/scale_space/pyramid_gpu.h"
#include "engine/trilateral/trilateral_octaves_gpu.h"

namespace octavo {

namespace {

class PyramidWork : public GpuWork {
 public:
  PyramidWork(const ScaleSpaceOptions& scale_space, bool differences, std::shared_ptr<Gpu> gpu)
      : scale_space_(scale_space), makes_differences_(differences), gpu_(std::move(gpu)), pyramid_(gpu_) {
    if (scale_space.smoothing == Smoothing::trilateral) trilateral_.emplace(scale_space, gpu_);
    queue_ = gpu_->queue();
  }

  [[nodiscard]] std::unique_ptr<GpuWork> on(const std::shared_ptr<Gpu>& gpu) const override {
    return std::make_unique<PyramidWork>(scale_space_, makes_differences_, gpu);
  }
  GpuQueue& queue() override { return *queue_; }

  void prepare(const ImageView& image, bool) override {
    pyramid_.prepare(image, scale_space_.luma, plan_scale_space(image.width, image.height, scale_space_));
    width_ = image.width;
    height_ = image.height;
    if (!has_work()) return;
    if (trilateral_) trilateral_->prepare(pyramid_);
    if (makes_differences_) make_room(*gpu_, differences_, pyramid_.difference_floats() * sizeof(float));
  }
  [[nodiscard]] bool has_work() const override { return !pyramid_.layout().empty(); }
  void release() override {
    pyramid_.release();
    if (trilateral_) trilateral_->release();
    differences_.reset();
  }

  ImageOnGpu& image() override { return pyramid_.image(); }

  void enqueue(const StageDone& done) override {
    if (trilateral_) {
      trilateral_->enqueue(*queue_, pyramid_, width_, height_);
    } else {
      pyramid_.enqueue_grey(*queue_);
      done("grey");
      pyramid_.enqueue_octaves(*queue_, PyramidGpu::LastImage::made, [](GpuQueue&, int) {});
      for (std::size_t i = 0; i < pyramid_.branches(); ++i) queue_->join(i);
    }
    done("blurs");
    if (!makes_differences_) return;
    for (int octave = 0; octave < octaves(); ++octave) pyramid_.enqueue_differences(*queue_, octave, *differences_);
    done("differences");
  }

  // The planes stay on the device.
  bool lists_grew(const std::byte*) override { return false; }
  [[nodiscard]] std::size_t results(const std::byte*) const override { return 0; }
  [[nodiscard]] std::size_t capacity() const override { return 0; }
  [[nodiscard]] std::size_t likely_results() const override { return 0; }
  [[nodiscard]] std::vector<GpuResultList> lists() const override { return {}; }

  [[nodiscard]] int octaves() const { return static_cast<int>(pyramid_.layout().size()); }
  [[nodiscard]] const PyramidGpu& pyramid() const { return pyramid_; }
  [[nodiscard]] const GpuBuffer& differences() const { return *differences_; }

 private:
  ScaleSpaceOptions scale_space_;
  bool makes_differences_;
  std::shared_ptr<Gpu> gpu_;
  PyramidGpu pyramid_;
  std::optional<TrilateralOctavesGpu> trilateral_;
  std::unique_ptr<GpuBuffer> differences_;
  int width_ = 0, height_ = 0;
  // The last member: its destructor waits for the work before the buffers are destroyed.
  std::unique_ptr<GpuQueue> queue_;
};

class GpuPyramid : public PyramidEngine {
 public:
  GpuPyramid(const ScaleSpaceOptions& scale_space, const PyramidOptions& options, const std::shared_ptr<Gpu>& gpu,
             CpuPool pool)
      : options_(options),
        scale_space_(scale_space),
        gpu_(gpu),
        work_(scale_space, options.differences, gpu),
        job_(gpu, work_, std::make_shared<CpuPool>(std::move(pool))) {}

  void compute(const ImageView& image, std::vector<StageTime>* times) override {
    job_.begin({.image = image, .timed = times != nullptr, .stays = true});
    job_.finish([](std::size_t) {});
    if (times == nullptr || !work_.has_work()) return;
    for (StageTime& time : job_.times()) times->push_back(std::move(time));
  }

  void fetch(const Take& take) override {
    for (int octave = 0; octave < work_.octaves(); ++octave) {
      const OctaveLayout& o = work_.pyramid().layout()[static_cast<std::size_t>(octave)];
      const int levels = work_.pyramid().plan().levels();
      const std::size_t floats = static_cast<std::size_t>(o.level_floats);
      const int gaussians = options_.gaussians ? levels : 0, differences = options_.differences ? levels - 1 : 0;
      make_room(*gpu_, staging_, static_cast<std::size_t>(gaussians + differences) * floats * sizeof(float));
      std::byte* to = staging_->data();
      const auto download = [&](const GpuBuffer& from, wide first, int count) {
        const std::size_t bytes = static_cast<std::size_t>(count) * floats * sizeof(float);
        if (count > 0) work_.queue().download(to, from, static_cast<std::size_t>(first) * sizeof(float), bytes);
        std::vector<ImageView> views;
        for (int i = 0; i < count; ++i, to += floats * sizeof(float)) {
          views.push_back({to, o.width, o.height, 1, PixelType::f32, o.stride * std::ptrdiff_t{sizeof(float)}});
        }
        return views;
      };
      std::vector<ImageView> of_gaussians, of_differences;
      run_and_wait(work_.queue(), [&] {
        of_gaussians = download(work_.pyramid().levels(), o.first, gaussians);
        if (differences == 0) return;
        of_differences = download(work_.differences(), work_.pyramid().first_difference(octave), differences);
      });
      take(octave, of_gaussians, of_differences);
    }
  }

  std::byte* room_for_image(std::size_t bytes) override {
    make_room(*gpu_, image_, bytes);
    return image_->data();
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image) const override {
    MemoryNeed need = memory_of_job(work_, gpu_->facts(), image, false).need;
    const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, scale_space_);
    if (plan.octaves.empty()) return need;
    // staging_
    const Size first = plan.octaves.front();
    const int kept = (options_.gaussians ? plan.levels() : 0) + (options_.differences ? plan.levels() - 1 : 0);
    need.usual.host += static_cast<std::uint64_t>(kept) * static_cast<std::uint64_t>(first.width) *
                       static_cast<std::uint64_t>(first.height) * sizeof(float);
    return need;
  }
  [[nodiscard]] const Gpu* gpu() const override { return gpu_.get(); }

 private:
  PyramidOptions options_;
  ScaleSpaceOptions scale_space_;
  std::shared_ptr<Gpu> gpu_;
  PyramidWork work_;
  std::unique_ptr<GpuPinned> staging_, image_;
  GpuJob job_;
};

}  // namespace

std::unique_ptr<PyramidEngine> make_pyramid_gpu(const ScaleSpaceOptions& scale_space, const PyramidOptions& options,
                                                const std::shared_ptr<Gpu>& gpu, CpuPool pool) {
  return std::make_unique<GpuPyramid>(scale_space, options, gpu, std::move(pool));
}

}  // namespace octavo
