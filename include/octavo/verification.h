#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "octavo/api.h"
#include "octavo/geometry.h"
#include "octavo/image_size.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"
#include "octavo/photograph.h"

// Matches of two images, verified by the geometry of two views.

namespace OCTAVO_API octavo {

/// The model that matches are verified with.
enum class Verify : std::uint8_t { none, homography, fundamental, essential };

/// "none", "homography", "fundamental" or "essential".
std::string_view name_of(Verify model);

/// A camera as a user gives it. Without a principal point that is the centre of the image.
struct GivenCamera {
  double fx = 0, fy = 0;  ///< [pixel]
  std::optional<Point> principal_point;
};

/// What is known of an image, for its camera.
struct ImageFacts {
  std::optional<ImageSize> size;
  std::optional<double> focal_length;  ///< [pixel] of its EXIF data
};
ImageFacts facts_of(const Photograph& photograph);

struct Verification {
  Verify by = Verify::none;
  std::optional<GivenCamera> camera{};    ///< none: that of the EXIF data
  std::optional<GivenCamera> camera_b{};  ///< of the second image, if it is another one
  RobustOptions robust{};

  [[nodiscard]] const std::optional<GivenCamera>& second_camera() const { return camera_b ? camera_b : camera; }
};

/// Throws Error(invalid_option) if an essential matrix needs the size or the EXIF data of an image that is not known,
/// since there are features only. Call it before the work.
void require_known_camera(const Verification& verification, const std::optional<GivenCamera>& camera,
                          bool is_image_known);

/// Throws Error(invalid_option) if an essential matrix needs the focal length of an image that nothing gives.
void require_focal_length(const Verification& verification, const std::optional<GivenCamera>& camera,
                          std::string_view name, const ImageFacts& facts);

/// The model of the matches, and which of them agree with it; none for Verify::none. Only the essential matrix sets the
/// pose. The cameras must have passed the two checks. Throws Error.
std::optional<EssentialModel> verified(const Verification& verification, const Features& a, const ImageFacts& facts_a,
                                       const Features& b, const ImageFacts& facts_b, std::span<const Match> matches);

}  // namespace octavo
