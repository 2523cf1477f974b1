// NumPy's .npy (NumPy Enhancement Proposal 1): a magic, a version, the length of a header, the header, which is a
// Python dictionary with the keys descr, fortran_order and shape, and the numbers.

#include "io/features/npy_array.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <regex>
#include <string_view>

#include "io/images/decode_error.h"
#include "io/images/half_float.h"

namespace octavo::io {
namespace {

[[noreturn]] void refuse_damaged(const std::string& name) { throw DecodeError(name + " is damaged"); }

template <class Number>
double number_at(const std::byte* at) {
  Number value;
  std::memcpy(&value, at, sizeof(value));
  return static_cast<double>(value);
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

const NumberType& type_called(const std::string& type, const std::string& name) {
  const bool order_is_known = type.size() == 3 && (type[0] == '<' || type[0] == '|');
  for (const NumberType& known : number_types) {
    if (order_is_known && std::string_view(type).substr(1) == known.name) return known;
  }
  throw DecodeError(name + " holds numbers of type " + type +
                    "; little-endian integers of 1, 2, 4 or 8 bytes and floats of 2, 4 or 8 can be read");
}

// True if the matrix has as many bytes as the file. The product of its sides may exceed the range of integers.
bool fills(const NpyHeader& header, std::size_t bytes) {
  if (header.rows == 0 || header.columns == 0) return bytes == 0;
  const std::size_t count = bytes / header.number_size;
  return bytes % header.number_size == 0 && count % header.columns == 0 && count / header.columns == header.rows;
}

}  // namespace

NpyHeader read_npy_header(std::span<const std::byte> file, std::size_t size, const std::string& name) {
  constexpr std::string_view magic = "\x93NUMPY";
  if (file.size() < 12 || std::memcmp(file.data(), magic.data(), magic.size()) != 0) refuse_damaged(name);
  const bool wide = std::to_integer<int>(file[6]) > 1;  // versions 2 and 3 have longer headers
  std::size_t length = 0;
  for (std::size_t i = 0; i < (wide ? 4 : 2); ++i) length |= std::to_integer<std::size_t>(file[8 + i]) << 8 * i;
  const std::size_t begin = wide ? 12 : 10;
  if (length > longest_npy_header - 12 || file.size() - begin < length)
    refuse_damaged(name);  // a matrix needs about 100 bytes
  const std::string text(reinterpret_cast<const char*>(file.data()) + begin, length);

  NpyHeader header;
  header.length = begin + length;
  static const std::regex type_of("'descr': *'([^']*)'"), order_of("'fortran_order': *(True|False)"),
      shape_of("'shape': *\\(([^)]*)\\)"), two_sides("(\\d{1,12}), *(\\d{1,12}),?");
  std::smatch found;
  if (!std::regex_search(text, found, type_of)) {
    throw DecodeError(name + " does not hold plain numbers");
  }
  const NumberType& type = type_called(found[1], name);
  header.number_size = type.size;
  header.number_at = type.read;
  if (!std::regex_search(text, found, order_of)) refuse_damaged(name);
  header.columns_first = found[1] == "True";
  if (!std::regex_search(text, found, shape_of)) refuse_damaged(name);
  const std::string shape = found[1];
  if (!std::regex_match(shape, found, two_sides)) {
    throw DecodeError(name + " has the shape (" + shape + "), two dimensions are needed");
  }
  header.rows = std::stoull(found[1]);
  header.columns = std::stoull(found[2]);
  if (!fills(header, size - header.length)) {
    throw DecodeError(name + " does not hold the " + std::to_string(header.rows) + " × " +
                      std::to_string(header.columns) + " numbers that it announces");
  }
  return header;
}

double npy_number(const NpyHeader& header, std::span<const std::byte> file, std::size_t row, std::size_t column) {
  const std::size_t i = header.columns_first ? column * header.rows + row : row * header.columns + column;
  return header.number_at(file.data() + header.length + i * header.number_size);
}

}  // namespace octavo::io
