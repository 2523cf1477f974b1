#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/match/match_call.h"
#include "json/json.h"
#include "octavo/photograph.h"

namespace octavo::cli {

/// What is known of a picture, for its camera.
struct PictureFacts {
  std::optional<ImageSize> size;
  std::optional<double> focal_length;  ///< [pixel] of its EXIF data
};

PictureFacts facts_of(const Photograph& photograph);

/// Throws WrongCall if --verify essential needs the size or the EXIF data of a picture that is not known:
/// there are stored features only. `camera` is what the command line says of it. Call it before the work.
void require_known_camera(const MatchCall& call, const std::optional<CameraWords>& camera, bool is_picture_known);

/// Throws WrongCall if --verify essential needs the focal length of a picture whose EXIF data give none.
void require_focal_length(const MatchCall& call, const std::optional<CameraWords>& camera, const std::string& name,
                          const PictureFacts& facts);

/// The model of the matches that --verify asks for; nothing if it asks for none. Of an EssentialModel only the
/// essential matrix sets the pose. A camera that the command line does not give has the focal length of the EXIF data;
/// the principal point is then the centre of the picture. Throws Error. The cameras must have passed the checks above.
std::optional<EssentialModel> verified(const MatchCall& call, const Features& a, const PictureFacts& facts_a,
                                       const Features& b, const PictureFacts& facts_b, std::span<const Match> matches);

/// The word of the model, e.g. "homography".
std::string_view model_word(Verify verify);

/// The object "verification" of the JSON.
Json verification_json(Verify verify, const EssentialModel& model);

/// The array "matches" of the JSON.
Json matches_json(const Features& a, const Features& b, std::span<const Match> matches,
                  const std::optional<EssentialModel>& model);

/// Prints the model as text.
void print_verification(Verify verify, const EssentialModel& model);

}  // namespace octavo::cli
