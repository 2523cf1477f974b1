// The scale space once more, octave by octave, with everything kept that the extraction lets go as soon as it can.

#include "octavo/inspect.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>

#include "core/plane.h"
#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "inspect/candidates.h"
#include "octavo/extractor.h"
#include "scale_space/octave_cpu.h"
#include "scale_space/scale_space_reference.h"
#include "sift/trilateral_octaves_cpu.h"

namespace octavo {
namespace {

ImageView view_of(const Plane& plane) {
  return {plane.row(0),   plane.width(),
          plane.height(), 1,
          PixelType::f32, plane.stride() * static_cast<std::ptrdiff_t>(sizeof(float))};
}

// Makes the Gaussian images of an octave in planes that are there for the one before.
void make_blurs(const OctaveJob& octave, std::vector<Plane>& levels, std::deque<OctaveCpu>& workers, CpuPool& pool) {
  OctaveJob job = octave;
  levels.resize(static_cast<std::size_t>(job.plan->levels()));
  for (Plane& level : levels) {
    level.resize(job.size.width, job.size.height);
    job.keep.push_back(&level);
  }
  const std::vector<Tile> tiles = cut_into_tiles(job.size, pool.threads());
  pool.parallel_for(static_cast<int>(tiles.size()), [&](int i, int worker) {
    workers[static_cast<std::size_t>(worker)].run(job, tiles[static_cast<std::size_t>(i)], nullptr);
  });
}

struct Range {
  float low, high;
};

Range range_of(const Plane& plane) {
  Range range{plane.row(0)[0], plane.row(0)[0]};
  for (int y = 0; y < plane.height(); ++y) {
    const auto [low, high] = std::minmax_element(plane.row(y), plane.row(y) + plane.width());
    range = {std::min(range.low, *low), std::max(range.high, *high)};
  }
  constexpr float least = 1.0f / 65536;  // a flat picture shows its grey, and no rounding
  if (!(range.high - range.low > least)) range = {std::min(range.low, 0.0f), std::max(range.high, 1.0f)};
  return range;
}

// What 199 of 200 differences of an octave stay below: of all pixels, or of an even selection of a large octave.
float usual_difference(const std::vector<Plane>& levels) {
  constexpr double sample = 1 << 18;
  constexpr float least = 1.0f / 1024;  // a flat picture shows no noise
  const int width = levels[0].width(), height = levels[0].height();
  const int step = std::max(1, static_cast<int>(std::sqrt(double{1} * width * height / sample)));
  std::vector<float> sizes;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    for (int y = step / 2; y < height; y += step) {
      const float *a = levels[i].row(y), *b = levels[i + 1].row(y);
      for (int x = step / 2; x < width; x += step) sizes.push_back(std::abs(b[x] - a[x]));
    }
  }
  const auto usual = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() * 199 / 200);
  std::nth_element(sizes.begin(), usual, sizes.end());
  return std::max(*usual, least);
}

void show_octave(const std::vector<Plane>& levels, int octave, double sigma, Range grey, const ShowPlane& show,
                 const Inspection& so_far) {
  const int layers = static_cast<int>(levels.size()) - 3;
  StagePlane plane{.stage = "blur", .octave = octave, .black = grey.low, .white = grey.high};
  const auto is_level = [&](int level) {
    plane.level = level;
    plane.sigma = sigma * std::exp2(double{1} * level / layers);
  };
  for (std::size_t i = 0; i < levels.size(); ++i) {
    is_level(static_cast<int>(i));
    plane.pixels = view_of(levels[i]);
    show(plane, so_far);
  }
  plane.stage = "difference";
  plane.is_signed = true;
  plane.white = usual_difference(levels);
  plane.black = -plane.white;
  Plane difference;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    is_level(static_cast<int>(i));
    reference::difference(levels[i + 1], levels[i], difference);
    plane.pixels = view_of(difference);
    show(plane, so_far);
  }
}

}  // namespace

std::string StagePlane::name() const { return "octave" + std::to_string(octave) + "_" + stage + std::to_string(level); }

Inspection inspect(const ImageView& image, const ImageView* mask, const SiftOptions& options,
                   const DeviceOptions& device, const ShowPlane& show) {
  Inspection result;
  result.features = Extractor(options, device).extract(image, mask);

  const Isa isa = find_isa(device.isa);
  CpuPool pool(device.threads);
  std::deque<OctaveCpu> workers;
  for (int i = 0; i < pool.threads(); ++i) workers.emplace_back(isa);
  const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, options);
  inspection::Judgement judgement{&options, result.features.keypoints, mask};
  std::optional<TrilateralOctavesCpu> trilateral;
  if (options.smoothing == Smoothing::trilateral) trilateral.emplace(options, isa, pool);
  std::optional<Range> grey;  // of all blurs: none leaves the range of the first
  std::vector<Plane> levels;
  Plane first, half;
  for (std::size_t o = 0; o < plan.octaves.size(); ++o) {
    const Size size = plan.octaves[o];
    const bool is_last = o + 1 == plan.octaves.size();
    if (!is_last) half.resize(plan.octaves[o + 1].width, plan.octaves[o + 1].height);
    if (trilateral) {
      levels.resize(static_cast<std::size_t>(plan.levels()));
      for (Plane& level : levels) level.resize(size.width, size.height);
      if (o == 0) {
        trilateral->begin(image, plan, levels[0]);
      } else {
        std::swap(levels[0], first);
      }
      trilateral->complete(levels);
      if (!is_last) reference::halved(levels[static_cast<std::size_t>(plan.layers)], half);
      judgement.contrast = trilateral->contrast();
    } else {
      make_blurs({.plan = &plan,
                  .size = size,
                  .image = o == 0 ? &image : nullptr,
                  .luma = options.luma,
                  .first = o == 0 ? nullptr : &first,
                  .keep = {},
                  .half = is_last ? nullptr : &half},
                 levels, workers, pool);
    }
    std::swap(first, half);
    if (!grey) grey = range_of(levels[0]);

    const int octave = options.first_octave + static_cast<int>(o);
    inspection::JudgedOctave judged = inspection::judge_octave(levels, octave, judgement, pool);
    InspectedOctave& told = result.octaves.emplace_back();
    told.octave = octave;
    told.width = size.width;
    told.height = size.height;
    told.blurs = plan.levels();
    told.differences = plan.levels() - 1;
    told.faint = std::move(judged.faint);
    for (const Candidate& c : judged.candidates) {
      ++told.verdicts[static_cast<std::size_t>(c.verdict)];
      told.keypoints += c.keypoints;
    }
    result.candidates.insert(result.candidates.end(), judged.candidates.begin(), judged.candidates.end());
    show_octave(levels, octave, options.sigma, *grey, show, result);
  }
  return result;
}

}  // namespace octavo
