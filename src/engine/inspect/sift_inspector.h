// The inspection of SIFT.

#pragma once

#include <vector>

#include "engine/inspect/inspector.h"
#include "engine/sift/sift_parts.h"
#include "octavo/sift_options.h"

namespace octavo::inspection {

class SiftInspector : public Inspector {
 public:
  explicit SiftInspector(const SiftOptions& options) : Inspector(options), sift_(options), parts_(parts_of(options)) {}

  [[nodiscard]] std::vector<CandidateVerdict> verdicts() const override;
  [[nodiscard]] bool finds_keypoints() const override;
  [[nodiscard]] const ScaleSpaceOptions* scale_space() const override { return &parts_.scale_space; }
  void check(const DeviceOptions& device) const override;
  Inspection inspect(const ImageView& image, const ImageView* mask, const DeviceOptions& device,
                     const ShowPlane& show) const override;
  [[nodiscard]] int percent_at(const StagePlane& plane, const Inspection& so_far) const override;
  [[nodiscard]] InspectionSize size_for(const ImageView& image) const override;
  [[nodiscard]] MemoryNeed memory_of_planes(const ImageView& image, const DeviceOptions& device) const override;

 private:
  SiftOptions sift_;
  SiftParts parts_;
};

}  // namespace octavo::inspection
