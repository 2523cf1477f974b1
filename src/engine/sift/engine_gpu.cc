#include "engine/sift/engine_gpu.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <utility>

#include "engine/device/gpu_dry_run.h"
#include "engine/device/run_and_wait.h"
#include "engine/sift/sift_gpu.h"

namespace octavo {

namespace {

// The caller of the single stages applies the budget.
SiftParts without_budget(SiftParts parts) {
  parts.budget = {};
  return parts;
}

class GpuEngine : public SiftEngine {
 public:
  GpuEngine(const SiftParts& parts, const std::shared_ptr<Gpu>& gpu)
      : parts_(without_budget(parts)), facts_(gpu->facts()), sift_(parts_, gpu, gpu->queue()) {}

  void smooth(const ImageView& image) override {
    run_and_wait(sift_.queue(), [&] {
      if (!begin(image)) return;
      if (parts_.scale_space.smoothing == Smoothing::trilateral) {
        sift_.enqueue_scale_space();
      } else {
        sift_.enqueue_images(sift_.queue());
      }
    });
  }

  std::vector<std::vector<Extremum>> detect(const ImageView& image) override {
    std::vector<std::vector<Extremum>> octaves;
    run_and_wait(sift_.queue(), [&] {
      const bool has_work = begin(image);
      octaves.resize(sift_.pyramid().layout().size());
      if (!has_work) return;
      sift_.enqueue_scale_space();
      do {
        sift_.enqueue_clear();
        sift_.enqueue_extrema();
        sift_.enqueue_counts();
        sift_.queue().wait();
      } while (sift_.lists_grew(nullptr));
    });
    if (!sift_.has_work()) return octaves;
    for (const Oriented& o : fetch(sift_.found(), sift_.counted(extrema_counter))) {
      octaves[static_cast<std::size_t>(o.octave)].push_back(o.extremum);
    }
    for (auto& octave : octaves) std::sort(octave.begin(), octave.end());
    return octaves;
  }

  void fit_shapes(std::vector<Oriented>& extrema) override {
    if (extrema.empty()) return;
    const int n = static_cast<int>(extrema.size());
    make_lists(n);
    set_count(extrema_counter, n);
    run_and_wait(sift_.queue(), [&] {
      sift_.queue().upload(sift_.found(), 0, extrema.data(), extrema.size() * sizeof(Oriented));
      sift_.enqueue_shapes();
    });
    extrema = fetch(sift_.found(), extrema.size());
  }

  std::vector<Orientations> orient(const std::vector<Oriented>& extrema) override {
    std::vector<Orientations> orientations(extrema.size());
    if (extrema.empty()) return orientations;
    const int n = static_cast<int>(extrema.size());
    make_lists(n);
    set_count(extrema_counter, n);
    // The orientations come in no order. The value of an extremum, which orientations do not depend on, tells whose
    // they are: a float holds whole numbers up to 2^24.
    std::vector<Oriented> numbered = extrema;
    for (std::size_t i = 0; i < numbered.size(); ++i) numbered[i].extremum.value = static_cast<float>(i);
    run_and_wait(sift_.queue(), [&] {
      sift_.queue().upload(sift_.found(), 0, numbered.data(), numbered.size() * sizeof(Oriented));
      sift_.enqueue_orientation();
      sift_.enqueue_counts();
    });
    std::vector<Oriented> found = fetch(sift_.oriented(), sift_.counted(keypoint_counter));
    std::sort(found.begin(), found.end(), [](const Oriented& a, const Oriented& b) {
      return std::pair(a.extremum.value, a.turns) < std::pair(b.extremum.value, b.turns);
    });
    for (const Oriented& o : found) {
      Orientations& of_point = orientations[static_cast<std::size_t>(o.extremum.value)];
      of_point.turns[static_cast<std::size_t>(of_point.count++)] = o.turns;
    }
    return orientations;
  }

