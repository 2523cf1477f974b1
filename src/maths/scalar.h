// Octavo's arithmetic for one number at a time, in plain C++: the reference devices and the hosts use it.

#pragma once

#include <bit>
#include <cstdint>

namespace octavo::maths {

// clang-format off: the words come before the functions written in them
#include "maths/functions.h"
#include "maths/scalar_words.h"
// clang-format on

}  // namespace octavo::maths
