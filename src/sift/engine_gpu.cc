#include "sift/engine_gpu.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "sift/sift_gpu.h"

namespace octavo {

namespace {

// The caller of the single stages applies the budget.
SiftOptions without_budget(SiftOptions options) {
  options.max_features = 0;
  return options;
}

class GpuEngine : public SiftEngine {
 public:
  GpuEngine(const SiftOptions& options, const std::shared_ptr<Gpu>& gpu)
      : facts_(gpu->facts()), sift_(without_budget(options), gpu, gpu->queue()) {}

  std::vector<std::vector<Extremum>> detect(const ImageView& image) override {
    sift_.prepare(image, false);
    levels_.clear();
    std::vector<std::vector<Extremum>> octaves(sift_.pyramid().layout().size());
    if (!sift_.has_work()) return octaves;
    CpuPool alone(1);
    sift_.image().upload(sift_.queue(), image, alone);
    sift_.enqueue_scale_space();
    do {
      sift_.enqueue_clear();
      sift_.enqueue_extrema();
      sift_.enqueue_counts();
      sift_.queue().wait();
    } while (sift_.lists_grew(nullptr));
    for (const Oriented& o : fetch(sift_.found(), sift_.counted(extrema_counter))) {
      octaves[static_cast<std::size_t>(o.octave)].push_back(o.extremum);
    }
    for (auto& octave : octaves) std::sort(octave.begin(), octave.end());
    return octaves;
  }

  void fit_shapes(std::vector<Oriented>& extrema) override {
    if (extrema.empty()) return;
    const int n = static_cast<int>(extrema.size());
    sift_.make_lists(0, n, n);
    set_count(extrema_counter, n);
    sift_.queue().upload(sift_.found(), 0, extrema.data(), extrema.size() * sizeof(Oriented));
    sift_.enqueue_shapes();
    extrema = fetch(sift_.found(), extrema.size());
  }

  std::vector<Orientations> orient(const std::vector<Oriented>& extrema) override {
    std::vector<Orientations> orientations(extrema.size());
    if (extrema.empty()) return orientations;
    const int n = static_cast<int>(extrema.size());
    sift_.make_lists(0, n, 4 * n);
    set_count(extrema_counter, n);
    sift_.queue().upload(sift_.found(), 0, extrema.data(), extrema.size() * sizeof(Oriented));
    sift_.enqueue_orientation();
    sift_.enqueue_counts();
    sift_.queue().wait();
    // The orientations come in no order; those of one extremum are collected by its grid position.
    const auto point = [](const Oriented& o) {
      return std::tuple(o.octave, o.extremum.layer, o.extremum.row, o.extremum.column);
    };
    std::vector<Oriented> found = fetch(sift_.oriented(), sift_.counted(keypoint_counter));
    std::sort(found.begin(), found.end(), [&](const Oriented& a, const Oriented& b) {
      return std::tuple_cat(point(a), std::tuple(a.turns)) < std::tuple_cat(point(b), std::tuple(b.turns));
    });
    for (std::size_t i = 0; i < extrema.size(); ++i) {
      auto o = std::lower_bound(found.begin(), found.end(), extrema[i],
                                [&](const Oriented& a, const Oriented& b) { return point(a) < point(b); });
      for (; o != found.end() && point(*o) == point(extrema[i]) && orientations[i].count < 4; ++o) {
        orientations[i].turns[static_cast<std::size_t>(orientations[i].count++)] = o->turns;
      }
    }
    return orientations;
  }

  void describe(const std::vector<Oriented>& keypoints, std::uint8_t* descriptors) override {
    if (keypoints.empty()) return;
    const int n = static_cast<int>(keypoints.size());
    sift_.make_lists(0, n, n);
    set_count(keypoint_counter, n);
    sift_.queue().upload(sift_.sorted(), 0, keypoints.data(), keypoints.size() * sizeof(Oriented));
    sift_.enqueue_description();
    sift_.queue().download(descriptors, sift_.descriptors(), 0, keypoints.size() * descriptor_length);
    sift_.queue().wait();
  }

  const Plane& level(int octave, int layer) override {
    if (levels_.empty()) fetch_levels();
    return levels_[static_cast<std::size_t>(octave)][static_cast<std::size_t>(layer)];
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image) const override {
    return memory_of_job(sift_, facts_, image, false).need;
  }

 private:
  std::vector<Oriented> fetch(const GpuBuffer& list, std::size_t n) {
    std::vector<Oriented> items(n);
    sift_.queue().download(items.data(), list, 0, n * sizeof(Oriented));
    sift_.queue().wait();
    return items;
  }

  // Sets one counter, and all other tallies to 0.
  void set_count(int counter, int n) {
    sift_.enqueue_clear();
    std::array<std::uint32_t, counters> counts{};
    counts[static_cast<std::size_t>(counter)] = static_cast<std::uint32_t>(n);
    sift_.queue().upload(sift_.tallies(), 0, counts.data(), sizeof counts);
    sift_.queue().wait();
  }

  void fetch_levels() {
    const PyramidGpu& pyramid = sift_.pyramid();
    for (const OctaveLayout& o : pyramid.layout()) {
      std::vector<Plane>& images = levels_.emplace_back(static_cast<std::size_t>(pyramid.plan().levels()));
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
    sift_.queue().wait();
  }

  GpuFacts facts_;
  SiftGpu sift_;
  std::vector<std::vector<Plane>> levels_;  // of the last image, downloaded at the first request
};

}  // namespace

std::unique_ptr<SiftEngine> make_gpu_engine(const SiftOptions& options, const std::shared_ptr<Gpu>& gpu) {
  return std::make_unique<GpuEngine>(options, gpu);
}

}  // namespace octavo
