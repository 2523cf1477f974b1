// What the library offers of video: the file is opened in video_file.cc, and read in video_reader.cc.

#include "octavo/video/video.h"

#include "video/frames/packet_decoder.h"
#include "video/frames/video_file.h"
#include "video/frames/video_reader.h"

namespace octavo {
class Video::Impl {
 public:
  Impl(int descriptor, const std::string& name, const VideoOptions& options)
      : reader(descriptor, name, options, (validate(options), video::packet_engine(options))) {}

  video::VideoReader reader;
};

// The decoder has its own copy of the descriptor.
Video::Video(const std::filesystem::path& file, const VideoOptions& options)
    : impl_(std::make_unique<Impl>(video::VideoFile(file).number(), file.string(), options)) {}
Video::Video(int descriptor, const std::string& name, const VideoOptions& options)
    : impl_(std::make_unique<Impl>(descriptor, name, options)) {}
Video::~Video() = default;
Video::Video(Video&&) noexcept = default;
const VideoFacts& Video::facts() const { return impl_->reader.facts(); }
std::optional<VideoFrame> Video::next() { return impl_->reader.next(); }
std::int64_t Video::decoded() const { return impl_->reader.decoded(); }
double Video::decoding_seconds() const { return impl_->reader.decoding_seconds(); }
double Video::seconds_done() const { return impl_->reader.seconds_done(); }
const std::vector<VideoWarning>& Video::warnings() const { return impl_->reader.warnings(); }

}  // namespace octavo
