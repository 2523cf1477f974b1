// The stages of FOAGDD for the whole image. An extraction computes the larger scales at candidates alone; a pixel has
// the same measure either way.

#include "engine/inspect/foagdd_inspector.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "engine/core/plane.h"
#include "engine/core/scratch.h"
#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "engine/foagdd/description.h"
#include "engine/foagdd/foagdd_planes_cpu.h"
#include "engine/foagdd/foagdd_reference.h"
#include "engine/inspect/keypoints_of_candidate.h"
#include "engine/inspect/octave_blurs.h"
#include "engine/inspect/shown_planes.h"
#include "engine/scale_space/octave_tiles_cpu.h"
#include "octavo/foagdd.h"

namespace octavo::inspection {
namespace {

constexpr float no_response = -std::numeric_limits<float>::infinity();

float response_of(std::int32_t key) { return key > 0 ? log10_of_measure(key) : no_response; }

std::vector<DirectionalFilter> filters_of(const FoagddPlan& plan) {
  std::vector<DirectionalFilter> filters;
  for (std::size_t s = 0; s < plan.scales.size(); ++s) {
    for (int d = 0; d < plan.directions; ++d) {
      filters.push_back({.scale = static_cast<int>(s) + 1,
                         .direction = d,
                         .side = filter_side,
                         .weights = image_of_filter(plan.scales[s], d)});
    }
  }
  return filters;
}

// What twice the contrast adds to a response: the measure grows with the contrast to the power 2K − 2.
double response_of_contrast(const FoagddOptions& options) { return (2 * options.directions - 2) * std::log10(2.0); }

// The number of planes of a scale.
int planes_of_scale(const FoagddOptions& options) { return options.directions + 1; }

void show_derivatives(const std::vector<Plane>& responses, StagePlane plane, const ShowPlane& show,
                      const Inspection& so_far) {
  plane.stage = "derivative";
  UsualSize usual;
  for (const Plane& response : responses) usual.add(response);
  plane.white = usual.value();
  for (std::size_t d = 0; d < responses.size(); ++d) {
    plane.level = static_cast<int>(d);
    plane.pixels = view_of(responses[d]);
    show(plane, so_far);
  }
}

void show_measure(const FoagddKeys& keys, const FoagddOptions& options, StagePlane plane, Plane& measure,
                  const ShowPlane& show, const Inspection& so_far) {
  const FoagddRegion& region = keys.region();
  float greatest = no_response;
  for (int y = 0; y < measure.height(); ++y) {
    std::fill_n(measure.row(y), measure.width(), no_response);
    if (y < region.row_begin || y >= region.row_end) continue;
    for (int x = region.column_begin; x < std::min(region.column_end, measure.width()); ++x) {
      measure.row(y)[x] = response_of(keys.at(y, x));
      greatest = std::max(greatest, measure.row(y)[x]);
    }
  }
  const double threshold = options.corner_threshold;
  const double reach = std::max<double>(greatest - threshold, response_of_contrast(options));
  plane.stage = "measure";
  plane.level = -1;
  plane.white = static_cast<float>(threshold + reach);
  plane.black = static_cast<float>(threshold - reach);
  plane.has_peaks = true;
  plane.pixels = view_of(measure);
  show(plane, so_far);
}

bool is_highest(const FoagddKeys& keys, int row, int column) {
  for (int i = -suppression_reach; i <= suppression_reach; ++i) {
    for (int j = -suppression_reach; j <= suppression_reach; ++j) {
      if (keys.at(row + i, column + j) > keys.at(row, column)) return false;
    }
  }
  return true;
}

// Judges the pixels of an image scale by scale. The results are the scales and the candidates of an inspection.
class Judge {
 public:
  Judge(const FoagddOptions& options, const FoagddPlan& plan, const std::vector<FoagddKeys>& keys, Inspection& result)
      : options_(options), plan_(plan), keys_(keys), result_(result) {
    for (std::size_t s = 0; s < keys.size(); ++s) {
      const int scale = static_cast<int>(s) + 1;
      result.scales.push_back({.scale = scale, .sigma = sigma_of_scale(scale)});
    }
  }

  void judge(int width, int height) {
    for (int row = corner_border; row <= height - corner_border; ++row) {
      for (int column = corner_border; column <= width - corner_border; ++column) judge_pixel(row, column);
    }
    std::vector<Candidate>& all = result_.candidates;
    std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.layer < b.layer; });
    for (const Candidate& c : all) {
      for (const FoagddKeys& keys : keys_) result_.responses.push_back(response_of(keys.at(c.row, c.column)));
    }
  }

