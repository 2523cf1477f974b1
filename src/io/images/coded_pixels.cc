// The sizes of images that are coded with HEVC (ITU-T H.265, §7.3) and AV1 (AV1 Bitstream & Decoding Process
// Specification, §5). Decoders allocate memory for these sizes, whatever the container says. Both codes are sequences
// of units. One kind states the size (the sequence parameter set; the sequence header), another one begins an image.

#include "io/images/coded_pixels.h"

#include <algorithm>
#include <utility>

#include "io/images/heif_items.h"

namespace octavo::io {
namespace {

/// The bits of a unit, the highest of each byte first. Missing bits count as 0.
class Bits {
 public:
  explicit Bits(Bytes bytes) : bytes_(bytes) {}

  std::uint64_t take(std::size_t count) {
    std::uint64_t number = 0;
    for (; count > 0; --count, ++at_) {
      const std::size_t byte = at_ / 8;
      const unsigned bits = byte < bytes_.size() ? std::to_integer<unsigned>(bytes_[byte]) : 0;
      number = number << 1 | (bits >> (7 - at_ % 8) & 1);
    }
    return number;
  }
  void skip(std::size_t count) { at_ += count; }
  bool take_flag() { return take(1) == 1; }
  /// An Exp-Golomb code: as many zeros as bits follow the next one.
  std::uint64_t take_golomb() {
    std::size_t zeros = 0;
    while (zeros < 32 && !take_flag()) ++zeros;
    return (std::uint64_t{1} << zeros) - 1 + take(zeros);
  }

 private:
  Bytes bytes_;
  std::size_t at_ = 0;
};

/// What the units of a code say.
struct Found {
  double largest = 0;  ///< pixels
  double images = 0;   ///< how many begin

