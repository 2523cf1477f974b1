// How the inspection of FOAGDD is told: its images of candidates, its parts of inspect.json and of the page.

#pragma once

#include <string>
#include <vector>

#include "io/inspection/presenter.h"

namespace octavo::inspection {

class FoagddPresenter : public Presenter {
 public:
  using Presenter::Presenter;

  [[nodiscard]] std::vector<CandidateImage> candidate_images(const Inspection& inspection) const override;
  [[nodiscard]] Json report(const Inspection& inspection) const override;
  [[nodiscard]] std::string members_of_candidate(const Inspection& inspection, std::size_t candidate) const override;
  [[nodiscard]] Json columns(const Inspection& inspection, std::span<const std::size_t> candidates) const override;
  [[nodiscard]] std::string_view script() const override;
};

}  // namespace octavo::inspection
