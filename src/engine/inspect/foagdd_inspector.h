// The inspection of FOAGDD.

#pragma once

#include <vector>

#include "engine/inspect/inspector.h"
#include "octavo/foagdd.h"

namespace octavo::inspection {

class FoagddInspector : public Inspector {
 public:
  explicit FoagddInspector(const FoagddOptions& options) : Inspector(options), foagdd_(options) {}

  [[nodiscard]] std::vector<CandidateVerdict> verdicts() const override;
  void check(const DeviceOptions& device) const override;
  Inspection inspect(const ImageView& image, const ImageView* mask, const DeviceOptions& device,
                     const ShowPlane& show) const override;
  [[nodiscard]] int percent_at(const StagePlane& plane, const Inspection& so_far) const override;
  [[nodiscard]] InspectionSize size_for(const ImageView& image) const override;
  [[nodiscard]] MemoryNeed memory_of_planes(const ImageView& image, const DeviceOptions& device) const override;

 private:
  FoagddOptions foagdd_;
};

}  // namespace octavo::inspection
