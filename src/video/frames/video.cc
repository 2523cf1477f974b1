// What the library offers of video: frames come from a FrameReader.

#include "octavo/video/video.h"

#include <utility>

#include "video/frames/frame_reader.h"
#include "video/frames/packet_decoder.h"
#include "video/frames/video_reader.h"

namespace octavo {
class Video::Impl {
 public:
  explicit Impl(std::unique_ptr<video::FrameReader> of_file) : reader(std::move(of_file)) {}
  Impl(int descriptor, const std::string& name, const VideoOptions& options)
      : reader(std::make_unique<video::VideoReader>(descriptor, name, options,
                                                    (validate(options), video::packet_engine(options)))) {}

  std::unique_ptr<video::FrameReader> reader;
};

Video::Video(const std::filesystem::path& file, const VideoOptions& options)
    : impl_(std::make_unique<Impl>(video::open_frames(file, options))) {}
Video::Video(int descriptor, const std::string& name, const VideoOptions& options)
    : impl_(std::make_unique<Impl>(descriptor, name, options)) {}
Video::~Video() = default;
Video::Video(Video&&) noexcept = default;
const VideoFacts& Video::facts() const { return impl_->reader->facts(); }
std::optional<VideoFrame> Video::next() { return impl_->reader->next(); }
std::int64_t Video::decoded() const { return impl_->reader->decoded(); }
double Video::decoding_seconds() const { return impl_->reader->decoding_seconds(); }
double Video::seconds_done() const { return impl_->reader->seconds_done(); }
const std::vector<VideoWarning>& Video::warnings() const { return impl_->reader->warnings(); }

bool is_image(const VideoFacts& facts) { return facts.container == video::image_container; }

}  // namespace octavo
