// Computes the scale space again, octave by octave, and keeps everything that the extraction drops early.

#include "engine/inspect/sift_inspector.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/check_image.h"
#include "engine/core/plane.h"
#include "engine/core/scratch.h"
#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "engine/device/registry.h"
#include "engine/inspect/candidates.h"
#include "engine/inspect/octave_blurs.h"
#include "engine/inspect/shown_planes.h"
#include "engine/inspect/trilateral_stages.h"
#include "engine/scale_space/grey_on_host.h"
#include "engine/scale_space/scale_space_reference.h"
#include "engine/sift/extrema.h"
#include "engine/sift/usual_keypoints.h"
#include "engine/trilateral/trilateral_octaves_cpu.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/pyramid.h"

namespace octavo::inspection {
namespace {

std::uint64_t pixels_of(Size size) {
  return static_cast<std::uint64_t>(size.width) * static_cast<std::uint64_t>(size.height);
}

std::vector<BlurKernel> kernels_of(const ScaleSpacePlan& plan, Smoothing smoothing) {
  std::vector<BlurKernel> kernels{{0, plan.base.sigma, plan.base.weight}};
  if (smoothing == Smoothing::trilateral) return kernels;
  for (const Taps& taps : plan.step) kernels.push_back({static_cast<int>(kernels.size()), taps.sigma, taps.weight});
  return kernels;
}

// The image that the first blur is of. Repeated smoothing begins with it, so that there it is the first blur.
void show_image(const ImageView& image, const ScaleSpacePlan& plan, const ScaleSpaceOptions& space,
                OctaveTilesCpu& tiles, const ShowPlane& show, const Inspection& so_far) {
  ScaleSpacePlan as_it_is = plan;
  as_it_is.base = {.sigma = 0, .weight = {1.0f}};
  as_it_is.step.clear();
  Plane pixels;
  pixels.resize(plan.octaves[0].width, plan.octaves[0].height);
  tiles.run({.plan = &as_it_is, .size = plan.octaves[0], .image = &image, .luma = space.luma, .keep = {&pixels}});
  const Range grey = range_of(pixels);
  show({.stage = "image",
        .octave = space.first_octave,
        .level = -1,
        .pixels = view_of(pixels),
        .black = grey.low,
        .white = grey.high},
       so_far);
}

void show_octave(const std::vector<Plane>& levels, int octave, const ScaleSpaceOptions& scale_space, Range grey,
                 const ShowPlane& show, const Inspection& so_far) {
  StagePlane plane{.stage = "blur", .octave = octave, .black = grey.low, .white = grey.high};
  const auto is_level = [&](int level) {
    plane.level = level;
    plane.sigma = sigma_of_level(scale_space, level);
  };
  for (std::size_t i = 0; i < levels.size(); ++i) {
    is_level(static_cast<int>(i));
    plane.pixels = view_of(levels[i]);
    show(plane, so_far);
  }
  plane.stage = "difference";
  plane.is_signed = true;
  Plane difference;
  UsualSize usual;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    reference::difference(levels[i + 1], levels[i], difference);
    usual.add(difference);
  }
  plane.white = usual.value();
  plane.black = -plane.white;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    is_level(static_cast<int>(i));
    reference::difference(levels[i + 1], levels[i], difference);
    plane.pixels = view_of(difference);
    show(plane, so_far);
  }
}

// None without a search: what an extraction refuses is refused then too.
Features features_of(const SiftOptions& sift, const ImageView& image, const ImageView* mask,
                     const DeviceOptions& device) {
  if (finds_keypoints(sift)) return Extractor(sift, device).extract(image, mask);
  check_image(image);
  resolve_devices(device);
  return {};
}

InspectedOctave entry_of(const ScaleSpacePlan& plan, const ScaleSpaceOptions& space, std::size_t o, double before) {
  InspectedOctave entry;
  entry.octave = space.first_octave + static_cast<int>(o);
  entry.width = plan.octaves[o].width;
  entry.height = plan.octaves[o].height;
  entry.blurs = plan.levels();
  entry.differences = plan.levels() - 1;
  for (int level = 0; level < plan.levels(); ++level) {
    const double sigma = std::ldexp(sigma_of_level(space, level), entry.octave);
    entry.sigmas.push_back(std::sqrt(before * before + sigma * sigma));
  }
  return entry;
}

