#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "octavo/api.h"

// What the writer of a mistyped word meant.

namespace OCTAVO_API octavo {

/// The word of `known` that is nearest to `word`, if it is near enough: at most two of five letters differ, or it is
/// the only word that begins with `word`. The distance counts letters that are added, left out, replaced, or swapped
/// with their neighbour (Damerau 1964), without regard to case. Among equally near words the first is taken.
std::optional<std::string_view> nearest_word(std::string_view word, std::span<const std::string_view> known);

/// "; did you mean WORD?" with the nearest word, for the end of an error; empty if no word is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace octavo
