// The library's side of encoding: starts octavo-encode, sends it images, and turns what goes wrong into errors that
// name the file. Images go through a socket rather than a pipe: writing to one whose reader is gone is then an error,
// and no signal that would end the caller's program.

#include "video/frames/video_writer.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "engine/core/check.h"
#include "io/files/ending.h"
#include "io/files/output_file.h"
#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "octavo/error.h"
#include "video/frames/encode_request.h"
#include "video/frames/helper_process.h"
#include "video/frames/messages.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> endings{".mp4", ".m4v", ".mov", ".mkv"};
constexpr int longest_encoded_side = 16384;

// What exists and is no file is written as a stream: its bytes go out in order, and none is changed later.
bool is_stream(const fs::path& file) {
  std::error_code unknown;
  return fs::exists(file, unknown) && !fs::is_regular_file(file, unknown);
}

std::string container_of(const fs::path& file) {
  const std::string ending = io::ending_of(file);
  return ending == ".mkv" ? "matroska" : ending == ".mov" ? "mov" : "mp4";
}

std::vector<std::string> encoders_of(VideoCodec codec) {
  switch (codec) {
    case VideoCodec::h264:
      return {"libx264", "libopenh264"};
    case VideoCodec::mpeg4:
      return {"mpeg4"};
    default:
      return {"libx264", "libopenh264", "mpeg4"};
  }
}

void check(const VideoWriterOptions& options) {
  check_range("width", options.size.width, 1, longest_encoded_side);
  check_range("height", options.size.height, 1, longest_encoded_side);
  constexpr double most = 0x7fffffff;
  for (const Ratio& ratio : {options.time_base, options.frame_rate}) {
    check_range("numerator", static_cast<double>(ratio.numerator), 1, most, "ratio");
    check_range("denominator", static_cast<double>(ratio.denominator), 1, most, "ratio");
  }
  check_range("patience", options.patience, 0.1, 86400);
}

ImageSize even(ImageSize size) { return {size.width + size.width % 2, size.height + size.height % 2}; }

video::EncodeRequest request_of(const std::string& container, bool is_stream, const VideoWriterOptions& options) {
  return {.container = container,
          .is_stream = is_stream,
          .size = even(options.size),
          .time_base = options.time_base,
          .frame_rate = options.frame_rate,
          .encoders = encoders_of(options.codec)};
}

// Both ends of a connection; each is closed once.
class Connection {
 public:
  Connection() {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()) != 0) {
      throw Error(ErrorCode::file_error,
                  "no connection to the encoder can be made: " + std::generic_category().message(errno));
    }
  }
  ~Connection() {
    for (const int end : ends_) {
      if (end >= 0) close(end);
    }
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  [[nodiscard]] int near() const { return ends_[0]; }
  [[nodiscard]] int far() const { return ends_[1]; }
  void close_far() { close(std::exchange(ends_[1], -1)); }

 private:
  std::array<int, 2> ends_{};
};

// Luma and both chroma planes of half the sides, one after the other.
cv::Mat planes_of(const ImageView& image) try {
  cv::Mat rgb = io::to_display(image), planes;
  const ImageSize size = even({rgb.cols, rgb.rows});
  if (size != ImageSize{rgb.cols, rgb.rows}) {
    cv::copyMakeBorder(rgb, rgb, 0, size.height - rgb.rows, 0, size.width - rgb.cols, cv::BORDER_REPLICATE);
  }
  cv::cvtColor(rgb, planes, cv::COLOR_RGB2YUV_I420);
  return planes;
} catch (const cv::Exception& error) {
  throw_error_of(error, "the image cannot be encoded");
}

}  // namespace

class VideoWriter::Impl {
 public:
  Impl(const fs::path& file, const VideoWriterOptions& options)
      : name_(file.string()),
        options_((check(options), VideoWriter::require_writable(file), options)),
        is_stream_(is_stream(file)),
        patience_(patience_of(options)),
        file_(file),
        process_(video::encoder, video::find_helper(video::encoder, options.encoder),
                 video::words_of(request_of(container_of(file), is_stream_, options)), connection_.far(),
                 file_->descriptor()) {
    begin();
  }

  Impl(int descriptor, std::string name, const VideoWriterOptions& options)
      : name_(std::move(name)),
        options_((check(options), options)),
        is_stream_(true),
        patience_(patience_of(options)),
        process_(video::encoder, video::find_helper(video::encoder, options.encoder),
                 video::words_of(request_of("matroska", is_stream_, options)), connection_.far(), descriptor) {
    begin();
  }

