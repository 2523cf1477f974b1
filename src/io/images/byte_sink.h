#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace octavo::io {

/// The bytes of a file that a C library makes. The library's callbacks add them, and no exception may leave these.
struct ByteSink {
  std::vector<std::byte> bytes;
  bool is_out_of_memory = false;

  /// Places bytes at an offset, behind or over those that are there. Returns false if memory is short.
  bool put(std::size_t offset, const void* data, std::size_t size) noexcept try {
    bytes.resize(std::max(bytes.size(), offset + size));
    if (size > 0) std::memcpy(bytes.data() + offset, data, size);
    return true;
  } catch (...) {  // bad_alloc, or length_error for more than a vector can hold
    is_out_of_memory = true;
    return false;
  }

  bool append(const void* data, std::size_t size) noexcept { return put(bytes.size(), data, size); }
};

}  // namespace octavo::io
