#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace octavo {

/// The number of descriptors (N×128). Throws Error(invalid_argument) for a length that is no multiple of 128.
std::size_t descriptor_count(std::span<const std::uint8_t> descriptors);

/// Throws Error(invalid_argument) for a number of words of a descriptor that is not 1 to 256.
void require_word_count(std::size_t count);

}  // namespace octavo
