#include "video/frames/messages.h"

#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace octavo::video {
namespace {

constexpr std::array<char, 4> mark{'O', 'C', 'T', 'V'};
constexpr std::size_t most_bytes = 1 << 16;  // of a body without pixels
constexpr int longest_side = 65535;

struct Head {
  std::array<char, 4> mark;
  std::uint32_t kind;
  std::uint64_t bytes;
};

class Writer {
 public:
  template <class Number>
  void operator()(const Number& number) requires std::is_arithmetic_v<Number> {
    append(&number, sizeof number);
  }
  void operator()(std::span<const std::byte> some) {
    (*this)(static_cast<std::uint32_t>(some.size()));
    append(some.data(), some.size());
  }
  void operator()(const std::string& text) {
    const std::string_view kept = std::string_view(text).substr(0, 4096);
    (*this)(static_cast<std::uint32_t>(kept.size()));
    append(kept.data(), kept.size());
  }

  std::vector<std::byte> bytes;

 private:
  void append(const void* data, std::size_t count) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + count);
  }
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <class Number>
  void operator()(Number& number) requires std::is_arithmetic_v<Number> {
    if constexpr (std::is_same_v<Number, bool>) {
      std::uint8_t byte = 0;
      (*this)(byte);
      if (byte > 1) throw ProtocolError("a flag is neither 0 nor 1");
      number = byte == 1;
    } else {
      std::memcpy(&number, take(sizeof number).data(), sizeof number);
      if constexpr (std::is_floating_point_v<Number>) {
        if (!std::isfinite(number)) throw ProtocolError("a number is not finite");
      }
    }
  }
  void operator()(std::string& text) {
    std::uint32_t length = 0;
    (*this)(length);
    const std::span<const std::byte> bytes = take(length);
    text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  void operator()(std::vector<std::byte>& some) {
    std::uint32_t length = 0;
    (*this)(length);
    const std::span<const std::byte> taken = take(length);
    some.assign(taken.begin(), taken.end());
  }
  void require_end() const {
    if (!left_.empty()) throw ProtocolError("a message is too long");
  }

 private:
  std::span<const std::byte> take(std::size_t count) {
    if (count > left_.size()) throw ProtocolError("a message is too short");
    const std::span<const std::byte> taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }

  std::span<const std::byte> left_;
};

// One list of members for both directions.
template <class Stream, class Fraction>
void exchange_ratio(Stream& stream, Fraction& ratio) {
  stream(ratio.numerator);
  stream(ratio.denominator);
}

template <class Stream, class Facts>
void exchange_facts(Stream& stream, Facts& facts, auto& has_start, auto& start) {
  for (auto* text :
       {&facts.container, &facts.codec, &facts.decoder, &facts.pixel_format, &facts.matrix, &facts.time_code})
    stream(*text);
  for (auto* number : {&facts.width, &facts.height, &facts.rotation}) stream(*number);
  for (auto* flag : {&facts.mirrored, &facts.matrix_assumed, &facts.limited_range}) stream(*flag);
  for (auto* ratio : {&facts.pixel_aspect, &facts.time_base, &facts.frame_rate}) exchange_ratio(stream, *ratio);
  stream(has_start);
  stream(start);
  stream(facts.declared_frames);
  stream(facts.declared_seconds);
  stream(facts.black);
  stream(facts.white);
}

template <class Stream, class Frame>
void exchange_frame(Stream& stream, Frame& frame, auto& width, auto& height, auto& has_colour) {
  stream(width);
  stream(height);
  stream(has_colour);
  for (auto* number : {&frame.index, &frame.ticks, &frame.duration_ticks}) stream(*number);
  stream(frame.seconds);
  for (auto* number : {&frame.stored_width, &frame.stored_height}) stream(*number);
  for (auto* flag : {&frame.key, &frame.interlaced, &frame.damaged, &frame.time_is_guessed}) stream(*flag);
}

void write(Writer& writer, const VideoFacts& facts) {
  const bool has_start = facts.start.has_value();
  const std::int64_t start = facts.start.value_or(0);
  exchange_facts(writer, facts, has_start, start);
}

