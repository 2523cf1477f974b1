// NumPy's .npy (NumPy Enhancement Proposal 1): a magic, a version, the length of a header, the header, which is a
// Python dictionary with the keys descr, fortran_order and shape, and the numbers.

#include "imageio/npy_array.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <regex>
#include <string_view>

#include "imageio/decoders.h"

namespace octavo::imageio {
namespace {

struct Header {
  std::string type;
  bool columns_first = false;
  std::size_t rows = 0, columns = 0;
  std::size_t length = 0;  ///< [byte] up to the numbers
};

[[noreturn]] void refuse_damaged(const std::string& name) { throw DecodeError(name + " is damaged"); }

Header read_header(Bytes file, const std::string& name) {
  constexpr std::string_view magic = "\x93NUMPY";
  if (file.size() < 12 || std::memcmp(file.data(), magic.data(), magic.size()) != 0) refuse_damaged(name);
  const bool wide = std::to_integer<int>(file[6]) > 1;  // versions 2 and 3 have longer headers
  std::size_t length = 0;
  for (std::size_t i = 0; i < (wide ? 4 : 2); ++i) length |= std::to_integer<std::size_t>(file[8 + i]) << 8 * i;
  const std::size_t begin = wide ? 12 : 10;
  if (length > 4096 || file.size() - begin < length) refuse_damaged(name);  // a matrix needs about 100
  const std::string text(reinterpret_cast<const char*>(file.data()) + begin, length);

  Header header;
  header.length = begin + length;
  std::smatch found;
  if (!std::regex_search(text, found, std::regex("'descr': *'([^']*)'"))) {
    throw DecodeError(name + " does not hold plain numbers");
  }
  header.type = found[1];
  if (!std::regex_search(text, found, std::regex("'fortran_order': *(True|False)"))) refuse_damaged(name);
  header.columns_first = found[1] == "True";
  if (!std::regex_search(text, found, std::regex("'shape': *\\(([^)]*)\\)"))) refuse_damaged(name);
  const std::string shape = found[1];
  if (!std::regex_match(shape, found, std::regex("(\\d{1,12}), *(\\d{1,12}),?"))) {
    throw DecodeError(name + " has the shape (" + shape + "), two dimensions are needed");
  }
  header.rows = std::stoull(found[1]);
  header.columns = std::stoull(found[2]);
  return header;
}

template <class Number>
double number_at(const std::byte* at) {
  Number value;
  std::memcpy(&value, at, sizeof(value));
  return static_cast<double>(value);
}

// IEEE 754's 16 bits: 1 sign, 5 of the exponent, 10 of the fraction.
double half_at(const std::byte* at) {
  const int bits = static_cast<int>(number_at<std::uint16_t>(at));
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double size = 0;
  if (exponent == 31) {
    size = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else {
    size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  }
  return bits >> 15 == 0 ? size : -size;
}

struct NumberType {
  std::string_view name;
  std::size_t size;
  double (*read)(const std::byte*);
};

constexpr NumberType number_types[] = {
    {"u1", 1, number_at<std::uint8_t>},  {"i1", 1, number_at<std::int8_t>},   {"u2", 2, number_at<std::uint16_t>},
    {"i2", 2, number_at<std::int16_t>},  {"u4", 4, number_at<std::uint32_t>}, {"i4", 4, number_at<std::int32_t>},
    {"u8", 8, number_at<std::uint64_t>}, {"i8", 8, number_at<std::int64_t>},  {"f2", 2, half_at},
    {"f4", 4, number_at<float>},         {"f8", 8, number_at<double>},
};

}  // namespace

NpyArray read_npy(std::span<const std::byte> file, const std::string& name) {
  const Header header = read_header(file, name);
  const NumberType* type = nullptr;
  for (const NumberType& known : number_types) {
    const bool order_is_known = header.type.size() == 3 && (header.type[0] == '<' || header.type[0] == '|');
    if (order_is_known && std::string_view(header.type).substr(1) == known.name) type = &known;
  }
  if (!type) {
    throw DecodeError(name + " holds numbers of type " + header.type +
                      "; integers and floats of 1 to 8 bytes, little-endian, can be read");
  }
  const std::size_t bytes = file.size() - header.length;
  const bool fits = header.rows == 0 || header.columns == 0
                        ? bytes == 0
                        : bytes % type->size == 0 && bytes / type->size / header.columns == header.rows &&
                              bytes / type->size % header.columns == 0;
  if (!fits) {
    throw DecodeError(name + " does not hold the " + std::to_string(header.rows) + " × " +
                      std::to_string(header.columns) + " numbers that it announces");
  }
  NpyArray array{.rows = header.rows, .columns = header.columns, .numbers = {}};
  const std::size_t count = bytes / type->size;
  array.numbers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at =
        header.columns_first ? i % header.columns * header.rows + i / header.columns : i;  // i runs row by row
    array.numbers.push_back(type->read(file.data() + header.length + at * type->size));
  }
  return array;
}

}  // namespace octavo::imageio
