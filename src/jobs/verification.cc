// Verification by a model of two views. A camera that the user does not give has the focal length of the EXIF data, and
// its principal point is the centre of the image.

#include "octavo/jobs/match_jobs.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <array>

#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

Camera camera_of(const std::optional<GivenCamera>& given, const ImageFacts& facts) {
  if (given && given->principal_point) {
    return {given->fx, given->fy, given->principal_point->x, given->principal_point->y};
  }
  const ImageSize size = facts.size.value();
  const double fx = given ? given->fx : facts.focal_length.value(), fy = given ? given->fy : fx;
  return {fx, fy, (size.width - 1) / 2.0, (size.height - 1) / 2.0};
}

}  // namespace

std::string_view name_of(Verify model) {
  constexpr std::array<std::string_view, 4> names{"none", "homography", "fundamental", "essential"};
  return names.at(static_cast<std::size_t>(model));
}

GivenCamera given_camera(std::string_view option, std::span<const double> numbers) {
  const auto refuse = [&](const char* reason) {
    throw Error(ErrorCode::invalid_option,
                InvalidOption{std::string(option), fmt::format("{}", fmt::join(numbers, ",")), reason});
  };
  if (numbers.size() != 1 && numbers.size() != 4) refuse("must have 1 number (F) or 4 (FX,FY,CX,CY)");
  GivenCamera camera{numbers.front(), numbers.front(), {}};
  if (numbers.size() == 4) camera = {numbers[0], numbers[1], Point{numbers[2], numbers[3]}};
  for (const double focal_length : {camera.fx, camera.fy}) {
    if (!(focal_length >= 1e-3 && focal_length <= 1e7)) refuse("must have focal lengths of 0.001 to 10000000 pixels");
  }
  return camera;
}

ImageFacts facts_of(const Photograph& photograph) {
  return {ImageSize{photograph.image.width(), photograph.image.height()}, photograph.focal_length};
}

void require_known_camera(const Verification& verification, const std::optional<GivenCamera>& camera,
                          bool is_image_known) {
  if (verification.by != Verify::essential || is_image_known || (camera && camera->principal_point)) return;
  throw Error(ErrorCode::invalid_option,
              camera
                  ? "`camera` must be FX,FY,CX,CY for stored features, since the sizes of their images are not known"
                  : "`verify` essential needs `camera` for stored features, since they do not tell the focal length");
}

void require_focal_length(const Verification& verification, const std::optional<GivenCamera>& camera,
                          std::string_view name, const ImageFacts& facts) {
  if (verification.by != Verify::essential || camera || facts.focal_length) return;
  throw Error(ErrorCode::invalid_option,
              fmt::format("`verify` essential needs `camera`, the focal length in pixels, since the EXIF data of {} do "
                          "not give it",
                          name));
}

std::optional<EssentialModel> verified(const Verification& verification, const Features& a, const ImageFacts& facts_a,
                                       const Features& b, const ImageFacts& facts_b, std::span<const Match> matches) {
  switch (verification.by) {
    case Verify::none:
      return std::nullopt;
    case Verify::homography:
      return EssentialModel{estimate_homography(a, b, matches, verification.robust)};
    case Verify::fundamental:
      return EssentialModel{estimate_fundamental(a, b, matches, verification.robust)};
    case Verify::essential:
      break;
  }
  return estimate_essential(a, b, matches, camera_of(verification.camera, facts_a),
                            camera_of(verification.second_camera(), facts_b), verification.robust);
}

}  // namespace octavo
