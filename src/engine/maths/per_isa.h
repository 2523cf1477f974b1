// Octavo's arithmetic within one instruction set's namespace: `scalar` for one number at a time, `vector` for a vector
// of them, `paired` for two vectors. Included by files that Highway compiles once per instruction set.

#if defined(OCTAVO_MATHS_PER_ISA) == defined(HWY_TARGET_TOGGLE)
#ifdef OCTAVO_MATHS_PER_ISA
#undef OCTAVO_MATHS_PER_ISA
#else
#define OCTAVO_MATHS_PER_ISA
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <limits>

#include "engine/maths/host_spelling.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

// The primitives come before the functions written in them.
// clang-format off
namespace scalar {
#include "engine/maths/scalar_primitives.h"
#include "engine/maths/polynomials.h"
#include "engine/maths/functions.h"
}  // namespace scalar

namespace vector {
#include "engine/maths/vector_primitives.h"
#include "engine/maths/fused_primitives.h"
#include "engine/maths/functions.h"
}  // namespace vector

namespace paired {
#include "engine/maths/paired_primitives.h"
#include "engine/maths/functions.h"
}  // namespace paired
// clang-format on

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
