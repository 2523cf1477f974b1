#include "io/inspection/foagdd_presenter.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "io/inspection/page_number.h"

namespace octavo {
extern const std::string_view inspect_foagdd_js;
}  // namespace octavo

namespace octavo::inspection {

// An image for each scale: what it rejects, and the corners.
std::vector<CandidateImage> FoagddPresenter::candidate_images(const Inspection& inspection) const {
  std::vector<CandidateImage> images;
  for (const InspectedScale& scale : inspection.scales) {
    CandidateImage& image = images.emplace_back(CandidateImage{fmt::format("scale{}_candidates", scale.scale), {}});
    std::copy_if(inspection.candidates.begin(), inspection.candidates.end(), std::back_inserter(image.candidates),
                 [&](const Candidate& c) { return c.layer == scale.scale || c.verdict == CandidateVerdict::kept; });
  }
  return images;
}

Json FoagddPresenter::report(const Inspection& inspection) const {
  Json scales = Json::array();
  for (const InspectedScale& s : inspection.scales) {
    Json scale{{"scale", s.scale},
               {"sigma", s.sigma},
               {"judged_count", s.judged},
               {"below_threshold_count", s.below_threshold}};
    if (s.scale == 1) scale["not_highest_count"] = s.not_highest;
    scale["passed_count"] = s.passed;
    scales.push_back(scale);
  }
  return {{"scales", scales}};
}

std::string FoagddPresenter::members_of_candidate(const Inspection& inspection, std::size_t candidate) const {
  std::string text;
  for (const float response : inspection.responses_of(candidate)) {
    text += text.empty() ? "" : ",";
    text += std::isfinite(response) ? fmt::format("{}", response) : "null";
  }
  return "\"responses\":[" + text + "],";
}

Json FoagddPresenter::columns(const Inspection& inspection, std::span<const std::size_t> candidates) const {
  Json responses = Json::array();
  for (const std::size_t i : candidates) {
    Json of_candidate = Json::array();
    for (const float response : inspection.responses_of(i)) {
      of_candidate.push_back(std::isfinite(response) ? Json(rounded(response, 1000)) : Json());
    }
    responses.push_back(of_candidate);
  }
  return {{"responses", responses}};
}

std::string_view FoagddPresenter::script() const { return inspect_foagdd_js; }

}  // namespace octavo::inspection
