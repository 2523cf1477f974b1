#include "video/frames/messages.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "octavo/error.h"
#include "video/frames/request.h"

namespace octavo::video {
namespace {

VideoFacts some_facts() {
  VideoFacts facts;
  facts.container = "avi";
  facts.codec = "h264";
  facts.decoder = "h264 (libavcodec 59.37.100)";
  facts.width = 720;
  facts.height = 576;
  facts.pixel_aspect = {64, 45};
  facts.rotation = 90;
  facts.matrix = "bt709";
  facts.limited_range = true;
  facts.time_base = {1, 90000};
  facts.start = -7;
  facts.declared_frames = 10'000'000;
  facts.black = 7000;
  facts.white = 8191.5;
  return facts;
}

VideoFrame some_frame() {
  VideoFrame frame;
  frame.index = 12;
  frame.ticks = -34;
  frame.seconds = -0.5;
  frame.stored_width = 720;
  frame.stored_height = 576;
  frame.key = frame.damaged = true;
  frame.grey = Image(5, 3, 1, PixelType::u8);
  frame.colour = Image(5, 3, 3, PixelType::u8);
  std::memset(frame.grey.row(0), 9, 15);
  std::memset(frame.colour.row(0), 8, 45);
  return frame;
}

std::vector<std::byte> stream_of(const Message& message) {
  std::vector<std::byte> bytes = bytes_of(message);
  for (const auto data : data_of(message)) bytes.insert(bytes.end(), data.begin(), data.end());
  return bytes;
}

class TooShort : public std::exception {};

Message read(std::span<const std::byte> bytes, std::uint64_t max_pixels = 1000) {
  const auto take = [&](std::span<std::byte> into) {
    if (into.size() > bytes.size()) throw TooShort();
    std::copy_n(bytes.begin(), into.size(), into.begin());
    bytes = bytes.subspan(into.size());
  };
  Message message = read_message(take, max_pixels);
  EXPECT_TRUE(bytes.empty());
  return message;
}

TEST(Messages, PacketsComeBackAsTheyWere) {
  const std::vector<std::byte> header(500, std::byte{3}), bytes(100'000, std::byte{7});
  const auto packets = std::get<PacketsMessage>(read(stream_of(PacketsMessage{640, 360, 10, 512, header})));
  EXPECT_EQ(packets.width, 640);
  EXPECT_EQ(packets.height, 360);
  EXPECT_EQ(packets.depth, 10);
  EXPECT_EQ(packets.usual_duration, 512);
  EXPECT_EQ(packets.header, header);
  const auto packet = std::get<PacketMessage>(read(stream_of(PacketMessage{-5, 40, true, bytes})));
  EXPECT_EQ(packet.ticks, -5);
  EXPECT_EQ(packet.duration_ticks, 40);
  EXPECT_TRUE(packet.key);
  EXPECT_EQ(packet.bytes, bytes);
  EXPECT_EQ(std::get<RefusalMessage>(read(stream_of(RefusalMessage{"its frames are interlaced"}))).reason,
            "its frames are interlaced");
  for (const PacketsMessage& wrong : {PacketsMessage{0, 360}, PacketsMessage{640, 70000}, PacketsMessage{640, 360, 7},
                                      PacketsMessage{640, 360, 17}, PacketsMessage{640, 360, 8, 0}}) {
    EXPECT_THROW(read(stream_of(wrong)), ProtocolError);
  }
  EXPECT_THROW(read(stream_of(PacketMessage{0, -1})), ProtocolError);
  EXPECT_THROW(read(stream_of(PacketMessage{most_ticks + 1, 1})), ProtocolError);
  EXPECT_THROW(read(stream_of(PacketMessage{0, most_ticks + 1})), ProtocolError);
}

TEST(Messages, ComeBackAsTheyWere) {
  EXPECT_EQ(std::get<VideoFacts>(read(stream_of(some_facts()))), some_facts());
  const auto frame = std::get<VideoFrame>(read(stream_of(some_frame())));
  EXPECT_EQ(frame.index, 12);
  EXPECT_EQ(frame.ticks, -34);
  EXPECT_EQ(frame.seconds, -0.5);
  EXPECT_TRUE(frame.key && frame.damaged && !frame.interlaced && !frame.time_is_guessed);
  EXPECT_EQ(frame.grey.width(), 5);
  EXPECT_EQ(frame.grey.row(2)[4], std::byte{9});
  EXPECT_EQ(frame.colour.row(2)[14], std::byte{8});
  const auto warning = std::get<VideoWarning>(read(stream_of(VideoWarning{"size", "the size changes"})));
  EXPECT_EQ(warning.name + warning.sentence, "sizethe size changes");
  EXPECT_EQ(std::get<ProgressMessage>(read(stream_of(ProgressMessage{5, 0.25}))).seconds, 0.25);
  const auto end = std::get<EndMessage>(read(stream_of(EndMessage{99, 4.5})));
  EXPECT_EQ(end.decoded, 99);
  EXPECT_EQ(end.seconds, 4.5);
  EXPECT_EQ(std::get<FailureMessage>(read(stream_of(FailureMessage{"no"}))).sentence, "no");
}

TEST(Messages, RefuseNonsense) {
  std::vector<std::byte> bytes = stream_of(some_facts());
  bytes[0] = std::byte{'X'};
  EXPECT_THROW(read(bytes), ProtocolError) << "another mark";
  bytes = stream_of(some_facts());
  bytes[4] = std::byte{17};
  EXPECT_THROW(read(bytes), ProtocolError) << "an unknown kind";
  bytes = stream_of(some_facts());
  bytes[14] = std::byte{1};
  EXPECT_THROW(read(bytes), ProtocolError) << "a length of 2^48";
  bytes = stream_of(EndMessage{1, 0});
  bytes[8] = std::byte{9};
  bytes.push_back(std::byte{0});
  EXPECT_THROW(read(bytes), ProtocolError) << "a byte too many";
  EXPECT_THROW(read(stream_of(EndMessage{-1, 0})), ProtocolError);
  EXPECT_THROW(read(stream_of(ProgressMessage{1, std::numeric_limits<double>::quiet_NaN()})), ProtocolError);
  VideoFacts facts = some_facts();
  facts.time_base = {1, 0};
  EXPECT_THROW(read(stream_of(facts)), ProtocolError);
  facts = some_facts();
  facts.rotation = 45;
  EXPECT_THROW(read(stream_of(facts)), ProtocolError);
  EXPECT_THROW(read(stream_of(some_frame()), 14), ProtocolError) << "15 pixels of at most 14";
  VideoFrame frame = some_frame();
  frame.stored_width = 0;
  EXPECT_THROW(read(stream_of(std::move(frame))), ProtocolError);
  for (std::int64_t VideoFrame::*const number : {&VideoFrame::ticks, &VideoFrame::index, &VideoFrame::duration_ticks}) {
    frame = some_frame();
    frame.*number = most_ticks + 1;
    EXPECT_THROW(read(stream_of(std::move(frame))), ProtocolError);
  }
  frame = some_frame();
  frame.ticks = std::numeric_limits<std::int64_t>::min();
  EXPECT_THROW(read(stream_of(std::move(frame))), ProtocolError);
}

// Whatever bytes come, they are a message or an error, and no message takes more memory than is allowed.
TEST(Messages, AnyBytesAreAMessageOrAnError) {
  const std::vector<Message> originals = [] {
    std::vector<Message> made;
    made.emplace_back(some_facts());
    made.emplace_back(some_frame());
    made.emplace_back(VideoWarning{"size", "the size changes"});
    made.emplace_back(ProgressMessage{5, 0.25});
    made.emplace_back(PacketsMessage{4, 3});
    made.emplace_back(PacketMessage{1, 2, false, std::vector<std::byte>(10)});
    return made;
  }();
  std::mt19937 random(1);
  int whole = 0, errors = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::byte> bytes = stream_of(originals[random() % originals.size()]);
    for (auto changes = 1 + random() % 3; changes > 0; --changes) {
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    }
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    std::span<const std::byte> left = bytes;
    try {
      const Message message = read_message(
          [&](std::span<std::byte> into) {
            if (into.size() > left.size()) throw TooShort();
            std::copy_n(left.begin(), into.size(), into.begin());
            left = left.subspan(into.size());
          },
          1000);
      ++whole;
      if (const auto* const frame = std::get_if<VideoFrame>(&message)) {
        EXPECT_LE(frame->grey.width() * frame->grey.height(), 1000);
      }
    } catch (const ProtocolError&) {
      ++errors;
    } catch (const TooShort&) {
      ++errors;
    }
  }
  EXPECT_GT(whole, 1000);
  EXPECT_GT(errors, 1000);
}

TEST(Request, ComesBackAsItWas) {
  VideoOptions options{.every = 7, .fps = 0.125, .size = 0, .stored_luma = true, .weave = true, .colour = true};
  options.max_pixels = 12345;
  options.fast = options.live = options.ascending = true;
  options.black = 7000;
  options.white = 8000.5;
  for (const Packets packets : {Packets::none, Packets::of_exact_codecs, Packets::of_any_codec}) {
    const Request request = request_in(words_of({options, packets, {{0.25, 1}, {7, 9.5}}}));
    EXPECT_EQ(request.options, options);
    EXPECT_EQ(request.packets, packets);
    ASSERT_EQ(request.parts.size(), 2u);
    EXPECT_EQ(request.parts[0].from, 0.25);
    EXPECT_EQ(request.parts[1].to, 9.5);
  }
  const Request full{.options = {.range = InputRange::full}};
  EXPECT_EQ(request_in(words_of(full)).options, full.options);
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{},
                                             {"octavo-decode-0", "{}"},
                                             {std::string(protocol), "{}"},
                                             {std::string(protocol), "no"},
                                             {std::string(protocol), R"({"every":"x"})"}}) {
    EXPECT_THROW(request_in(wrong), Error);
  }
}

}  // namespace
}  // namespace octavo::video
