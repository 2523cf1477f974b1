#pragma once

// Why bytes that are to be decoded are no image, or no features.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>

namespace octavo::io {

using Bytes = std::span<const std::byte>;

/// The reason why bytes are not what they must be, as the end of a sentence: "the PNG data are truncated". The caller
/// adds the name of the file.
class DecodeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws DecodeError for an image without pixels or with more than `max_pixels`. A decoder calls it before it
/// allocates memory for the image.
void check_size(std::uint64_t width, std::uint64_t height, std::uint64_t max_pixels);

/// Whether a library's message says that memory is short. A decoder then throws std::bad_alloc, as the file is not to
/// blame.
bool means_memory_shortage(std::string_view message);

}  // namespace octavo::io
