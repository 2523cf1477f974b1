// The bytes of a signature's file, little endian:
//
//     bytes   content
//     8       "OctClips"
//     4       u32 version, 1
//     per frame:
//     1       1
//     8 8 8   i64 index; f64 seconds, until
//     2 2     u16 width, height
//     1       u8 junk
//     2       u16 features n
//     24·n    u16 x, y; u8 scale, orientation; u16 word; u64 × 2 code
//     at the end:
//     1       0
//     8       f64 seconds, the length of the clip
//     8       u64 FNV-1a digest of all bytes before

#include <cmath>
#include <new>
#include <string_view>

#include "engine/core/little_endian.h"
#include "octavo/video/clip_signature.h"

namespace octavo {

namespace {

constexpr std::string_view magic = "OctClips";
constexpr std::uint32_t version = 1;
constexpr std::uint8_t another_frame = 1, no_more_frames = 0;

std::vector<std::byte> with_digest(LittleEndianWriter writer, std::uint64_t& value) {
  std::vector<std::byte> bytes = writer.take();
  Digest digest(value);
  digest.add(std::span<const std::byte>(bytes));
  value = digest.value();
  return bytes;
}

void put(LittleEndianWriter& writer, const SignatureFeature& feature) {
  writer.put(feature.x);
  writer.put(feature.y);
  writer.put(feature.scale);
  writer.put(feature.orientation);
  writer.put(feature.word);
  for (const std::uint64_t half : feature.code) writer.put(half);
}

SignatureFeature take_feature(LittleEndianReader& reader) {
  SignatureFeature feature;
  feature.x = reader.take<std::uint16_t>();
  feature.y = reader.take<std::uint16_t>();
  feature.scale = reader.take<std::uint8_t>();
  feature.orientation = reader.take<std::uint8_t>();
  feature.word = reader.take<std::uint16_t>();
  for (std::uint64_t& half : feature.code) half = reader.take<std::uint64_t>();
  return feature;
}

double take_seconds(LittleEndianReader& reader) {
  const double seconds = reader.take_double();
  if (!std::isfinite(seconds)) reader.refuse("a time is not a finite number");
  return seconds;
}

FrameSignature take_frame(LittleEndianReader& reader) {
  FrameSignature frame;
  frame.index = reader.take<std::int64_t>();
  frame.seconds = take_seconds(reader);
  frame.until = take_seconds(reader);
  frame.width = reader.take<std::uint16_t>();
  frame.height = reader.take<std::uint16_t>();
  frame.junk = static_cast<Junk>(
      reader.take_within("has a frame whose kind of junk is", std::uint8_t{0}, static_cast<std::uint8_t>(Junk::bars)));
  const std::size_t features = reader.take<std::uint16_t>();
  frame.features.reserve(features);
  for (std::size_t i = 0; i < features; ++i) frame.features.push_back(take_feature(reader));
  return frame;
}

}  // namespace

std::vector<std::byte> SignatureEncoder::begin() {
  LittleEndianWriter writer;
  writer.put(magic);
  writer.put(version);
  digest_ = Digest().value();
  return with_digest(std::move(writer), digest_);
}

std::vector<std::byte> SignatureEncoder::frame(const FrameSignature& frame) {
  LittleEndianWriter writer;
  writer.put(another_frame);
  writer.put(frame.index);
  writer.put(frame.seconds);
  writer.put(frame.until);
  writer.put(frame.width);
  writer.put(frame.height);
  writer.put(static_cast<std::uint8_t>(frame.junk));
  writer.put(static_cast<std::uint16_t>(frame.features.size()));
  for (const SignatureFeature& feature : frame.features) put(writer, feature);
  return with_digest(std::move(writer), digest_);
}

std::vector<std::byte> SignatureEncoder::end(double seconds) {
  LittleEndianWriter writer;
  writer.put(no_more_frames);
  writer.put(seconds);
  std::vector<std::byte> bytes = with_digest(std::move(writer), digest_);
  LittleEndianWriter tail;
  tail.put(std::span<const std::byte>(bytes));
  tail.put(digest_);
  return tail.take();
}

std::vector<std::byte> encode_signature(const ClipSignature& signature) {
  SignatureEncoder encoder;
  std::vector<std::byte> bytes = encoder.begin();
  const auto append = [&](const std::vector<std::byte>& part) { bytes.insert(bytes.end(), part.begin(), part.end()); };
  for (const FrameSignature& frame : signature.frames) append(encoder.frame(frame));
  append(encoder.end(signature.seconds));
  return bytes;
}

ClipSignature decode_signature(std::span<const std::byte> bytes, const std::string& name) try {
  LittleEndianReader reader(bytes, magic, "a signature of a clip", name);
  reader.take_within("is of version", version, version);
  ClipSignature signature;
  while (reader.take_within("has a mark of a frame of", no_more_frames, another_frame) == another_frame) {
    signature.frames.push_back(take_frame(reader));
  }
  signature.seconds = take_seconds(reader);
  reader.finish();
  return signature;
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory,
              "cannot read '" + name + "': not enough memory for its " + std::to_string(bytes.size()) + " bytes");
}

}  // namespace octavo
