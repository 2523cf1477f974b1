// Memory that the process has freed. GNU's malloc keeps it for the thread that had it, which others cannot use: after a
// phase of many large arrays the next one would take as much again.

#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace octavo {

/// Gives what is free back to the system, where malloc would keep it. It takes some milliseconds.
inline void give_back_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace octavo
