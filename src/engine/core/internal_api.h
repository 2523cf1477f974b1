#pragma once

#include "octavo/api.h"

/// What the engine's shared library exports to that of the applications alone. Headers with this attribute are not
/// installed, and what they declare may change with any version; both libraries have the same.
#define OCTAVO_INTERNAL_API OCTAVO_API
