#pragma once

// The library's side of decoding: starts octavo-decode, reads its messages, and turns what goes wrong into errors that
// name the file and the place in it. The process decodes, or passes packets to a decoder here. If that cannot go on,
// the process begins again and decodes itself, and the frames that were given already are left out. So it is with parts
// of a video that leaps cannot reach.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "octavo/video/video.h"
#include "video/frames/frame_reader.h"
#include "video/frames/helper_process.h"
#include "video/frames/messages.h"
#include "video/frames/packet_decoder.h"
#include "video/frames/packet_frames.h"
#include "video/frames/parts.h"

namespace octavo::video {

/// A descriptor of its own for a file that may have to be read again.
class DescriptorCopy {
 public:
  explicit DescriptorCopy(int descriptor);
  ~DescriptorCopy();
  DescriptorCopy(const DescriptorCopy&) = delete;
  DescriptorCopy& operator=(const DescriptorCopy&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

/// Reads a video by octavo-decode.
class VideoReader : public FrameReader {
 public:
  /// `parts` are merged; none: all of the video.
  VideoReader(int descriptor, std::string name, const VideoOptions& options, PacketEngine engine,
              std::vector<Part> parts = {});

  std::optional<VideoFrame> next() override;

  [[nodiscard]] const VideoFacts& facts() const override { return facts_; }
  [[nodiscard]] double decoding_seconds() const override { return busy_before_ + process_->busy_seconds(); }
  [[nodiscard]] std::int64_t decoded() const override { return decoded_; }
  [[nodiscard]] double seconds_done() const override { return seconds_done_; }
  [[nodiscard]] const std::vector<VideoWarning>& warnings() const override { return warnings_; }

 private:
  void start(int descriptor, Packets packets);
  void begin_packets(const PacketsMessage& packets);
  void decode_on_cpu(const std::string& reason);
  void decode_all();
  void begin_again();
  [[nodiscard]] bool was_given(const VideoFrame& frame);
  template <class Work>
  void with_packets(const Work& work);
  VideoFrame given(VideoFrame frame);
  void take(video::Message message);
  [[noreturn]] void fail(const std::string& why);
  Message receive();
  bool take_note(Message& message);

  std::string name_;
  VideoOptions options_;
  PacketEngine engine_;
  std::vector<Part> parts_;
  std::chrono::milliseconds patience_;
  std::optional<DescriptorCopy> again_;  // if packets or parts are asked for
  std::unique_ptr<HelperProcess> process_;
  double busy_before_ = 0;  // [second] of processes before
  std::unique_ptr<PacketFrames> packets_;
  VideoFacts facts_;
  std::vector<VideoWarning> warnings_;
  bool ended_ = false;
  std::optional<EndMessage> end_;
  std::int64_t decoded_ = 0, given_ = 0, left_out_ = 0;
  std::optional<std::int64_t> last_ticks_, given_until_;  // [tick]
  double seconds_done_ = 0;
  std::optional<VideoFrame> frame_;  // the one that the last message gave
  std::optional<double> first_seconds_;
  std::optional<std::pair<std::int64_t, double>> last_;  // the last frame that is known: its index and time
};

}  // namespace octavo::video