void write(Writer& writer, const VideoFrame& frame) {
  const int width = frame.grey.width(), height = frame.grey.height();
  const bool has_colour = !frame.colour.empty();
  exchange_frame(writer, frame, width, height, has_colour);
}

void write(Writer& writer, const VideoWarning& warning) {
  writer(warning.name);
  writer(warning.sentence);
}

void write(Writer& writer, const ProgressMessage& progress) {
  writer(progress.decoded);
  writer(progress.seconds);
}

void write(Writer& writer, const EndMessage& end) {
  writer(end.decoded);
  writer(end.seconds);
}
void write(Writer& writer, const FailureMessage& failure) { writer(failure.sentence); }

template <class Stream, class Packets>
void exchange_packets(Stream& stream, Packets& packets) {
  for (auto* number : {&packets.width, &packets.height, &packets.depth}) stream(*number);
  stream(packets.usual_duration);
  stream(packets.header);
}

template <class Stream, class Packet>
void exchange_packet(Stream& stream, Packet& packet, auto& bytes) {
  for (auto* number : {&packet.ticks, &packet.duration_ticks}) stream(*number);
  stream(packet.key);
  stream(bytes);
}

void write(Writer& writer, const PacketsMessage& packets) { exchange_packets(writer, packets); }
void write(Writer& writer, const PacketMessage& packet) {
  const auto bytes = static_cast<std::uint64_t>(packet.bytes.size());
  exchange_packet(writer, packet, bytes);
}
void write(Writer& writer, const RefusalMessage& refusal) { writer(refusal.reason); }

void require(bool holds, const char* rule) {
  if (!holds) throw ProtocolError(rule);
}

void require_ticks(std::int64_t ticks, std::int64_t duration) {
  require(ticks >= -most_ticks && ticks <= most_ticks, "a time is not within -2^61 and 2^61");
  require(duration >= 0 && duration <= most_ticks, "a duration is not within 0 and 2^61");
}

void require_side(int side) { require(side >= 1 && side <= longest_side, "a side is not within 1 and 65535"); }

Message facts_in(Reader& reader) {
  VideoFacts facts;
  bool has_start = false;
  std::int64_t start = 0;
  exchange_facts(reader, facts, has_start, start);
  if (has_start) facts.start = start;
  // Some streams tell their size only with the first frame.
  require(facts.width >= 0 && facts.height >= 0, "a size is negative");
  require(facts.rotation == 0 || facts.rotation == 90 || facts.rotation == 180 || facts.rotation == 270,
          "a rotation is no quarter turn");
  require(facts.time_base.numerator > 0 && facts.time_base.denominator > 0, "the time base is not positive");
  require(facts.pixel_aspect.numerator > 0 && facts.pixel_aspect.denominator > 0, "the pixel aspect is not positive");
  require(facts.frame_rate.numerator >= 0 && facts.frame_rate.denominator > 0, "the frame rate is negative");
  require(facts.declared_frames >= 0 && facts.declared_seconds >= 0, "a length is negative");
  return facts;
}

Image read_pixels(const ReadBytes& read, int width, int height, int channels) {
  Image image(width, height, channels, PixelType::u8);
  read({image.row(0),
        static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * static_cast<std::size_t>(channels)});
  return image;
}

Message frame_in(Reader& reader, const ReadBytes& read, std::uint64_t max_pixels) {
  VideoFrame frame;
  int width = 0, height = 0;
  bool has_colour = false;
  exchange_frame(reader, frame, width, height, has_colour);
  reader.require_end();
  for (const int side : {width, height, frame.stored_width, frame.stored_height}) require_side(side);
  require(static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) <= max_pixels, "a frame is too large");
  require(frame.index >= 0 && frame.index <= most_ticks, "an index is not within 0 and 2^61");
  require_ticks(frame.ticks, frame.duration_ticks);
  frame.grey = read_pixels(read, width, height, 1);
  if (has_colour) frame.colour = read_pixels(read, width, height, 3);
  return frame;
}

