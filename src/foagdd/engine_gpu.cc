// Upload, all kernels, and the download of as many candidates as are likely are enqueued at once; the kernels are
// recorded once for a shape of images and replayed. The host comes back for more candidates, and runs again with more
// room in the rare case that the list was full.

#include "foagdd/engine_gpu.h"

#include <optional>
#include <string_view>
#include <utility>

#include "device/recorded_work_gpu.h"
#include "foagdd/foagdd_gpu.h"
#include "device/stage_marks_gpu.h"

namespace octavo {

namespace {

class GpuFoagddEngine : public FoagddEngine {
 public:
  GpuFoagddEngine(const FoagddOptions& options, std::shared_ptr<Gpu> gpu, std::shared_ptr<CpuPool> threads)
      : threads_(std::move(threads)), foagdd_(options, std::move(gpu)), marks_(foagdd_.queue()) {}

  void begin(const ExtractionJob& job) override {
    try {
      if (std::exchange(unfinished_, true)) foagdd_.queue().wait();
      const ImageShape shape = shape_of(job);
      if (shape_ != shape) {
        forget();
        foagdd_.prepare(job.image, job.mask != nullptr);
        shape_ = shape;
      }
      if (!foagdd_.has_work()) return;
      marks_.begin(job.timed);
      bool read_in_place = false;
      if (job.on_device) {
        foagdd_.image().copy(foagdd_.queue(), *job.on_device);
      } else {
        read_in_place = foagdd_.image().upload(foagdd_.queue(), job.image, *threads_);
      }
      if (job.mask && foagdd_.mask().upload(foagdd_.queue(), *job.mask, *threads_)) read_in_place = true;
      const std::unique_ptr<GpuEvent> read = read_in_place ? foagdd_.queue().event() : nullptr;
      marks_.mark("upload");
      run();
      if (read) read->wait();
    } catch (...) {
      give_up();
      throw;
    }
  }

  std::vector<FoagddPoint> finish(std::vector<StageTime>* times) override {
    unfinished_ = false;
    if (!foagdd_.has_work()) return {};
    try {
      foagdd_.queue().wait();
      while (foagdd_.list_grew()) {
        work_.forget();
        marks_.begin_again_after(1);  // the upload stays true
        run();
        foagdd_.queue().wait();
      }
      if (times) {
        for (StageTime& time : marks_.times()) times->push_back(std::move(time));
      }
      return foagdd_.corners();
    } catch (...) {
      give_up();
      throw;
    }
  }

  std::optional<PixelsOnGpu> pixels_on_gpu() override {
    if (!foagdd_.has_work()) return std::nullopt;
    return PixelsOnGpu{foagdd_.queue(), foagdd_.image()};
  }

 private:
  // What did not fit shall not stand in the way of what will.
  void give_up() {
    forget();
    foagdd_.release();
    unfinished_ = false;
  }

  void forget() {
    shape_.reset();
    work_.forget();
  }

  void run() {
    const auto enqueue = [&] { foagdd_.enqueue_work([&](std::string_view stage) { marks_.mark(stage); }); };
    if (marks_.timed()) {
      enqueue();
    } else {
      work_.run(foagdd_.queue(), enqueue);
    }
    foagdd_.enqueue_download();
    marks_.mark("download");
  }

  std::shared_ptr<CpuPool> threads_;
  std::optional<ImageShape> shape_;
  bool unfinished_ = false;  // an image was begun
  FoagddGpu foagdd_;
  RecordedWork work_;
  StageMarks marks_;
};

}  // namespace

std::unique_ptr<FoagddEngine> make_foagdd_gpu(const FoagddOptions& options, std::shared_ptr<Gpu> gpu,
                                              std::shared_ptr<CpuPool> threads) {
  return std::make_unique<GpuFoagddEngine>(options, std::move(gpu), std::move(threads));
}

}  // namespace octavo