 private:
  void judge_pixel(int row, int column) {
    InspectedScale& first = result_.scales.front();
    const std::int32_t key = keys_.front().at(row, column);
    const bool highest = is_highest(keys_.front(), row, column);
    ++first.judged;
    if (key <= plan_.threshold_key) {
      ++first.below_threshold;
      if (!highest || key <= 0) return;
      if (key > key_at_half_contrast(plan_.threshold_key, plan_.directions)) {
        add(row, column, 1, CandidateVerdict::below_threshold);
      } else {
        ++result_.octaves.front().faint.front();
      }
      return;
    }
    if (!highest) {
      ++first.not_highest;
      add(row, column, 1, CandidateVerdict::not_highest);
      return;
    }
    ++first.passed;
    for (std::size_t s = 1; s < keys_.size(); ++s) {
      InspectedScale& scale = result_.scales[s];
      ++scale.judged;
      if (keys_[s].at(row, column) <= plan_.threshold_key) {
        ++scale.below_threshold;
        const auto rejected = static_cast<std::size_t>(CandidateVerdict::scale_2) + s - 1;
        add(row, column, scale.scale, static_cast<CandidateVerdict>(rejected));
        return;
      }
      ++scale.passed;
    }
    add(row, column, static_cast<int>(keys_.size()), CandidateVerdict::kept);
  }

  void add(int row, int column, int scale, CandidateVerdict verdict) {
    result_.candidates.push_back({.octave = 0,
                                  .layer = scale,
                                  .row = row,
                                  .column = column,
                                  .x = static_cast<float>(column),
                                  .y = static_cast<float>(row),
                                  .scale = static_cast<float>(options_.descriptor_scale),
                                  .value = response_of(keys_.front().at(row, column)),
                                  .verdict = verdict});
  }

  const FoagddOptions& options_;
  const FoagddPlan& plan_;
  const std::vector<FoagddKeys>& keys_;
  Inspection& result_;
};

// The Gaussian images of the description: corners are described in the second.
constexpr std::size_t level_of_description = 1;

std::vector<Plane> description_levels(const FoagddOptions& options, const ImageView& image, const Isa& isa,
                                      CpuPool& pool) {
  const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, scale_space_of(options));
  OctaveTilesCpu tiles(isa, pool);
  std::vector<Plane> levels;
  make_blurs({.plan = &plan,
              .size = plan.octaves.front(),
              .image = &image,
              .luma = options.luma,
              .first = nullptr,
              .keep = {},
              .half = nullptr},
             levels, tiles);
  return levels;
}

void show_description(const Plane& blur, const FoagddOptions& options, const ShowPlane& show,
                      const Inspection& so_far) {
  const Range grey = range_of(blur);
  show({.stage = "blur",
        .sigma = options.descriptor_scale,
        .pixels = view_of(blur),
        .black = grey.low,
        .white = grey.high},
       so_far);
}

// Decides on the candidates that passed all scales.
void judge_passed_ones(const FoagddOptions& options, const Plane* level, const ImageView* mask, Inspection& result) {
  for (Candidate& c : result.candidates) {
    if (c.verdict != CandidateVerdict::kept) continue;
    const PassedPoint point{
        .keypoint = {.x = c.x, .y = c.y, .scale = c.scale},
        .in_octave = {.octave = 0, .extremum = {.layer = 1, .row = c.row, .column = c.column}, .scale = c.scale},
        .level = options.upright ? nullptr : level,
        .mask = mask};
    judge_passed(point, result.features.keypoints, c);
  }
}

}  // namespace

std::vector<CandidateVerdict> FoagddInspector::verdicts() const {
  std::vector<CandidateVerdict> verdicts{CandidateVerdict::below_threshold, CandidateVerdict::not_highest};
  for (int scale = 2; scale <= foagdd_.verify_scales; ++scale) {
    verdicts.push_back(static_cast<CandidateVerdict>(static_cast<int>(CandidateVerdict::scale_2) + scale - 2));
  }
  verdicts.push_back(CandidateVerdict::outside_mask);
  if (foagdd_.describe && !foagdd_.upright) verdicts.push_back(CandidateVerdict::no_orientation);
  verdicts.insert(verdicts.end(), {CandidateVerdict::over_budget, CandidateVerdict::kept});
  return verdicts;
}

void FoagddInspector::check(const DeviceOptions& device) const { Foagdd(foagdd_, device); }