Message packets_in(Reader& reader) {
  PacketsMessage packets;
  exchange_packets(reader, packets);
  for (const int side : {packets.width, packets.height}) require_side(side);
  require(packets.depth >= 8 && packets.depth <= 16, "a depth is not within 8 and 16");
  require(packets.usual_duration > 0 && packets.usual_duration <= most_ticks, "a duration is not within 1 and 2^61");
  require(packets.header.size() <= most_header_bytes, "a header is too long");
  return packets;
}

Message packet_in(Reader& reader, const ReadBytes& read) {
  PacketMessage packet;
  std::uint64_t bytes = 0;
  exchange_packet(reader, packet, bytes);
  reader.require_end();
  require_ticks(packet.ticks, packet.duration_ticks);
  require(bytes <= most_packet_bytes, "a packet is too large");
  packet.bytes.resize(bytes);
  read(packet.bytes);
  return packet;
}

template <class Counted>
Message counted_in(Reader& reader) {
  Counted counted;
  reader(counted.decoded);
  reader(counted.seconds);
  require(counted.decoded >= 0, "a number of frames is negative");
  return counted;
}

Message warning_in(Reader& reader) {
  VideoWarning warning;
  reader(warning.name);
  reader(warning.sentence);
  return warning;
}

template <class Told>
Message told_in(Reader& reader, std::string Told::*sentence) {
  Told told;
  reader(told.*sentence);
  return told;
}

// A message of which all is in its body. The kinds are the places of the types in Message.
Message without_data(std::uint32_t kind, Reader& reader) {
  switch (kind) {
    case 0:
      return facts_in(reader);
    case 2:
      return warning_in(reader);
    case 3:
      return counted_in<ProgressMessage>(reader);
    case 4:
      return counted_in<EndMessage>(reader);
    case 5:
      return told_in(reader, &FailureMessage::sentence);
    case 6:
      return packets_in(reader);
    case 8:
      return told_in(reader, &RefusalMessage::reason);
    default:
      throw ProtocolError("a message is of an unknown kind");
  }
}

}  // namespace

std::vector<std::byte> bytes_of(const Message& message) {
  Writer body;
  std::visit([&](const auto& one) { write(body, one); }, message);
  const Head head{mark, static_cast<std::uint32_t>(message.index()), body.bytes.size()};
  std::vector<std::byte> bytes(sizeof head + body.bytes.size());
  std::memcpy(bytes.data(), &head, sizeof head);
  std::memcpy(bytes.data() + sizeof head, body.bytes.data(), body.bytes.size());
  return bytes;
}

std::vector<std::span<const std::byte>> data_of(const Message& message) {
  if (const auto* const packet = std::get_if<PacketMessage>(&message)) return {packet->bytes};
  const auto* const frame = std::get_if<VideoFrame>(&message);
  return frame != nullptr ? pixels_of(*frame) : std::vector<std::span<const std::byte>>();
}

std::vector<std::span<const std::byte>> pixels_of(const VideoFrame& frame) {
  std::vector<std::span<const std::byte>> parts;
  for (const Image* image : {&frame.grey, &frame.colour}) {
    if (image->empty()) continue;
    parts.emplace_back(image->row(0),
                       static_cast<std::size_t>(image->stride()) * static_cast<std::size_t>(image->height()));
  }
  return parts;
}

Message read_message(const ReadBytes& read, std::uint64_t max_pixels) {
  Head head{};
  read({reinterpret_cast<std::byte*>(&head), sizeof head});
  require(head.mark == mark, "a message does not begin with its mark");
  require(head.bytes <= most_bytes, "a message is too long");
  std::vector<std::byte> body(head.bytes);
  read(body);
  Reader reader(body);
  if (head.kind == 1) return frame_in(reader, read, max_pixels);
  if (head.kind == 7) return packet_in(reader, read);
  Message message = without_data(head.kind, reader);
  reader.require_end();
  return message;
}

}  // namespace octavo::video
