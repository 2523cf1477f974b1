#include "io/inspection/sift_presenter.h"

#include <fmt/core.h>

#include <cmath>

#include "io/inspection/page_number.h"

namespace octavo {
extern const std::string_view inspect_sift_js;
}  // namespace octavo

namespace octavo::inspection {

Json SiftPresenter::report(const Inspection& inspection) const {
  Json kernels = Json::array();
  for (const BlurKernel& kernel : inspection.kernels) {
    kernels.push_back({{"level", kernel.level}, {"sigma", kernel.sigma}, {"weights", kernel.weights}});
  }
  return {{"contrast", inspection.contrast}, {"kernels", kernels}};
}

std::string SiftPresenter::members_of_candidate(const Inspection& inspection, std::size_t candidate) const {
  const Candidate& c = inspection.candidates[candidate];
  const std::string ratio = std::isfinite(c.curvature_ratio) ? fmt::format("{}", c.curvature_ratio) : "null";
  return fmt::format(R"("value":{},"curvature_ratio":{},)", c.value, ratio);
}

Json SiftPresenter::columns(const Inspection& inspection, std::span<const std::size_t> candidates) const {
  Json value = Json::array(), ratio = Json::array();
  for (const std::size_t i : candidates) {
    const Candidate& c = inspection.candidates[i];
    value.push_back(rounded(c.value, 1e5));
    ratio.push_back(std::isfinite(c.curvature_ratio) ? Json(rounded(c.curvature_ratio, 10)) : Json());
  }
  return {{"value", value}, {"ratio", ratio}};
}

float SiftPresenter::strength(const Candidate& candidate) const { return std::abs(candidate.value); }

std::string_view SiftPresenter::script() const { return inspect_sift_js; }

}  // namespace octavo::inspection
