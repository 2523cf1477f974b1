#include "io/inspection/presenter.h"

#include <fmt/core.h>

#include <algorithm>
#include <variant>

#include "io/inspection/foagdd_presenter.h"
#include "io/inspection/sift_presenter.h"

namespace octavo {
extern const std::string_view inspect_keypoints_alone_js;
}  // namespace octavo

namespace octavo::inspection {
namespace {

std::unique_ptr<Presenter> made_of(const SiftOptions&, std::unique_ptr<Inspector> inspector) {
  return std::make_unique<SiftPresenter>(std::move(inspector));
}

std::unique_ptr<Presenter> made_of(const FoagddOptions&, std::unique_ptr<Inspector> inspector) {
  return std::make_unique<FoagddPresenter>(std::move(inspector));
}

template <class Options>
std::unique_ptr<Presenter> made_of(const Options&, std::unique_ptr<Inspector> inspector) {
  return std::make_unique<Presenter>(std::move(inspector));
}

}  // namespace

std::vector<CandidateImage> Presenter::candidate_images(const Inspection& inspection) const {
  std::vector<CandidateImage> images;
  auto first = inspection.candidates.begin();
  for (const InspectedOctave& octave : inspection.octaves) {
    const auto last =
        std::find_if(first, inspection.candidates.end(), [&](const Candidate& c) { return c.octave > octave.octave; });
    images.push_back({fmt::format("octave{}_candidates", octave.octave), {first, last}});
    first = last;
  }
  return images;
}

std::string Presenter::members_of_candidate(const Inspection& inspection, std::size_t candidate) const {
  return fmt::format(R"("value":{},)", inspection.candidates[candidate].value);
}

std::string_view Presenter::script() const { return inspect_keypoints_alone_js; }

std::unique_ptr<Presenter> presenter_of(const DetectorOptions& options) {
  auto inspector = inspector_of(options);
  return std::visit([&](const auto& values) { return made_of(values, std::move(inspector)); }, options);
}

}  // namespace octavo::inspection
