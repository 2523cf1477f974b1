// Frames from packets: a decoder of FFmpeg in this process stands for NVDEC. Its frames must be those of octavo-decode,
// with their indexes and times, and where packets are not fit for it, or it fails, octavo-decode must go on.

#include "video/frames/packet_frames.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

extern "C" {
#include <libavcodec/avcodec.h>
}

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "octavo/error.h"
#include "octavo/video/video.h"
#include "video/frames/area_scale.h"
#include "video/frames/levels.h"
#include "video/frames/video_reader.h"

namespace octavo::video {
namespace {

namespace fs = std::filesystem;

// Frames of 8 bits, by libavcodec. Fails at a frame if it shall.
class StandIn : public PacketDecoder {
 public:
  StandIn(const PacketFormat& format, int fails_at) : form_(format.luma), fails_at_(fails_at) {
    const AVCodec* const decoder = avcodec_find_decoder_by_name(format.codec.c_str());
    if (decoder == nullptr) throw NotDecodable("it knows no " + format.codec);
    context_ = avcodec_alloc_context3(decoder);
    context_->thread_count = 1;
    if (!format.header.empty()) {
      context_->extradata = static_cast<std::uint8_t*>(av_mallocz(format.header.size() + AV_INPUT_BUFFER_PADDING_SIZE));
      context_->extradata_size = static_cast<int>(format.header.size());
      std::memcpy(context_->extradata, format.header.data(), format.header.size());
    }
    EXPECT_EQ(avcodec_open2(context_, decoder, nullptr), 0);
  }
  ~StandIn() override { avcodec_free_context(&context_); }

  void decode(const PacketMessage& message, const Show& show) override {
    AVPacket* packet = av_packet_alloc();
    av_new_packet(packet, static_cast<int>(message.bytes.size()));
    std::memcpy(packet->data, message.bytes.data(), message.bytes.size());
    packet->pts = message.ticks;
    EXPECT_EQ(avcodec_send_packet(context_, packet), 0);
    av_packet_free(&packet);
    give(show);
  }
  void finish(const Show& show) override {
    avcodec_send_packet(context_, nullptr);
    give(show);
  }

 private:
  void give(const Show& show) {
    AVFrame* frame = av_frame_alloc();
    while (avcodec_receive_frame(context_, frame) >= 0) {
      if (count_++ == fails_at_) {
        av_frame_free(&frame);
        throw NotDecodable("it shall fail");
      }
      show(frame->pts, [&] { return grey_of(*frame); });
    }
    av_frame_free(&frame);
  }

  Image grey_of(const AVFrame& frame) const {
    std::vector<std::uint8_t> luma;
    for (int y = 0; y < frame.height; ++y) {
      const std::uint8_t* const row = frame.data[0] + static_cast<std::ptrdiff_t>(y) * frame.linesize[0];
      luma.insert(luma.end(), row, row + frame.width);
    }
    if (form_.limited_range && form_.stretch) {
      for (std::uint8_t& one : luma) one = stretched_luma()[one];
    }
    const std::vector<std::uint8_t> scaled =
        scale_area({luma.data(), frame.width, frame.width, frame.height}, form_.scaled);
    Image grey(form_.scaled.width, form_.scaled.height, 1, PixelType::u8);
    std::memcpy(grey.row(0), scaled.data(), scaled.size());
    return grey;
  }

  LumaForm form_;
  int fails_at_, count_ = 0;
  AVCodecContext* context_ = nullptr;
};

// Clips that ffmpeg makes.
class PacketVideo : public testing::Test {
 protected:
  void SetUp() override {
    options_.decoder = OCTAVO_DECODE;
    if (std::system("command -v ffmpeg > /dev/null") != 0) GTEST_SKIP() << "lacks ffmpeg, which makes the clips";
  }

  // 3 seconds of a moving test image.
  fs::path clip(const std::string& name, const std::string& encoding, const std::string& size = "320x180") {
    fs::path file = folder_ / name;
    const std::string command = "ffmpeg -v error -y -f lavfi -i testsrc2=size=" + size + ":rate=25:duration=3 " +
                                encoding + " '" + file.string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return file;
  }

