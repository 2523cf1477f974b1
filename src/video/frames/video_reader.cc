#include "video/frames/video_reader.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <span>
#include <system_error>
#include <variant>

#include "octavo/error.h"
#include "video/frames/request.h"

namespace octavo::video {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::file_error, fmt::format("cannot read '{}': {}", name, why));
}

void require_readable(int descriptor, const std::string& name) {
  struct stat facts {};
  if (fstat(descriptor, &facts) != 0) refuse(name, std::generic_category().message(errno));
  if (S_ISDIR(facts.st_mode)) refuse(name, "it is a directory");
  if (S_ISREG(facts.st_mode) && facts.st_size == 0) refuse(name, "it is empty");
}

}  // namespace

DescriptorCopy::DescriptorCopy(int descriptor) : number_(fcntl(descriptor, F_DUPFD_CLOEXEC, 0)) {
  if (number_ < 0) throw Error(ErrorCode::file_error, std::generic_category().message(errno));
}

DescriptorCopy::~DescriptorCopy() { close(number_); }

VideoReader::VideoReader(int descriptor, std::string name, const VideoOptions& options, PacketEngine engine,
                         std::vector<Part> parts)
    : name_(std::move(name)),
      options_((validate(options), options)),
      engine_(std::move(engine)),
      parts_(std::move(parts)),
      patience_(static_cast<std::int64_t>(std::llround(options.patience * 1000))) {
  require_readable(descriptor, name_);
  if (engine_.packets != Packets::none || !parts_.empty()) again_.emplace(descriptor);
  start(descriptor, engine_.packets);
  if (!engine_.objection.empty()) facts_.decoder += ", not NVDEC: " + engine_.objection;
  // The facts name the decoder, which the next message decides.
  while (engine_.packets != Packets::none && !packets_ && !frame_ && !end_) take(receive());
}

// Starts the process and reads the facts.
void VideoReader::start(int descriptor, Packets packets) {
  process_ = std::make_unique<HelperProcess>(video::decoder, find_helper(video::decoder, options_.decoder),
                                             words_of({options_, packets, parts_}), descriptor);
  Message first = receive();
  while (take_note(first)) first = receive();
  if (auto* const facts = std::get_if<VideoFacts>(&first)) {
    facts_ = std::move(*facts);
  } else {
    fail("the decoder does not begin with the facts of the file");
  }
}

std::optional<VideoFrame> VideoReader::next() {
  for (;;) {
    if (packets_) {
      if (std::optional<VideoFrame> frame = packets_->take()) return given(std::move(*frame));
    }
    if (frame_) {
      VideoFrame frame = std::move(*frame_);
      frame_.reset();
      if (!was_given(frame)) return given(std::move(frame));
      continue;
    }
    if (end_ && !ended_) {
      decoded_ = end_->decoded;
      seconds_done_ = end_->seconds;
      ended_ = true;
    }
    if (ended_) return std::nullopt;
    take(receive());
  }
}

// Whether a frame of a process that began again came from the one before.
bool VideoReader::was_given(const VideoFrame& frame) {
  if (left_out_ > 0) return --left_out_, true;
  return given_until_ && frame.ticks <= *given_until_;
}

VideoFrame VideoReader::given(VideoFrame frame) {
  ++given_;
  last_ticks_ = frame.ticks;
  decoded_ = frame.index + 1;
  last_ = {frame.index, frame.seconds};
  if (!first_seconds_) first_seconds_ = frame.seconds;
  seconds_done_ = frame.seconds - *first_seconds_;
  return frame;
}