// The levels of an octave of a trilateral scale space. Its first image is in `first` before, that of the next octave in
// `half` after.
void make_trilateral(TrilateralOctavesCpu& trilateral, const ScaleSpacePlan& plan, std::size_t o,
                     std::vector<Plane>& levels, Plane& first, Plane& half, TrilateralStages& stages) {
  levels.resize(static_cast<std::size_t>(plan.levels()));
  for (Plane& level : levels) level.resize(plan.octaves[o].width, plan.octaves[o].height);
  std::swap(levels[0], first);
  trilateral.complete(levels, [&](int made, int source, const TrilateralCpu& filter) {
    stages.show(made, levels[static_cast<std::size_t>(made)], source, levels[static_cast<std::size_t>(source)], filter);
  });
  if (o + 1 < plan.octaves.size()) reference::halved(levels[static_cast<std::size_t>(plan.halved)], half);
}

void add_candidates(JudgedOctave judged, Inspection& result) {
  InspectedOctave& inspected = result.octaves.back();
  inspected.faint = std::move(judged.faint);
  for (const Candidate& c : judged.candidates) {
    ++inspected.verdicts[static_cast<std::size_t>(c.verdict)];
    inspected.keypoints += c.keypoints;
  }
  result.candidates.insert(result.candidates.end(), judged.candidates.begin(), judged.candidates.end());
}

}  // namespace

std::vector<CandidateVerdict> SiftInspector::verdicts() const {
  return {CandidateVerdict::unstable,    CandidateVerdict::low_contrast, CandidateVerdict::on_edge,
          CandidateVerdict::duplicate,   CandidateVerdict::outside_mask, CandidateVerdict::no_orientation,
          CandidateVerdict::over_budget, CandidateVerdict::kept};
}

bool SiftInspector::finds_keypoints() const { return octavo::finds_keypoints(sift_); }

void SiftInspector::check(const DeviceOptions& device) const {
  if (sift_.views != Views::none) {
    throw Error(ErrorCode::invalid_option, InvalidOption{"views", "\"" + std::string(word_of(sift_.views)) + "\"",
                                                         "must be none: an inspection shows the stages of one image"});
  }
  if (finds_keypoints()) {
    Extractor(sift_, device);
  } else {
    Pyramid(sift_, device);
  }
}

Inspection SiftInspector::inspect(const ImageView& given, const ImageView* mask, const DeviceOptions& device,
                                  const ShowPlane& show) const {
  const ScaleSpaceOptions& space = parts_.scale_space;
  Inspection result;
  const bool searched = finds_keypoints();
  result.features = features_of(sift_, given, mask, device);

  const Isa isa = find_isa(device.isa);  // the planes are computed on the CPU
  CpuPool pool(device.threads, device.progress);
  std::vector<std::byte> bytes;
  GreyOnHost grey_of(space.luma, isa, CpuPool(device.threads, device.progress),
                     [&](std::size_t count) { return (bytes.resize(count), bytes.data()); });
  const ImageView image = sift_.grey == GreyOn::host ? grey_of.of(given, nullptr) : given;
  OctaveTilesCpu tiles(isa, pool);
  const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, space);
  if (plan.octaves.empty()) return result;
  result.kernels = kernels_of(plan, space.smoothing);
  Judgement judgement{&parts_, result.features.keypoints, mask};
  std::optional<Range> grey;  // of all blurs, since none leaves the range of the first
  std::vector<Plane> levels;
  Plane first, half;
  std::optional<TrilateralOctavesCpu> trilateral;
  if (space.smoothing == Smoothing::trilateral) {
    trilateral.emplace(space, isa, pool);
    first.resize(plan.octaves[0].width, plan.octaves[0].height);
    trilateral->begin(image, plan, first);
    judgement.contrast = trilateral->contrast();
  }
  double before = 0;  // [pixel of the image] σ of the octave's input, where the σ of levels are those beyond it
  for (std::size_t o = 0; o < plan.octaves.size(); ++o) {
    const bool is_last = o + 1 == plan.octaves.size();
    const InspectedOctave& inspected = result.octaves.emplace_back(entry_of(plan, space, o, before));
    if (space.smoothing == Smoothing::repeated) before = inspected.sigmas[static_cast<std::size_t>(plan.halved)];
    if (o == 0 && space.smoothing != Smoothing::repeated) show_image(image, plan, space, tiles, show, result);
    if (!is_last) half.resize(plan.octaves[o + 1].width, plan.octaves[o + 1].height);
    if (trilateral) {
      result.contrast = judgement.contrast;
      TrilateralStages stages(inspected.octave, space.sigma, space.layers, show, result);
      make_trilateral(*trilateral, plan, o, levels, first, half, stages);
    } else {
      make_blurs({.plan = &plan,
                  .size = plan.octaves[o],
                  .image = o == 0 ? &image : nullptr,
                  .luma = space.luma,
                  .first = o == 0 ? nullptr : &first,
                  .keep = {},
                  .half = is_last ? nullptr : &half},
                 levels, tiles);
    }
    std::swap(first, half);
    if (!grey) grey = range_of(levels[0]);
    if (searched) add_candidates(judge_octave(levels, inspected.octave, judgement, pool), result);
    show_octave(levels, inspected.octave, space, *grey, show, result);
  }
  return result;
}

