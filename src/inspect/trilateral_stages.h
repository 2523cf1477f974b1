// What the trilateral filter does on its way to the images of an octave, as planes to be shown.

#pragma once

#include "core/plane.h"
#include "octavo/inspect.h"
#include "trilateral/trilateral_cpu.h"

namespace octavo::inspection {

class TrilateralStages {
 public:
  /// `sigma` of the octave's image 0 [pixel of the octave]; S is `layers`. What it is given outlives it.
  TrilateralStages(int octave, double sigma, int layers, const ShowPlane& show, const Inspection& so_far);

  /// Image `image` was made of image `source`, by the filter that `filter` ran last. Shows, if the source is another
  /// than before, the sizes of its gradients and its regions; if it smoothed gradients, what they became; and the
  /// detail, which is what it added to the source.
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
  int source_ = -1;     // that was shown last
  float steepest_ = 1;  // white of its gradients
  Plane pixels_;
};

}  // namespace octavo::inspection
