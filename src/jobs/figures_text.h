#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/internal_api.h"

// Figures in the texts that jobs give of their results.

namespace OCTAVO_INTERNAL_API octavo {

/// "1 pair", "2 pairs".
std::string count_text(std::uint64_t count, std::string_view noun);

/// "1:02:03", rounded to a second.
std::string clock_text(double seconds);

/// "8.1 MB".
std::string bytes_text(double bytes);

/// Rows of three numbers, the first one behind the title.
std::string rows_text(std::string_view title, std::span<const double> numbers);

}  // namespace octavo
