#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace octavo {

/// RFC 4648, §4, with padding.
std::string base64(std::span<const std::byte> bytes);

}  // namespace octavo
