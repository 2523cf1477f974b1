#pragma once

#include <span>
#include <string_view>

#include "engine/core/internal_api.h"

namespace OCTAVO_INTERNAL_API octavo {

/// A kind of change to a photograph. It is known where every point of the photograph moves.
struct Distortion {
  std::string_view name;              ///< "rotation" …
  std::string_view unit;              ///< the unit of the strength, for people
  bool moves = false;                 ///< whether points move
  double least = 0, most = 0;         ///< the range of strengths
  std::span<const double> strengths;  ///< the strengths that an evaluation uses
  std::string_view note{};            ///< what a reader of its results must know, for people; empty: nothing
};

/// All kinds of change, with the units and ranges of their strengths:
/// rotation [degree, from +x towards +y] −360…360, scale [factor] 0.001…1000, shear [pixel per pixel] −100…100,
/// perspective [relative change of scale from the centre to the right edge] −0.99…0.99, mirror [degree, of the line on
/// which the image is reflected, from +x towards +y] −360…360, noise [σ in grey levels] 0…255, blur [σ in pixels]
/// 0.01…100, contrast [factor, brightness multiplied] 0.001…1000, brightness [grey levels added] −255…255, jpeg
/// [quality] 1…100.
std::span<const Distortion> distortions();

}  // namespace octavo
