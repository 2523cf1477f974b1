// Octavo's arithmetic for one number at a time, in plain C++: the reference devices and the hosts use it.

#pragma once

#include <bit>
#include <cstdint>

namespace octavo::maths {

// The words come before the functions written in them.
// clang-format off
#include "maths/scalar_words.h"
#include "maths/functions.h"
// clang-format on

}  // namespace octavo::maths