// An octave has a quarter of the pixels of the one before. Steps of the trilateral filter count as the first blur.
int SiftInspector::percent_at(const StagePlane& plane, const Inspection& so_far) const {
  const InspectedOctave& octave = so_far.octaves.back();
  const int count = octave.blurs + octave.differences;
  const int at = plane.stage == "blur" ? plane.level : plane.stage == "difference" ? octave.blurs + plane.level : 0;
  const double left = std::pow(0.25, so_far.octaves.size() - 1) * (1 - 0.75 * at / count);
  return static_cast<int>(100 * (1 - left));
}

InspectionSize SiftInspector::size_for(const ImageView& image) const {
  const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, parts_.scale_space);
  if (plan.octaves.empty()) return {};
  const std::uint64_t keypoints = usual_keypoints(pixels_of(plan.octaves.front()));
  return {.largest = plan.octaves.front(),
          .octaves = plan.octaves.size(),
          .planes = plan.octaves.size() * static_cast<std::uint64_t>(2 * plan.levels()) + 1,
          .candidates = 3 * keypoints,  // a usual keypoint comes from one of three
          .keypoints = keypoints};
}

MemoryNeed SiftInspector::memory_of_planes(const ImageView& image, const DeviceOptions& device) const {
  const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, parts_.scale_space);
  MemoryNeed need;
  if (plan.octaves.empty()) return need;
  const Isa isa = find_isa(device.isa);
  CpuPool pool(device.threads);
  const InspectionSize size = size_for(image);
  const Size first = size.largest;
  const std::uint64_t plane = Plane::bytes_of(first.width, first.height);
  const Size next = plan.octaves.size() > 1 ? plan.octaves[1] : Size{0, 0};
  // The images of the octave, a difference, and the first image of the next octave, twice. The image before the first
  // blur is gone by then.
  const auto levels = static_cast<std::uint64_t>(plan.levels());
  need.least.host = (levels + 1) * plane + 2 * Plane::bytes_of(next.width, next.height);
  need.usual = need.least;

  if (parts_.scale_space.smoothing == Smoothing::trilateral) {
    need += TrilateralOctavesCpu(parts_.scale_space, isa, pool).memory_for(image, plan);
  } else {
    const std::uint64_t rings =
        OctaveTilesCpu(isa, pool).bytes_for({.plan = &plan, .size = first, .image = &image, .keep = {}});
    need.usual.host += rings + static_cast<std::uint64_t>(pool.threads()) * scratch_of_thread;
  }
  // Lists double when they grow. Each value of a sample of the differences is there twice.
  constexpr std::uint64_t sample = std::uint64_t{1} << 18;
  need.usual.host += (levels - 1) * std::min(sample, pixels_of(first)) * 3 * sizeof(float);
  need.usual.host += size.candidates * 2 * (sizeof(reference::Trial) + sizeof(Candidate));
  need.usual.host += size.keypoints * (sizeof(Keypoint) + descriptor_length);
  return need;
}

}  // namespace octavo::inspection
