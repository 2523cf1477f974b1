// The stages of the trilateral filter for the images of an octave, as planes to be shown.

#pragma once

#include "engine/core/plane.h"
#include "engine/trilateral/trilateral_cpu.h"
#include "octavo/inspect.h"

namespace octavo::inspection {

class TrilateralStages {
 public:
  /// `sigma` is that of the octave's image 0 [pixel of the octave]; S is `layers`. The arguments must outlive the
  /// object.
  TrilateralStages(int octave, double sigma, int layers, const ShowPlane& show, const Inspection& so_far);

  /// Shows the stages of image `image`, which the last run of `filter` made from image `source`. If the source has
  /// changed, these are the magnitudes of its gradients and its regions. If the filter smoothed gradients, the smoothed
  /// ones follow. The detail, which the filter added to the source, is always shown.
  void show(int image, const Plane& made, int source, const Plane& from, const TrilateralCpu& filter);

 private:
  [[nodiscard]] StagePlane plane(const char* stage, int level) const;
  void show_source(int source, const Plane& from, const TrilateralCpu& filter);
  void show(StagePlane shown, const Plane& pixels);

  int octave_;
  double sigma_;
  int layers_;
  const ShowPlane& show_;
  const Inspection& so_far_;
  int source_ = -1;     // last source that was shown
  float steepest_ = 1;  // gradient that is shown as white
  Plane pixels_;
};

}  // namespace octavo::inspection