  void describe(const std::vector<Oriented>& keypoints, std::uint8_t* descriptors) override {
    if (keypoints.empty()) return;
    const int n = static_cast<int>(keypoints.size());
    make_lists(n);
    set_count(keypoint_counter, n);
    std::vector<std::int32_t> order(keypoints.size());
    std::iota(order.begin(), order.end(), 0);
    run_and_wait(sift_.queue(), [&] {
      sift_.queue().upload(sift_.oriented(), 0, keypoints.data(), keypoints.size() * sizeof(Oriented));
      sift_.queue().upload(sift_.order(), 0, order.data(), order.size() * sizeof(std::int32_t));
      sift_.enqueue_description();
      sift_.queue().download(descriptors, sift_.descriptors(), 0, keypoints.size() * descriptor_length);
    });
  }

  const Plane& level(int octave, int layer) override {
    if (levels_.empty()) fetch_levels();
    return levels_[static_cast<std::size_t>(octave)][static_cast<std::size_t>(layer)];
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image) const override {
    return memory_of_job(sift_, facts_, image, false).need;
  }

  [[nodiscard]] MemoryNeed memory_for_description(const ImageView& image, std::size_t points) const override {
    const auto gpu = std::make_shared<GpuDryRun>(facts_);
    SiftGpu dry(parts_, gpu, gpu->queue());
    dry.prepare(image, false);
    if (dry.has_work()) make_lists(dry, static_cast<int>(points));
    return gpu->most();
  }

 private:
  // Makes room and uploads the image. False if it is too small for an octave.
  bool begin(const ImageView& image) {
    sift_.queue().wait();  // work on the image before
    sift_.prepare(image, false);
    levels_.clear();
    if (!sift_.has_work()) return false;
    sift_.image().upload(sift_.queue(), image, threads_);
    return true;
  }

  // Room for points of which each has up to four orientations.
  static void make_lists(SiftGpu& sift, int points) { sift.make_lists(0, points, 4 * points); }
  void make_lists(int points) { make_lists(sift_, points); }

  std::vector<Oriented> fetch(const GpuBuffer& list, std::size_t n) {
    std::vector<Oriented> items(n);
    run_and_wait(sift_.queue(), [&] { sift_.queue().download(items.data(), list, 0, n * sizeof(Oriented)); });
    return items;
  }

  // Sets one counter, and all other tallies to 0.
  void set_count(int counter, int n) {
    std::array<std::uint32_t, counters> counts{};
    counts[static_cast<std::size_t>(counter)] = static_cast<std::uint32_t>(n);
    run_and_wait(sift_.queue(), [&] {
      sift_.enqueue_clear();
      sift_.queue().upload(sift_.tallies(), 0, counts.data(), sizeof counts);
    });
  }

  void fetch_levels() {
    const PyramidGpu& pyramid = sift_.pyramid();
    std::vector<std::vector<Plane>> fetched;
    run_and_wait(sift_.queue(), [&] {
      for (const OctaveLayout& o : pyramid.layout()) {
        std::vector<Plane>& images = fetched.emplace_back(static_cast<std::size_t>(pyramid.plan().levels()));
        wide first = o.first;
        for (Plane& image : images) {
          image.resize(o.width, o.height);
          for (int y = 0; y < o.height; ++y) {
            sift_.queue().download(image.row(y), pyramid.levels(),
                                   static_cast<std::size_t>(first + wide{y} * o.stride) * sizeof(float),
                                   static_cast<std::size_t>(o.width) * sizeof(float));
          }
          first += o.level_floats;
        }
      }
    });
    levels_ = std::move(fetched);
  }

  SiftParts parts_;
  GpuFacts facts_;
  CpuPool threads_{1};
  SiftGpu sift_;
  std::vector<std::vector<Plane>> levels_;  // of the last image, downloaded at the first request
};

}  // namespace

std::unique_ptr<SiftEngine> make_gpu_engine(const SiftParts& parts, const std::shared_ptr<Gpu>& gpu) {
  return std::make_unique<GpuEngine>(parts, gpu);
}

}  // namespace octavo
