// Computes the scale space again, octave by octave, and keeps everything that the extraction drops early.

#include "octavo/inspect.h"

#include <optional>
#include <utility>

#include "core/check_image.h"
#include "core/plane.h"
#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "device/registry.h"
#include "inspect/candidates.h"
#include "inspect/inspection_memory.h"
#include "inspect/shown_planes.h"
#include "inspect/trilateral_stages.h"
#include "octavo/extractor.h"
#include "scale_space/octave_tiles_cpu.h"
#include "scale_space/scale_space_reference.h"
#include "sift/trilateral_octaves_cpu.h"

namespace octavo {
namespace {

// Makes the Gaussian images of an octave, in the planes of the octave before.
void make_blurs(const OctaveJob& octave, std::vector<Plane>& levels, OctaveTilesCpu& tiles) {
  OctaveJob job = octave;
  levels.resize(static_cast<std::size_t>(job.plan->levels()));
  for (Plane& level : levels) {
    level.resize(job.size.width, job.size.height);
    job.keep.push_back(&level);
  }
  tiles.run(job);
}

std::vector<BlurKernel> kernels_of(const ScaleSpacePlan& plan, Smoothing smoothing) {
  std::vector<BlurKernel> kernels{{0, plan.base.sigma, plan.base.weight}};
  if (smoothing == Smoothing::trilateral) return kernels;
  for (const Taps& taps : plan.step) kernels.push_back({static_cast<int>(kernels.size()), taps.sigma, taps.weight});
  return kernels;
}

void show_octave(const std::vector<Plane>& levels, int octave, const SiftOptions& options, inspection::Range grey,
                 const ShowPlane& show, const Inspection& so_far) {
  StagePlane plane{.stage = "blur", .octave = octave, .black = grey.low, .white = grey.high};
  const auto is_level = [&](int level) {
    plane.level = level;
    plane.sigma = sigma_of_level(options, level);
  };
  for (std::size_t i = 0; i < levels.size(); ++i) {
    is_level(static_cast<int>(i));
    plane.pixels = inspection::view_of(levels[i]);
    show(plane, so_far);
  }
  plane.stage = "difference";
  plane.is_signed = true;
  Plane difference;
  inspection::UsualSize usual;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    reference::difference(levels[i + 1], levels[i], difference);
    usual.add(difference);
  }
  plane.white = usual.value();
  plane.black = -plane.white;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    is_level(static_cast<int>(i));
    reference::difference(levels[i + 1], levels[i], difference);
    plane.pixels = inspection::view_of(difference);
    show(plane, so_far);
  }
}

}  // namespace

std::string StagePlane::name() const { return "octave" + std::to_string(octave) + "_" + stage + std::to_string(level); }

Inspection inspect(const ImageView& image, const ImageView* mask, const SiftOptions& asked, const DeviceOptions& device,
                   const ShowPlane& show) {
  inspection::require_memory(image, asked, device, {});
  const SiftOptions options = without_target(asked);
  Inspection result;
  const bool searched = finds_keypoints(options);
  if (searched) {
    result.features = Extractor(options, device).extract(image, mask);
  } else {
    check_image(image);
    resolve_devices(device);
  }

  const Isa isa = find_isa(device.isa);  // the planes are computed on the CPU
  CpuPool pool(device.threads, device.progress);
  OctaveTilesCpu tiles(isa, pool);
  const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, options);
  if (!plan.octaves.empty()) result.kernels = kernels_of(plan, options.smoothing);
  inspection::Judgement judgement{&options, result.features.keypoints, mask};
  std::optional<TrilateralOctavesCpu> trilateral;
  if (options.smoothing == Smoothing::trilateral) trilateral.emplace(options, isa, pool);
  std::optional<inspection::Range> grey;  // of all blurs, since none leaves the range of the first
  std::vector<Plane> levels;
  Plane first, half;
  for (std::size_t o = 0; o < plan.octaves.size(); ++o) {
    const Size size = plan.octaves[o];
    const bool is_last = o + 1 == plan.octaves.size();
    const int octave = options.first_octave + static_cast<int>(o);
    InspectedOctave& inspected = result.octaves.emplace_back();
    inspected.octave = octave;
    inspected.width = size.width;
    inspected.height = size.height;
    inspected.blurs = plan.levels();
    inspected.differences = plan.levels() - 1;
    if (!is_last) half.resize(plan.octaves[o + 1].width, plan.octaves[o + 1].height);
    if (trilateral) {
      levels.resize(static_cast<std::size_t>(plan.levels()));
      for (Plane& level : levels) level.resize(size.width, size.height);
      if (o == 0) {
        trilateral->begin(image, plan, levels[0]);
        judgement.contrast = result.contrast = trilateral->contrast();
      } else {
        std::swap(levels[0], first);
      }
      inspection::TrilateralStages stages(octave, options.sigma, options.layers, show, result);
      trilateral->complete(levels, [&](int made, int source, const TrilateralCpu& filter) {
        stages.show(made, levels[static_cast<std::size_t>(made)], source, levels[static_cast<std::size_t>(source)],
                    filter);
      });
      if (!is_last) reference::halved(levels[static_cast<std::size_t>(plan.layers)], half);
    } else {
      make_blurs({.plan = &plan,
                  .size = size,
                  .image = o == 0 ? &image : nullptr,
                  .luma = options.luma,
                  .first = o == 0 ? nullptr : &first,
                  .keep = {},
                  .half = is_last ? nullptr : &half},
                 levels, tiles);
    }
    std::swap(first, half);
    if (!grey) grey = inspection::range_of(levels[0]);

    inspection::JudgedOctave judged;
    if (searched) judged = inspection::judge_octave(levels, octave, judgement, pool);
    inspected.faint = std::move(judged.faint);
    for (const Candidate& c : judged.candidates) {
      ++inspected.verdicts[static_cast<std::size_t>(c.verdict)];
      inspected.keypoints += c.keypoints;
    }
    result.candidates.insert(result.candidates.end(), judged.candidates.begin(), judged.candidates.end());
    show_octave(levels, octave, options, *grey, show, result);
  }
  return result;
}

}  // namespace octavo
