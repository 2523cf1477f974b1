#include "engine/foagdd/engine_gpu.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/device/gpu_job.h"
#include "engine/foagdd/foagdd_gpu.h"

namespace octavo {

namespace {

class GpuFoagddEngine : public FoagddEngine {
 public:
  GpuFoagddEngine(const FoagddOptions& options, const std::shared_ptr<Gpu>& gpu, std::shared_ptr<CpuPool> threads)
      : facts_(gpu->facts()), foagdd_(options, gpu, gpu->queue()), job_(gpu, foagdd_, std::move(threads)) {}

  void begin(const DetectorJob& job) override {
    job_.begin({.image = job.image, .on_device = job.on_device, .mask = job.mask, .timed = job.timed});
  }

  std::vector<FoagddPoint> finish(std::vector<StageTime>* times) override {
    std::vector<FoagddPoint> corners;
    job_.finish([&](std::size_t candidates) {
      job_.fetch(candidates, [&](std::size_t count, const std::vector<const std::byte*>& lists) {
        append_corners(corners, reinterpret_cast<const FoagddCandidate*>(lists.front()), count);
      });
    });
    std::sort(corners.begin(), corners.end(), [](const FoagddPoint& a, const FoagddPoint& b) {
      return std::tie(a.row, a.column) < std::tie(b.row, b.column);
    });
    if (times) {
      for (StageTime& time : job_.times()) times->push_back(std::move(time));
    }
    return corners;
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, bool masked) const override {
    return memory_of_job(foagdd_, facts_, image, masked).need;
  }

 private:
  static void append_corners(std::vector<FoagddPoint>& corners, const FoagddCandidate* candidates, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const FoagddCandidate& c = candidates[i];
      if (c.stands != 0) corners.push_back({c.row, c.column, c.key});
    }
  }

  GpuFacts facts_;
  FoagddGpu foagdd_;
  GpuJob job_;
};

}  // namespace

std::unique_ptr<FoagddEngine> make_foagdd_gpu(const FoagddOptions& options, const std::shared_ptr<Gpu>& gpu,
                                              std::shared_ptr<CpuPool> threads) {
  return std::make_unique<GpuFoagddEngine>(options, gpu, std::move(threads));
}

}  // namespace octavo
