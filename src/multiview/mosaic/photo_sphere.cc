// Google's "Photo Sphere XMP" tells which part of a panorama all around an image is [pixel]: the size of the whole, and
// where the image lies in it. A whole sphere is twice as wide as high, and its middle row is the horizon. For a
// cylinder, which has no end above and below, the whole is as high as the horizon needs to be in the middle. Programs
// that show panoramas know spheres alone: they are told to show a cylinder as an image.

#include "multiview/mosaic/photo_sphere.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace octavo::mosaic {
namespace {

// A side of the whole panorama, and where the image begins on it.
struct Side {
  std::int64_t whole, first;
};

// `before`: the image's part before the middle of the panorama.
Side side_of(std::int64_t whole, double before, std::uint64_t length) {
  const std::int64_t room = whole - static_cast<std::int64_t>(length);
  return {whole, std::clamp<std::int64_t>(std::llround(static_cast<double>(whole) / 2 - before), 0, room)};
}

}  // namespace

std::string photo_sphere_xmp(const MosaicPlan& plan) {
  if (plan.projection == MosaicProjection::plane) return {};
  const bool is_sphere = plan.projection == MosaicProjection::sphere;
  // left and top are of the middles of pixels.
  const double left = 0.5 - plan.left, above = 0.5 - plan.top, below = static_cast<double>(plan.height) - above;
  const auto half_turn = std::max<std::int64_t>(std::llround(std::numbers::pi * plan.scale),
                                                static_cast<std::int64_t>((plan.width + 1) / 2));
  const Side across = side_of(2 * half_turn, left, plan.width);
  const auto half_cylinder = static_cast<std::int64_t>(std::ceil(std::max(above, below)));
  const std::int64_t whole_height =
      is_sphere ? std::max(half_turn, static_cast<std::int64_t>(plan.height)) : 2 * half_cylinder;
  const Side down = side_of(whole_height, above, plan.height);
  return fmt::format(
      R"(<?xpacket begin="{}" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">)"
      R"(<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" )"
      R"(xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" GPano:ProjectionType="{}" )"
      R"(GPano:UsePanoramaViewer="{}" GPano:CroppedAreaImageWidthPixels="{}" GPano:CroppedAreaImageHeightPixels="{}" )"
      R"(GPano:FullPanoWidthPixels="{}" GPano:FullPanoHeightPixels="{}" GPano:CroppedAreaLeftPixels="{}" )"
      R"(GPano:CroppedAreaTopPixels="{}"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>)",
      "\xEF\xBB\xBF", is_sphere ? "equirectangular" : "cylindrical", is_sphere ? "True" : "False", plan.width,
      plan.height, across.whole, down.whole, across.first, down.first);
}

}  // namespace octavo::mosaic
