// How the host's C++ spells what the languages of kernels spell otherwise (kernel_primitives.h).

#pragma once

#define OCTAVO_INLINE inline
#define OCTAVO_CONSTANT inline constexpr
#define OCTAVO_UNROLL  // a host's compiler knows best
