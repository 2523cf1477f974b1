// Replaces the reading of videos in a build without them (OCTAVO_VIDEO_AND_SCENES).

#include "octavo/error.h"
#include "octavo/video/video.h"

namespace octavo {
namespace {

[[noreturn]] void refuse_video(const std::string& name) {
  throw Error(ErrorCode::file_error, "cannot read '" + name + "': it is a video, and Octavo was built without them");
}

}  // namespace

class Video::Impl {
 public:
  VideoFacts facts;
  std::vector<VideoWarning> warnings;
};

Video::Video(const std::filesystem::path& file, const VideoOptions&) { refuse_video(file.string()); }
Video::Video(int, const std::string& name, const VideoOptions&) { refuse_video(name); }
Video::~Video() = default;
Video::Video(Video&&) noexcept = default;
const VideoFacts& Video::facts() const { return impl_->facts; }
std::optional<VideoFrame> Video::next() { return std::nullopt; }
std::int64_t Video::decoded() const { return 0; }
double Video::decoding_seconds() const { return 0; }
double Video::seconds_done() const { return 0; }
const std::vector<VideoWarning>& Video::warnings() const { return impl_->warnings; }

}  // namespace octavo
