// Tiles of each octave stream through blurs and differences. Of the Gaussian images only those that are wanted leave
// the cache. Trilateral smoothing makes whole images, and the differences follow.

#include "engine/pyramid/engine_cpu.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "engine/core/scratch.h"
#include "engine/device/stage_clock.h"
#include "engine/pyramid/plane_views.h"
#include "engine/scale_space/differences_cpu.h"
#include "engine/scale_space/octave_tiles_cpu.h"
#include "engine/scale_space/scale_space_reference.h"
#include "engine/trilateral/trilateral_octaves_cpu.h"

namespace octavo {

namespace {

void resize(std::vector<Plane>& planes, int count, Size size) {
  planes.resize(static_cast<std::size_t>(count));
  for (Plane& plane : planes) plane.resize(size.width, size.height);
}

class CpuPyramid : public PyramidEngine {
 public:
  CpuPyramid(const ScaleSpaceOptions& scale_space, const PyramidOptions& options, const Isa& isa, CpuPool pool)
      : scale_space_(scale_space), options_(options), isa_(isa), pool_(std::move(pool)), tiles_(isa, pool_) {
    if (scale_space.smoothing == Smoothing::trilateral) trilateral_.emplace(scale_space, isa, pool_);
  }

  void compute(const ImageView& image, std::vector<StageTime>* times) override {
    StageClock clock(times);
    const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, scale_space_);
    octaves_ = plan.octaves.size();
    if (gaussians_.size() < octaves_) {
      gaussians_.resize(octaves_);
      differences_.resize(octaves_);
      firsts_.resize(octaves_);
    }
    while (sinks_.size() < static_cast<std::size_t>(pool_.threads())) sinks_.emplace_back(isa_);
    for (std::size_t o = 0; o < octaves_; ++o) {
      pool_.stage("octave " + std::to_string(o + 1) + " of " + std::to_string(octaves_));
      if (keeps_gaussians()) resize(gaussians_[o], plan.levels(), plan.octaves[o]);
      if (options_.differences) resize(differences_[o], plan.levels() - 1, plan.octaves[o]);
      if (trilateral_) {
        make_trilateral_octave(o, plan, image);
      } else {
        make_gaussian_octave(o, plan, image);
      }
    }
    clock.lap(pyramid_in_one_pass);
  }

  void fetch(const Take& take) override {
    for (std::size_t o = 0; o < octaves_; ++o) {
      std::vector<ImageView> gaussians, differences;
      if (options_.gaussians) gaussians = views_of(gaussians_[o]);
      if (options_.differences) differences = views_of(differences_[o]);
      take(static_cast<int>(o), gaussians, differences);
    }
  }

  std::byte* room_for_image(std::size_t bytes) override {
    image_.resize(bytes);
    return image_.data();
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image) const override {
    const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, scale_space_);
    MemoryNeed need;
    if (plan.octaves.empty()) return need;
    std::uint64_t planes = 0, rings = 0;
    for (std::size_t o = 0; o < plan.octaves.size(); ++o) {
      const Size size = plan.octaves[o];
      const int kept = (keeps_gaussians() ? plan.levels() : 0) + (options_.differences ? plan.levels() - 1 : 0) +
                       (o > 0 && !trilateral_ ? 1 : 0);  // firsts_[o]
      planes += static_cast<std::uint64_t>(kept) * Plane::bytes_of(size.width, size.height);
      if (!trilateral_) rings = std::max(rings, tiles_.bytes_for(job_of(plan, o, image)));
    }
    need.least.host = planes;
    need.usual.host = planes + rings + static_cast<std::uint64_t>(pool_.threads()) * scratch_of_thread;
    return trilateral_ ? need + trilateral_->memory_for(image, plan) : need;
  }

 private:
  // Trilateral smoothing makes an image from the whole image before.
  [[nodiscard]] bool keeps_gaussians() const { return options_.gaussians || trilateral_; }

  // The job of an octave without its planes.
  [[nodiscard]] OctaveJob job_of(const ScaleSpacePlan& plan, std::size_t octave, const ImageView& image) const {
    return {.plan = &plan,
            .size = plan.octaves[octave],
            .image = octave == 0 ? &image : nullptr,
            .luma = scale_space_.luma,
            .keep = {}};
  }

  void make_gaussian_octave(std::size_t o, const ScaleSpacePlan& plan, const ImageView& image) {
    OctaveJob job = job_of(plan, o, image);
    if (o > 0) job.first = &firsts_[o];
    if (options_.gaussians) {
      for (Plane& plane : gaussians_[o]) job.keep.push_back(&plane);
    }
    if (o + 1 < octaves_) {
      firsts_[o + 1].resize(plan.octaves[o + 1].width, plan.octaves[o + 1].height);
      job.half = &firsts_[o + 1];
    }
    tiles_.run(job, [&](int worker, const Tile& tile) { return sink_of(worker, tile, o); });
  }

  void make_trilateral_octave(std::size_t o, const ScaleSpacePlan& plan, const ImageView& image) {
    constexpr int rows_at_once = 32;
    std::vector<Plane>& levels = gaussians_[o];
    if (o == 0) {
      trilateral_->begin(image, plan, levels[0]);
    } else {
      reference::halved(gaussians_[o - 1][static_cast<std::size_t>(plan.halved)], levels[0]);
    }
    trilateral_->complete(levels);
    const Size size = plan.octaves[o];
    std::vector<LevelRows> rows;
    for (const Plane& plane : levels) rows.push_back({plane.row(0), plane.stride(), plane.height()});
    pool_.parallel_for((size.height + rows_at_once - 1) / rows_at_once, [&](int i, int worker) {
      const Tile band{0, size.width, i * rows_at_once, std::min((i + 1) * rows_at_once, size.height)};
      if (TileSink* sink = sink_of(worker, band, o)) sink->rows_ready(rows, band.y_begin, band.y_end);
    });
  }

  // Null if there are no differences to make.
  TileSink* sink_of(int worker, const Tile& tile, std::size_t octave) {
    if (!options_.differences) return nullptr;
    DifferencesCpu& sink = sinks_[static_cast<std::size_t>(worker)];
    sink.begin(tile, differences_[octave]);
    return &sink;
  }

  ScaleSpaceOptions scale_space_;
  PyramidOptions options_;
  Isa isa_;
  CpuPool pool_;
  OctaveTilesCpu tiles_;
  std::optional<TrilateralOctavesCpu> trilateral_;
  std::deque<DifferencesCpu> sinks_;  // of each thread
  std::size_t octaves_ = 0;           // of the last image
  std::vector<std::vector<Plane>> gaussians_, differences_;
  std::vector<Plane> firsts_;  // per octave except the first: its first image, with Gaussian smoothing
  std::vector<std::byte> image_;
};

}  // namespace

std::unique_ptr<PyramidEngine> make_pyramid_cpu(const ScaleSpaceOptions& scale_space, const PyramidOptions& options,
                                                Isa isa, CpuPool pool) {
  return std::make_unique<CpuPyramid>(scale_space, options, std::move(isa), std::move(pool));
}

}  // namespace octavo