  // The frames, and the decoder that the facts name at the end.
  struct Result {
    std::vector<VideoFrame> frames;
    std::string decoder;
    std::int64_t decoded = 0;
    double seconds = 0;
  };
  template <class Reader>
  static Result all_of(Reader& reader) {
    Result result;
    while (std::optional<VideoFrame> frame = reader.next()) result.frames.push_back(std::move(*frame));
    result.decoder = reader.facts().decoder;
    result.decoded = reader.decoded();
    result.seconds = reader.seconds_done();
    return result;
  }

  Result by_packets(const fs::path& file, int fails_at = -1, Packets packets = Packets::of_exact_codecs) const {
    const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    VideoReader reader(descriptor, file.string(), options_, {packets, [&](const PacketFormat& format) {
                                                               return std::make_unique<StandIn>(format, fails_at);
                                                             }});
    close(descriptor);
    return all_of(reader);
  }

  void expect_the_frames_of_the_cpu(const fs::path& file, const Result& found) const {
    VideoOptions options = options_;
    options.engine = VideoEngine::cpu;
    Video video(file, options);
    const Result expected = all_of(video);
    EXPECT_EQ(found.decoded, expected.decoded);
    EXPECT_EQ(found.seconds, expected.seconds);
    ASSERT_EQ(found.frames.size(), expected.frames.size());
    ASSERT_GT(expected.frames.size(), 0u);
    for (std::size_t i = 0; i < expected.frames.size(); ++i) {
      const VideoFrame &a = found.frames[i], &b = expected.frames[i];
      EXPECT_EQ(a.index, b.index);
      EXPECT_EQ(a.ticks, b.ticks);
      EXPECT_EQ(a.seconds, b.seconds);
      EXPECT_EQ(a.duration_ticks, b.duration_ticks);
      EXPECT_EQ(a.key, b.key);
      EXPECT_EQ(a.stored_width, b.stored_width);
      ASSERT_EQ(a.grey.width(), b.grey.width());
      ASSERT_EQ(a.grey.height(), b.grey.height());
      EXPECT_EQ(std::memcmp(a.grey.row(0), b.grey.row(0),
                            static_cast<std::size_t>(a.grey.width()) * static_cast<std::size_t>(a.grey.height())),
                0)
          << "frame " << b.index;
    }
  }

