// What an inspection needs of a detector. This is the inspection of a detector that says no more of itself: its
// keypoints are the candidates, all of them kept, and no image on the way is shown. A detector that has more to show
// derives from it. inspector_of() is the only place that lists those that do; everything else works with any of them.

#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/core/internal_api.h"
#include "engine/scale_space/plan.h"
#include "octavo/detectors.h"
#include "octavo/inspect.h"

namespace octavo {
namespace OCTAVO_INTERNAL_API inspection {

/// What an inspection of a usual image shows.
struct InspectionSize {
  Size largest{0, 0};         ///< of a plane
  std::uint64_t octaves = 0;  ///< 0: the image is too small
  std::uint64_t planes = 0;   ///< of all stages
  std::uint64_t candidates = 0, keypoints = 0;
};

class Inspector {
 public:
  explicit Inspector(DetectorOptions options) : options_(std::move(options)) {}
  virtual ~Inspector() = default;

  [[nodiscard]] const DetectorOptions& options() const { return options_; }
  /// The verdicts that candidates can have, in the order of CandidateVerdict.
  [[nodiscard]] virtual std::vector<CandidateVerdict> verdicts() const { return {CandidateVerdict::kept}; }
  /// Whether an extractor accepts the options. Otherwise there are planes alone.
  [[nodiscard]] virtual bool finds_keypoints() const { return true; }
  /// The scale space whose differences PackedPyramid shows; null if there is none.
  [[nodiscard]] virtual const ScaleSpaceOptions* scale_space() const { return nullptr; }

  /// Throws what inspect() throws for its options and the device.
  virtual void check(const DeviceOptions& device) const;
  /// Computes inspect() for options and an image that the memory was checked for.
  virtual Inspection inspect(const ImageView& image, const ImageView* mask, const DeviceOptions& device,
                             const ShowPlane& show) const;
  /// How much of the work is done when this plane is shown [percent].
  [[nodiscard]] virtual int percent_at(const StagePlane&, const Inspection&) const { return 0; }

  /// What an inspection of images of this shape shows.
  [[nodiscard]] virtual InspectionSize size_for(const ImageView& image) const;
  /// The memory of `inspect` after the extraction, with its features.
  [[nodiscard]] virtual MemoryNeed memory_of_planes(const ImageView& image, const DeviceOptions& device) const;

 private:
  DetectorOptions options_;
};

/// The inspector of these options. Throws Error(invalid_option).
std::unique_ptr<Inspector> inspector_of(const DetectorOptions& options);

}  // namespace inspection
}  // namespace octavo
