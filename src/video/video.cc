// The library's side of decoding: starts octavo-decode, reads its messages, and turns what goes wrong into errors that
// name the file and the place in it.

#include "octavo/video.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <system_error>
#include <utility>

#include "octavo/error.h"
#include "video/helper_process.h"
#include "video/messages.h"
#include "video/request.h"

namespace octavo {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::file_error, fmt::format("cannot read '{}': {}", name, why));
}

// An open file, which is closed at the end.
class Input {
 public:
  explicit Input(const std::filesystem::path& file) : number_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) refuse(file.string(), why(errno, is_capture_name(file)));
  }
  ~Input() { close(number_); }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  static bool is_capture_name(const std::filesystem::path& file) { return file.string().starts_with("/dev/video"); }

  static std::string why(int error, bool is_device) {
    if (error == ENOENT)
      return is_device ? "no such device: ls /dev/video* lists those that are there" : "no such file";
    const std::string text = std::generic_category().message(error);
    return error == EACCES && is_device ? text + ": in most systems cameras are for the group video" : text;
  }

  int number_;
};

void require_readable(int descriptor, const std::string& name) {
  struct stat facts {};
  if (fstat(descriptor, &facts) != 0) refuse(name, std::generic_category().message(errno));
  if (S_ISDIR(facts.st_mode)) refuse(name, "it is a directory");
  if (S_ISREG(facts.st_mode) && facts.st_size == 0) refuse(name, "it is empty");
}

}  // namespace

class Video::Impl {
 public:
  Impl(int descriptor, std::string name, const VideoOptions& options)
      : name_(std::move(name)),
        options_((validate(options), options)),
        patience_(static_cast<std::int64_t>(std::llround(options.patience * 1000))),
        process_(video::decoder, video::find_helper(video::decoder, options.decoder), video::words_of(options),
                 (require_readable(descriptor, name_), descriptor)) {
    video::Message first = receive();
    while (take_note(first)) first = receive();
    if (auto* const facts = std::get_if<VideoFacts>(&first)) {
      facts_ = std::move(*facts);
    } else {
      fail("the decoder does not begin with the facts of the file");
    }
  }

  std::optional<VideoFrame> next() {
    while (!ended_) {
      video::Message message = receive();
      if (take_note(message)) continue;
      if (const auto* const end = std::get_if<video::EndMessage>(&message)) {
        decoded_ = end->decoded;
        seconds_done_ = end->seconds;
        ended_ = true;
      } else if (auto* const frame = std::get_if<VideoFrame>(&message)) {
        decoded_ = frame->index + 1;
        last_ = {frame->index, frame->seconds};
        if (!first_seconds_) first_seconds_ = frame->seconds;
        seconds_done_ = frame->seconds - *first_seconds_;
        return std::move(*frame);
      } else {
        fail("the decoder gives the facts of the file twice");
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] const VideoFacts& facts() const { return facts_; }
  [[nodiscard]] double decoding_seconds() const { return process_.busy_seconds(); }
  [[nodiscard]] std::int64_t decoded() const { return decoded_; }
  [[nodiscard]] double seconds_done() const { return seconds_done_; }
  [[nodiscard]] const std::vector<VideoWarning>& warnings() const { return warnings_; }

 private:
  [[noreturn]] void fail(const std::string& why) {
    ended_ = true;
    process_.end();
    const std::string place = last_ ? fmt::format(", after frame {} at {:.3f} s", last_->first, last_->second) : "";
    refuse(name_, why + place);
  }

  video::Message receive() try {
    return video::read_message([this](std::span<std::byte> bytes) { process_.read(bytes, patience_); },
                               options_.max_pixels);
  } catch (const video::HelperEnded& ended) {
    fail(ended.what());
  } catch (const video::ProtocolError& error) {
    fail(fmt::format("the decoder went mad: {}", error.what()));
  }

  // Whether the message was one of those that may come at any time.
  bool take_note(video::Message& message) {
    if (auto* const warning = std::get_if<VideoWarning>(&message)) {
      warnings_.push_back(std::move(*warning));
    } else if (const auto* const progress = std::get_if<video::ProgressMessage>(&message)) {
      decoded_ = progress->decoded;
      seconds_done_ = progress->seconds;
      if (decoded_ > 0) last_ = {decoded_ - 1, first_seconds_.value_or(0) + seconds_done_};
    } else if (const auto* const failure = std::get_if<video::FailureMessage>(&message)) {
      fail(failure->sentence);
    } else {
      return false;
    }
    return true;
  }

  std::string name_;
  VideoOptions options_;
  std::chrono::milliseconds patience_;
  video::HelperProcess process_;
  VideoFacts facts_;
  std::vector<VideoWarning> warnings_;
  bool ended_ = false;
  std::int64_t decoded_ = 0;
  double seconds_done_ = 0;
  std::optional<double> first_seconds_;
  std::optional<std::pair<std::int64_t, double>> last_;  // the last frame that is known: its index and time
};

// The decoder has its own copy of the descriptor.
Video::Video(const std::filesystem::path& file, const VideoOptions& options)
    : impl_(std::make_unique<Impl>(Input(file).number(), file.string(), options)) {}
Video::Video(int descriptor, const std::string& name, const VideoOptions& options)
    : impl_(std::make_unique<Impl>(descriptor, name, options)) {}
Video::~Video() = default;
Video::Video(Video&&) noexcept = default;
const VideoFacts& Video::facts() const { return impl_->facts(); }
std::optional<VideoFrame> Video::next() { return impl_->next(); }
std::int64_t Video::decoded() const { return impl_->decoded(); }
double Video::decoding_seconds() const { return impl_->decoding_seconds(); }
double Video::seconds_done() const { return impl_->seconds_done(); }
const std::vector<VideoWarning>& Video::warnings() const { return impl_->warnings(); }

}  // namespace octavo
