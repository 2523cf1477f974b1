#pragma once

/// What the shared libraries export: the namespace of each public header has this attribute. The rest of the library is
/// compiled with hidden symbols.
#define OCTAVO_API [[gnu::visibility("default")]]
