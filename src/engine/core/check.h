// Checks and error text for values that are not members of an options struct.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/core/internal_api.h"
#include "octavo/error.h"

namespace OCTAVO_INTERNAL_API octavo {

/// Throws Error(invalid_option) unless low ≤ value ≤ high. A NaN always throws. Error explains `subject`.
void check_range(std::string_view option, double value, double low, double high, std::string_view subject = {});

/// The words, separated by commas, for error messages.
std::string list_of(std::span<const std::string_view> words);

}  // namespace octavo
