#include "engine/inspect/inspector.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <variant>

#include "engine/inspect/foagdd_inspector.h"
#include "engine/inspect/sift_inspector.h"
#include "engine/sift/usual_keypoints.h"

namespace octavo {
namespace inspection {
namespace {

std::unique_ptr<Inspector> made_of(const SiftOptions& options) { return std::make_unique<SiftInspector>(options); }
std::unique_ptr<Inspector> made_of(const FoagddOptions& options) { return std::make_unique<FoagddInspector>(options); }
template <class Options>
std::unique_ptr<Inspector> made_of(const Options& options) {
  return std::make_unique<Inspector>(options);
}

// The octave, all of whose candidates are kept.
InspectedOctave octave_of(int octave, const ImageView& image) {
  const auto length = [&](int of_image) { return std::max(1, static_cast<int>(std::ldexp(of_image, -octave))); };
  InspectedOctave inspected;
  inspected.octave = octave;
  inspected.width = length(image.width);
  inspected.height = length(image.height);
  return inspected;
}

// The candidate of a keypoint, or of several that differ in their orientation alone.
Candidate candidate_of(const Keypoint& k) {
  const auto in_octave = [&](float place) {
    return static_cast<std::int32_t>(std::lround(std::ldexp(place, -k.octave)));
  };
  return {.octave = k.octave,
          .layer = k.layer,
          .row = in_octave(k.y),
          .column = in_octave(k.x),
          .x = k.x,
          .y = k.y,
          .scale = k.scale,
          .value = k.response,
          .verdict = CandidateVerdict::kept};
}

std::vector<Candidate> candidates_of(const std::vector<Keypoint>& keypoints) {
  std::map<std::tuple<int, int, int, int, float, float, float>, Candidate> candidates;
  for (const Keypoint& k : keypoints) {
    const Candidate c = candidate_of(k);
    ++candidates.try_emplace({c.octave, c.layer, c.row, c.column, c.y, c.x, c.scale}, c).first->second.keypoints;
  }
  std::vector<Candidate> in_order;
  for (const auto& [place, candidate] : candidates) in_order.push_back(candidate);
  return in_order;
}

}  // namespace

void Inspector::check(const DeviceOptions& device) const { make_extractor(options_, device); }

Inspection Inspector::inspect(const ImageView& image, const ImageView* mask, const DeviceOptions& device,
                              const ShowPlane&) const {
  Inspection result;
  result.features = make_extractor(options_, device).extract(image, mask);
  result.candidates = candidates_of(result.features.keypoints);
  std::map<int, InspectedOctave> octaves{{0, octave_of(0, image)}};
  for (const Candidate& c : result.candidates) {
    InspectedOctave& octave = octaves.try_emplace(c.octave, octave_of(c.octave, image)).first->second;
    ++octave.verdicts[static_cast<std::size_t>(CandidateVerdict::kept)];
    octave.keypoints += c.keypoints;
  }
  for (const auto& [number, octave] : octaves) result.octaves.push_back(octave);
  return result;
}

InspectionSize Inspector::size_for(const ImageView& image) const {
  const std::uint64_t keypoints =
      usual_keypoints(static_cast<std::uint64_t>(image.width) * static_cast<std::uint64_t>(image.height));
  return {.largest = {image.width, image.height}, .octaves = 1, .candidates = keypoints, .keypoints = keypoints};
}

MemoryNeed Inspector::memory_of_planes(const ImageView& image, const DeviceOptions&) const {
  MemoryNeed need;
  const InspectionSize size = size_for(image);
  // The candidates are sorted in a map, whose nodes are larger, and then listed.
  constexpr std::uint64_t copies = 4;
  const std::uint64_t descriptor = describes(options_) ? descriptor_length : 0;
  need.usual.host = size.candidates * copies * sizeof(Candidate) + size.keypoints * (sizeof(Keypoint) + descriptor);
  return need;
}

std::unique_ptr<Inspector> inspector_of(const DetectorOptions& options) {
  validate(options);
  return std::visit([](const auto& values) { return made_of(values); }, options);
}

}  // namespace inspection

std::vector<CandidateVerdict> verdicts_of(const DetectorOptions& options) {
  return inspection::inspector_of(options)->verdicts();
}

bool has_differences(const DetectorOptions& options) {
  return inspection::inspector_of(options)->scale_space() != nullptr;
}

void check_inspection(const DetectorOptions& options, const DeviceOptions& device) {
  inspection::inspector_of(options)->check(device);
}

}  // namespace octavo