Inspection FoagddInspector::inspect(const ImageView& image, const ImageView* mask, const DeviceOptions& device,
                                    const ShowPlane& show) const {
  Inspection result;
  result.features = Foagdd(foagdd_, device).extract(image, mask);
  if (!has_corners(image.width, image.height)) return result;
  InspectedOctave& inspected = result.octaves.emplace_back();
  inspected.width = image.width;
  inspected.height = image.height;
  inspected.blurs = foagdd_.describe ? 1 : 0;
  inspected.faint = {0};

  const Isa isa = find_isa(device.isa);  // the planes are computed on the CPU
  CpuPool pool(device.threads, device.progress);
  const FoagddPlan plan = plan_foagdd(foagdd_);
  result.filters = filters_of(plan);
  std::vector<FoagddKeys> keys(plan.scales.size());
  {
    const Plane extended = reference::extended(image, plan);
    FoagddPlanesCpu planes(plan, isa, pool);
    std::vector<Plane> responses;
    Plane measure;
    measure.resize(image.width, image.height);
    for (std::size_t s = 0; s < keys.size(); ++s) {
      const int scale = static_cast<int>(s) + 1;
      const StagePlane shown{.stage = {}, .sigma = sigma_of_scale(scale), .scale = scale};
      planes.respond(extended, scale - 1, responses);
      show_derivatives(responses, shown, show, result);
      planes.measure(extended, scale - 1, keys[s]);
      show_measure(keys[s], foagdd_, shown, measure, show, result);
    }
  }
  Judge(foagdd_, plan, keys, result).judge(image.width, image.height);

  std::vector<Plane> levels;
  const Plane* level = nullptr;
  if (foagdd_.describe) {
    levels = description_levels(foagdd_, image, isa, pool);
    level = &levels[level_of_description];
    show_description(*level, foagdd_, show, result);
  }
  judge_passed_ones(foagdd_, level, mask, result);
  for (const Candidate& c : result.candidates) {
    ++inspected.verdicts[static_cast<std::size_t>(c.verdict)];
    inspected.keypoints += c.keypoints;
  }
  return result;
}

int FoagddInspector::percent_at(const StagePlane& plane, const Inspection&) const {
  const int each = planes_of_scale(foagdd_), all = foagdd_.verify_scales * each;
  if (plane.scale == 0) return 98;
  const int before = (plane.scale - 1) * each + (plane.level < 0 ? foagdd_.directions : plane.level);
  return 98 * before / all;
}

InspectionSize FoagddInspector::size_for(const ImageView& image) const {
  if (!has_corners(image.width, image.height)) return {};
  const std::uint64_t corners = usual_corners(image.width, image.height);
  // Around a corner some 30 pixels exceed the threshold.
  constexpr std::uint64_t candidates_of_corner = 40;
  return {.largest = {image.width, image.height},
          .octaves = 1,
          .planes =
              static_cast<std::uint64_t>(foagdd_.verify_scales * planes_of_scale(foagdd_)) + (foagdd_.describe ? 1 : 0),
          .candidates = candidates_of_corner * corners,
          .keypoints = corners};
}

MemoryNeed FoagddInspector::memory_of_planes(const ImageView& image, const DeviceOptions& device) const {
  MemoryNeed need;
  if (!has_corners(image.width, image.height)) return need;
  const FoagddPlan plan = plan_foagdd(foagdd_);
  CpuPool pool(device.threads);
  const Isa isa = find_isa(device.isa);
  const std::uint64_t plane = Plane::bytes_of(image.width, image.height);
  const std::uint64_t keys = plan.scales.size() * FoagddKeys::bytes_of(measured_region(image.width, image.height));
  const std::uint64_t stages = Plane::bytes_of(image.width + 2 * extended_margin, image.height + 2 * extended_margin) +
                               static_cast<std::uint64_t>(planes_of_scale(foagdd_)) * plane;
  std::uint64_t described = 0;
  if (foagdd_.describe) {
    const ScaleSpacePlan blurs = plan_scale_space(image.width, image.height, scale_space_of(foagdd_));
    described = static_cast<std::uint64_t>(blurs.levels()) * plane;
  }
  need.least.host = keys + std::max(stages, described);
  need.usual = need.least;
  const auto threads = static_cast<std::uint64_t>(pool.threads());
  need.usual.host += FoagddPlanesCpu(plan, isa, pool).bytes() + threads * scratch_of_thread;
  // Lists double when they grow, and sorting takes a copy.
  const InspectionSize size = size_for(image);
  constexpr std::uint64_t sample = std::uint64_t{1} << 18;
  need.usual.host +=
      static_cast<std::uint64_t>(foagdd_.directions) * std::min(sample, plane / sizeof(float)) * 3 * sizeof(float);
  need.usual.host += size.candidates * (3 * sizeof(Candidate) + 2 * plan.scales.size() * sizeof(float));
  need.usual.host += size.keypoints * (sizeof(Keypoint) + (foagdd_.describe ? descriptor_length : 0));
  return need;
}

}  // namespace octavo::inspection
