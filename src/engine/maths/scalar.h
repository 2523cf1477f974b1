// Octavo's arithmetic for one number at a time, in plain C++: the reference devices and the hosts use it.

#pragma once

#include <bit>
#include <cstdint>

#include "engine/maths/host_spelling.h"

namespace octavo::maths {

// The primitives come before the functions written in them.
// clang-format off
#include "engine/maths/scalar_primitives.h"
#include "engine/maths/polynomials.h"
#include "engine/maths/functions.h"
// clang-format on

}  // namespace octavo::maths