  const TestFolder folder_;
  VideoOptions options_{.fps = 5, .size = 160};
};

constexpr auto h264 = "-c:v libx264 -preset veryfast -bf 3 -g 20 -pix_fmt yuv420p";

TEST_F(PacketVideo, HasTheFramesOfTheCpu) {
  for (const auto& [name, encoding] : std::vector<std::pair<std::string, std::string>>{
           {"a.mp4", h264},
           {"a.mkv", h264},
           {"a.ts", h264},
           {"rotated.mp4", std::string(h264) + " -metadata:s:v:0 rotate=90"},
           {"aspect.mp4", std::string(h264) + " -vf setsar=16/15"},
           {"full.mp4", std::string(h264) + " -pix_fmt yuvj420p"},
           {"hevc.mp4", "-c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p"},
           {"vp9.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuv420p"}}) {
    SCOPED_TRACE(name);
    const fs::path file = clip(name, encoding);
    const Result found = by_packets(file);
    EXPECT_EQ(found.decoder.find("NVDEC") != std::string::npos, true);
    EXPECT_EQ(found.decoder.find("not NVDEC"), std::string::npos) << found.decoder;
    expect_the_frames_of_the_cpu(file, found);
  }
}

TEST_F(PacketVideo, EveryNthFrameAndAllSizes) {
  options_.every = 3;
  options_.size = 0;
  options_.stored_luma = true;
  const fs::path file = clip("a.mp4", h264);
  const Result found = by_packets(file);
  EXPECT_EQ(found.decoder, "h264 (NVDEC)");
  EXPECT_EQ(found.frames.size(), 25u);
  expect_the_frames_of_the_cpu(file, found);
}

// The decoder gives up at any frame: those before are given once.
TEST_F(PacketVideo, GoesOnWithTheCpuWhereItFails) {
  const fs::path file = clip("a.mp4", h264);
  for (const int fails_at : {0, 1, 30, 74}) {
    const Result found = by_packets(file, fails_at);
    EXPECT_NE(found.decoder.find(", not NVDEC: it shall fail"), std::string::npos) << found.decoder;
    expect_the_frames_of_the_cpu(file, found);
  }
}

TEST_F(PacketVideo, LeavesOtherFilesToTheCpu) {
  struct Case {
    const char *name, *encoding, *reason;
  };
  for (const Case& one : {
           Case{"interlaced.mp4", "-c:v libx264 -preset veryfast -flags +ildct+ilme -x264-params tff=1", "interlaced"},
           Case{"422.mp4", "-c:v libx264 -preset veryfast -pix_fmt yuv422p", "format yuv422p"},
           Case{"mpeg2.mpg", "-c:v mpeg2video -q:v 5", "decoders of mpeg2video differ"},
           Case{"mjpeg.avi", "-c:v mjpeg -q:v 5 -pix_fmt yuvj420p", "knows no mjpeg"},
           Case{"times.avi", h264, "a frame has no time"},
       }) {
    SCOPED_TRACE(one.name);
    const fs::path file = clip(one.name, one.encoding);
    const Result found = by_packets(file);
    EXPECT_NE(found.decoder.find(std::string("not NVDEC: ")), std::string::npos) << found.decoder;
    EXPECT_NE(found.decoder.find(one.reason), std::string::npos) << found.decoder;
    expect_the_frames_of_the_cpu(file, found);
  }
  const fs::path odd = clip("odd.mp4", "-c:v libx264 -preset veryfast -pix_fmt yuv444p", "321x181");
  EXPECT_NE(by_packets(odd).decoder.find("not NVDEC"), std::string::npos);
}

// The first group of images is missing, the rest begins with frames that need it.
TEST_F(PacketVideo, LeavesDamagedFilesToTheCpu) {
  const fs::path file = clip("a.ts", std::string(h264) + " -x264-params open-gop=1");
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(file);
  const fs::path cut = folder_ / "cut.ts";
  const std::string command =
      "tail -c +" + std::to_string(188 * (bytes / 188 / 10) + 1) + " '" + file.string() + "' > '" + cut.string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const Result found = by_packets(cut);
  EXPECT_NE(found.decoder.find("not NVDEC"), std::string::npos) << found.decoder;
  expect_the_frames_of_the_cpu(cut, found);
}

TEST_F(PacketVideo, TakesInexactCodecsIfAsked) {
  const fs::path file = clip("mpeg4.mp4", "-c:v mpeg4 -q:v 5 -bf 0");
  EXPECT_NE(by_packets(file).decoder.find("decoders of mpeg4 differ"), std::string::npos);
  const Result found = by_packets(file, -1, Packets::of_any_codec);
  EXPECT_EQ(found.decoder, "mpeg4 (NVDEC)");
  EXPECT_EQ(found.frames.size(), 15u);
}

// A decoder that shows what it is told to.
class Script : public PacketDecoder {
 public:
  explicit Script(std::vector<std::int64_t> shown) : shown_(std::move(shown)) {}
  void decode(const PacketMessage& /*packet*/, const Show& /*show*/) override {}
  void finish(const Show& show) override {
    for (const std::int64_t ticks : shown_) show(ticks, [] { return Image(2, 2, 1, PixelType::u8); });
  }

 private:
  std::vector<std::int64_t> shown_;
};

std::string failure_of(const std::vector<std::int64_t>& decoded, const std::vector<std::int64_t>& shown) {
  VideoFacts facts;
  facts.time_base = {1, 25};
  PacketFrames frames(facts, {.every = 1}, std::make_unique<Script>(shown));
  try {
    for (const std::int64_t ticks : decoded) frames.decode({ticks, 1, false, {}});
    frames.finish();
  } catch (const NotDecodable& error) {
    return error.what();
  }
  return "";
}

TEST(PacketFrames, NoticesAnotherOrder) {
  EXPECT_EQ(failure_of({0, 4, 2, 1, 3}, {0, 1, 2, 3, 4}), "");
  EXPECT_EQ(failure_of({0, 4, 2, 1, 3}, {0, 2, 1, 3, 4}), "its frames are shown in another order");
  EXPECT_EQ(failure_of({0, 1, 2}, {0, 2}), "its frames are shown in another order");
  EXPECT_EQ(failure_of({0, 1, 2}, {0, 1}), "not all of its frames are shown");
  EXPECT_EQ(failure_of({0, 1}, {0, 1, 2}), "its frames are shown in another order");
  EXPECT_EQ(failure_of({0, 1, 1}, {0, 1}), "two of its frames have one time");
}

}  // namespace
}  // namespace octavo::video