  void write(const ImageView& image, std::int64_t ticks, std::int64_t duration) {
    if (ImageSize{image.width, image.height} != options_.size) {
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("the image has {}x{} pixels, but those of the video have {}x{}", image.width,
                              image.height, options_.size.width, options_.size.height));
    }
    if (!first_) first_ = ticks;
    const std::int64_t time = std::max(ticks - *first_, last_ + 1);
    const std::int64_t step = time - last_;
    const bool is_second = count_ >= 1;
    last_ = time;
    ++count_;
    const cv::Mat planes = planes_of(image);
    video::ImageHead head;
    head.ticks = time;
    head.duration = duration > 0 ? duration : is_second ? step : usual_duration();
    send(std::as_bytes(std::span(&head, 1)));
    send({reinterpret_cast<const std::byte*>(planes.data), planes.total()});
  }

  void finish() {
    if (count_ == 0) fail("there is no image for it");
    video::ImageHead head;
    head.is_end = 1;
    send(std::as_bytes(std::span(&head, 1)));
    const video::Message last = receive();
    const auto* const end = std::get_if<video::EndMessage>(&last);
    if (end == nullptr || end->decoded != count_) fail("the encoder does not tell that it has written all images");
    process_.end();
    if (file_) file_->finish();
  }

  [[nodiscard]] const std::string& codec() const { return codec_; }
  [[nodiscard]] double encoding_seconds() const { return process_.busy_seconds(); }

 private:
  static std::chrono::milliseconds patience_of(const VideoWriterOptions& options) {
    return std::chrono::milliseconds(std::llround(options.patience * 1000));
  }

  void begin() {
    connection_.close_far();
    const video::Message first = receive();
    const auto* const facts = std::get_if<VideoFacts>(&first);
    if (facts == nullptr) fail("the encoder does not begin with the facts of the file");
    codec_ = facts->codec;
    // The reader of a stream may rest for a long time, such as a player. This is no fault of the encoder.
    if (is_stream_) patience_ = std::chrono::hours(24 * 365);
  }

  [[noreturn]] void fail(const std::string& why) {
    process_.end();
    throw Error(ErrorCode::file_error, fmt::format("cannot write '{}': {}", name_, why));
  }

  [[nodiscard]] std::int64_t usual_duration() const {
    const auto [n, d] = options_.frame_rate;
    const double ticks = static_cast<double>(d) / static_cast<double>(n) *
                         static_cast<double>(options_.time_base.denominator) /
                         static_cast<double>(options_.time_base.numerator);
    return std::max<std::int64_t>(std::llround(ticks), 1);
  }

  // The next message that says more than that the work goes on.
  video::Message receive() try {
    for (;;) {
      video::Message message =
          video::read_message([this](std::span<std::byte> bytes) { process_.read(bytes, patience_); }, 1);
      if (const auto* const failure = std::get_if<video::FailureMessage>(&message)) fail(failure->sentence);
      if (!std::holds_alternative<video::ProgressMessage>(message)) return message;
    }
  } catch (const video::HelperEnded& ended) {
    fail(ended.what());
  } catch (const video::ProtocolError& error) {
    fail(fmt::format("the encoder went mad: {}", error.what()));
  }

  // The time is counted in steps that this process waited itself, as HelperProcess counts it.
  void wait_for_room() {
    constexpr std::chrono::milliseconds step(50);
    for (std::chrono::milliseconds waited(0); waited < patience_;) {
      pollfd wanted{connection_.near(), POLLOUT, 0};
      const int ready = poll(&wanted, 1, static_cast<int>(step.count()));
      if (ready > 0) return;
      if (ready < 0 && errno != EINTR) fail(std::generic_category().message(errno));
      if (ready == 0) waited += step;
    }
    fail(fmt::format("the encoder made no progress for {} s and was ended", options_.patience));
  }

  void send(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(connection_.near(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count >= 0) {
        bytes = bytes.subspan(static_cast<std::size_t>(count));
      } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
        wait_for_room();
      } else if (errno != EINTR) {
        receive();  // throws the reason
        fail("the encoder takes no more images");
      }
    }
  }

  std::string name_;
  VideoWriterOptions options_;
  bool is_stream_;
  std::chrono::milliseconds patience_;
  std::optional<OutputFile> file_;  // none if the caller has opened it
  Connection connection_;
  video::HelperProcess process_;
  std::string codec_;
  std::optional<std::int64_t> first_;
  std::int64_t last_ = -1;  // [tick] the time of the last image
  std::int64_t count_ = 0;
};

VideoWriter::VideoWriter(const fs::path& file, const VideoWriterOptions& options)
    : impl_(std::make_unique<Impl>(file, options)) {}
VideoWriter::VideoWriter(int descriptor, const std::string& name, const VideoWriterOptions& options)
    : impl_(std::make_unique<Impl>(descriptor, name, options)) {}
VideoWriter::~VideoWriter() = default;
VideoWriter::VideoWriter(VideoWriter&&) noexcept = default;
void VideoWriter::require_writable(const fs::path& file) {
  require_ending(std::array{file}, endings);
  octavo::require_writable(std::array{file});
  if (is_stream(file) && container_of(file) != "matroska") {
    throw Error(ErrorCode::file_error,
                fmt::format("cannot write '{}': it is a pipe, and a pipe takes Matroska only (.mkv)", file.string()));
  }
}
const std::string& VideoWriter::codec() const { return impl_->codec(); }
void VideoWriter::write(const ImageView& image, std::int64_t ticks, std::int64_t duration) {
  impl_->write(image, ticks, duration);
}
void VideoWriter::finish() { impl_->finish(); }
double VideoWriter::encoding_seconds() const { return impl_->encoding_seconds(); }

}  // namespace octavo