  void add_size(std::uint64_t width, std::uint64_t height) {
    largest = std::max(largest, static_cast<double>(width) * static_cast<double>(height));
  }
  [[nodiscard]] double pixels() const { return largest * std::max(images, 1.0); }
};

/// A unit without the bytes 3 that are inserted after two zeros.
std::vector<std::byte> without_emulation(Bytes unit) {
  std::vector<std::byte> bytes;
  std::size_t zeros = 0;
  for (const std::byte byte : unit) {
    const bool is_inserted = zeros >= 2 && byte == std::byte{3};
    if (!is_inserted) bytes.push_back(byte);
    zeros = byte == std::byte{0} ? zeros + 1 : 0;
  }
  return bytes;
}

/// The sequence parameter set up to the size. `bits` begin after the header of its unit.
void read_parameter_set(Bits bits, Found& found) {
  constexpr std::size_t profile = 88, level = 8;
  bits.skip(4);
  const std::uint64_t sub_layers = bits.take(3);
  bits.skip(1 + profile + level);
  std::size_t length = 0;
  for (std::uint64_t i = 0; i < sub_layers; ++i) {
    if (bits.take_flag()) length += profile;
    if (bits.take_flag()) length += level;
  }
  if (sub_layers > 0) bits.skip(2 * (8 - sub_layers));
  bits.skip(length);
  bits.take_golomb();                         // its number
  if (bits.take_golomb() == 3) bits.skip(1);  // the chroma format; 3: 4:4:4
  const std::uint64_t width = bits.take_golomb();
  found.add_size(width, bits.take_golomb());
}

void read_hevc_unit(Bytes unit, Found& found) {
  constexpr unsigned first_that_is_no_slice = 32, parameter_set = 33;
  if (unit.size() < 3) return;
  const auto header =
      static_cast<unsigned>(std::to_integer<unsigned>(unit[0]) << 8 | std::to_integer<unsigned>(unit[1]));
  const unsigned type = header >> 9 & 63, layer = header >> 3 & 63;
  if (layer > 0) return;  // decoders leave it out
  if (type < first_that_is_no_slice && std::to_integer<unsigned>(unit[2]) >= 0x80) ++found.images;
  if (type == parameter_set) {
    const std::vector<std::byte> bytes = without_emulation(unit.subspan(2));
    read_parameter_set(Bits(bytes), found);
  }
}

void read_sequence_header(Bits bits, Found& found) {
  bits.skip(3 + 1);        // the profile, whether it is a still image
  if (bits.take_flag()) {  // a short header, for still images
    bits.skip(5);
  } else {
    bool has_decoder_model = false;
    std::size_t delay_length = 0;
    if (bits.take_flag()) {  // times
      bits.skip(32 + 32);
      if (bits.take_flag()) bits.take_golomb();
      has_decoder_model = bits.take_flag();
      if (has_decoder_model) {
        delay_length = bits.take(5) + 1;
        bits.skip(32 + 5 + 5);
      }
    }
    const bool has_display_delay = bits.take_flag();
    for (std::uint64_t left = bits.take(5) + 1; left > 0; --left) {
      bits.skip(12);
      if (bits.take(5) > 7) bits.skip(1);
      if (has_decoder_model && bits.take_flag()) bits.skip(2 * delay_length + 1);
      if (has_display_delay && bits.take_flag()) bits.skip(4);
    }
  }
  const std::size_t width_length = bits.take(4) + 1, height_length = bits.take(4) + 1;
  const std::uint64_t width = bits.take(width_length) + 1;
  found.add_size(width, bits.take(height_length) + 1);
}

/// A number in groups of 7 bits, the lowest first.
std::uint64_t take_leb128(Bytes& bytes) {
  std::uint64_t number = 0;
  for (int i = 0; i < 8; ++i) {
    const std::uint64_t byte = take_number(bytes, 1);
    number |= (byte & 0x7F) << 7 * i;
    if (byte < 0x80) break;
  }
  return number;
}

void read_av1_units(Bytes bytes, Found& found) {
  constexpr unsigned sequence_header = 1, frame_header = 3, frame = 6, last_known = 8, padding = 15;
  while (!bytes.empty()) {
    const auto header = static_cast<unsigned>(take_number(bytes, 1));
    if ((header & 4) != 0) take_number(bytes, 1);  // layers
    const std::uint64_t length = (header & 2) != 0 ? take_leb128(bytes) : bytes.size();
    const Bytes unit = bytes.first(std::min<std::uint64_t>(length, bytes.size()));
    const unsigned type = header >> 3 & 15;
    // Decoders may skip such units. dav1d, which libheif chooses for alpha channels, prints a line for each.
    if (type == 0 || (type > last_known && type != padding))
      throw DecodeError("the AVIF data hold units of no known kind");
    if (type == sequence_header) read_sequence_header(Bits(unit), found);
    if (type == frame_header || type == frame) ++found.images;
    bytes = bytes.subspan(unit.size());
  }
}

}  // namespace

double hevc_pixels(Bytes configuration, Bytes data) {
  Found found;
  constexpr std::size_t fixed_part = 22;
  configuration = configuration.subspan(std::min(fixed_part, configuration.size()));
  for (std::uint64_t arrays = take_number(configuration, 1); arrays > 0 && !configuration.empty(); --arrays) {
    take_number(configuration, 1);  // the type, which each unit repeats
    for (std::uint64_t left = take_number(configuration, 2); left > 0 && !configuration.empty(); --left) {
      const std::uint64_t length = take_number(configuration, 2);
      const Bytes unit = configuration.first(std::min<std::uint64_t>(length, configuration.size()));
      read_hevc_unit(unit, found);
      configuration = configuration.subspan(unit.size());
    }
  }
  while (!data.empty()) {
    const std::uint64_t length = take_number(data, 4);
    const Bytes unit = data.first(std::min<std::uint64_t>(length, data.size()));
    read_hevc_unit(unit, found);
    data = data.subspan(unit.size());
  }
  return found.pixels();
}

double av1_pixels(Bytes configuration, Bytes data) {
  Found found;
  constexpr std::size_t fixed_part = 4;
  read_av1_units(configuration.subspan(std::min(fixed_part, configuration.size())), found);
  read_av1_units(data, found);
  return found.pixels();
}

}  // namespace octavo::io