// Takes a message that is not the facts.
void VideoReader::take(Message message) {
  if (take_note(message)) return;
  if (const auto* const end = std::get_if<EndMessage>(&message)) {
    end_ = *end;
    if (!packets_) return;
    with_packets([&] {
      packets_->finish();
      end_->decoded = packets_->shown();
    });
  } else if (auto* const frame = std::get_if<VideoFrame>(&message)) {
    if (packets_) fail("the decoder went mad: a frame among packets");
    frame_ = std::move(*frame);
  } else if (const auto* const packet = std::get_if<PacketMessage>(&message)) {
    if (!packets_) fail("the decoder went mad: a packet that was not announced");
    with_packets([&] { packets_->decode(*packet); });
  } else if (const auto* const packets = std::get_if<PacketsMessage>(&message)) {
    if (engine_.packets == Packets::none || packets_) fail("the decoder went mad: packets that were not asked for");
    with_packets([&] { begin_packets(*packets); });
  } else if (const auto* const refusal = std::get_if<RefusalMessage>(&message)) {
    if (!packets_ && !parts_.empty()) return decode_all();
    if (engine_.packets == Packets::none) fail("the decoder refuses to decode: " + refusal->reason);
    decode_on_cpu(refusal->reason);
  } else {
    fail("the decoder gives the facts of the file twice");
  }
}

void VideoReader::begin_packets(const PacketsMessage& packets) {
  const auto pixels = static_cast<std::uint64_t>(packets.width) * static_cast<std::uint64_t>(packets.height);
  if (pixels > options_.max_pixels) fail("the decoder went mad: a frame is too large");
  const PacketFormat format{.codec = facts_.codec,
                            .luma = {.stored = {facts_.width, facts_.height},
                                     .scaled = {packets.width, packets.height},
                                     .depth = packets.depth,
                                     .limited_range = facts_.limited_range,
                                     .stretch = !options_.stored_luma},
                            .time_base = facts_.time_base,
                            .header = packets.header};
  packets_ = std::make_unique<PacketFrames>(facts_, options_, engine_.make(format));
  facts_.decoder = facts_.codec + " (NVDEC)";
}

// Where the decoder of packets cannot decode, the CPU can, from the beginning.
template <class Work>
void VideoReader::with_packets(const Work& work) {
  std::string reason;
  try {
    return work();
  } catch (const NotDecodable& error) {
    reason = error.what();
  } catch (const Error& error) {
    if (ended_) throw;  // fail() has said all
    reason = error.what();
  }
  decode_on_cpu(reason);
}

void VideoReader::decode_on_cpu(const std::string& reason) {
  left_out_ = given_;
  begin_again();
  facts_.decoder += ", not NVDEC: " + reason;
}

// Where parts cannot be reached by leaps, all frames are read. They follow those that were given, by their times.
void VideoReader::decode_all() {
  given_until_ = last_ticks_;
  begin_again();
}

void VideoReader::begin_again() {
  engine_.packets = Packets::none;
  packets_.reset();
  parts_.clear();
  busy_before_ += process_->busy_seconds();
  process_.reset();
  warnings_.clear();
  end_.reset();
  start(again_->number(), Packets::none);
}

void VideoReader::fail(const std::string& why) {
  ended_ = true;
  process_->end();
  const std::string place = last_ ? fmt::format(", after frame {} at {:.3f} s", last_->first, last_->second) : "";
  refuse(name_, why + place);
}

Message VideoReader::receive() try {
  return read_message([this](std::span<std::byte> bytes) { process_->read(bytes, patience_); }, options_.max_pixels);
} catch (const HelperEnded& ended) {
  fail(ended.what());
} catch (const ProtocolError& error) {
  fail(fmt::format("the decoder went mad: {}", error.what()));
}

// Whether the message was one of those that may come at any time.
bool VideoReader::take_note(Message& message) {
  if (auto* const warning = std::get_if<VideoWarning>(&message)) {
    warnings_.push_back(std::move(*warning));
  } else if (const auto* const progress = std::get_if<ProgressMessage>(&message)) {
    decoded_ = progress->decoded;
    seconds_done_ = progress->seconds;
    if (decoded_ > 0) last_ = {decoded_ - 1, first_seconds_.value_or(0) + seconds_done_};
  } else if (const auto* const failure = std::get_if<FailureMessage>(&message)) {
    fail(failure->sentence);
  } else {
    return false;
  }
  return true;
}

}  // namespace octavo::video
