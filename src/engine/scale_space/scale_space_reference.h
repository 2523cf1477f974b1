// The scale space as plain loops: the definition that every device must reproduce bit for bit.

#pragma once

#include <functional>
#include <vector>

#include "engine/core/internal_api.h"
#include "engine/core/plane.h"
#include "engine/scale_space/plan.h"
#include "octavo/image_view.h"

namespace octavo {
namespace OCTAVO_INTERNAL_API reference {

/// The image in grey, 0…white.
void grey(const ImageView& image, Luma luma, Plane& out, double white = 1);

/// Doubles the size by linear interpolation, along rows and then along columns. Output pixel i lies at i/2 of the input
/// (as in Lowe, VLFeat and OpenCV's precise upscaling). Beyond the edge the last pixels are repeated.
void doubled(const Plane& in, Plane& out);

/// Separable blur, along columns and then along rows; each sum starts at the centre and takes symmetric pairs outwards;
/// the taps say what stands beyond the edges.
void blur(const Plane& in, const Taps& taps, Plane& out);

/// [byte] that `blur` takes beside its input and its output.
inline std::size_t bytes_of_blur(int width, int height) { return Plane::bytes_of(width, height); }

/// Keeps every second pixel, beginning with the first. Sizes are halved and rounded down.
void halved(const Plane& in, Plane& out);

/// a − b.
void difference(const Plane& a, const Plane& b, Plane& out);

/// Makes the next image of an octave from those before it.
using Smooth = std::function<void(const std::vector<Plane>& images, Plane& next)>;

/// The step of the Gaussian images: a blur of the last image. The plan outlives the result.
Smooth gaussian_steps(const ScaleSpacePlan& plan);

/// The S + 3 images of one octave, made from its first one.
std::vector<Plane> octave(Plane first, const ScaleSpacePlan& plan, const Smooth& smooth);
std::vector<Plane> octave(Plane first, const ScaleSpacePlan& plan);

/// The first image of the first octave.
Plane first_image(const ImageView& image, Luma luma, const ScaleSpacePlan& plan);

/// All octaves, each with its S + 3 images.
std::vector<std::vector<Plane>> scale_space(const ImageView& image, Luma luma, const ScaleSpacePlan& plan,
                                            const Smooth& smooth);
std::vector<std::vector<Plane>> scale_space(const ImageView& image, Luma luma, const ScaleSpacePlan& plan);

}  // namespace reference
}  // namespace octavo
