// How an inspection is told, which differs between detectors. This is how one is told of a detector that says no more
// of itself: the keypoints with their response. presenter_of() is the only place that lists those that derive from it.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/inspect/inspector.h"
#include "io/json/json.h"
#include "octavo/detectors.h"
#include "octavo/inspect.h"

namespace octavo::inspection {

/// Candidates that are drawn in one image.
struct CandidateImage {
  std::string name;  ///< of the file, without ending
  std::vector<Candidate> candidates;
};

class Presenter {
 public:
  explicit Presenter(std::unique_ptr<Inspector> inspector) : inspector_(std::move(inspector)) {}
  virtual ~Presenter() = default;

  [[nodiscard]] const Inspector& inspector() const { return *inspector_; }

  /// The images of candidates; by default one for each octave.
  [[nodiscard]] virtual std::vector<CandidateImage> candidate_images(const Inspection& inspection) const;
  /// The parts of inspect.json that only this detector has.
  [[nodiscard]] virtual Json report(const Inspection&) const { return Json::object(); }
  /// The members of a candidate in inspect.json that only this detector has: `"value":0.1,`.
  [[nodiscard]] virtual std::string members_of_candidate(const Inspection& inspection, std::size_t candidate) const;
  /// The columns that these candidates have on the page besides those that all detectors give.
  [[nodiscard]] virtual Json columns(const Inspection&, std::span<const std::size_t>) const { return Json::object(); }
  /// Of two candidates the one with the greater strength is shown rather.
  [[nodiscard]] virtual float strength(const Candidate& candidate) const { return candidate.value; }
  /// The part of the page's script that says how the stages of this detector are arranged and explained.
  [[nodiscard]] virtual std::string_view script() const;

 private:
  std::unique_ptr<Inspector> inspector_;
};

/// The presenter of inspections with these options. Throws Error(invalid_option).
std::unique_ptr<Presenter> presenter_of(const DetectorOptions& options);

}  // namespace octavo::inspection
