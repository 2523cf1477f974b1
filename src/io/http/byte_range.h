#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace octavo::io {

/// The bytes from `begin` to before `end` of a file.
struct ByteRange {
  std::uint64_t begin = 0, end = 0;
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// What the header Range of a request asks of a file of `size` bytes (RFC 9110, §14): "bytes=0-499", "bytes=500-",
/// "bytes=-500". None: of this file nothing, or several ranges, or it is no range.
std::optional<ByteRange> byte_range_of(std::string_view header, std::uint64_t size);

}  // namespace octavo::io
