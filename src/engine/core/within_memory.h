// Every error of the library is an octavo::Error, also that of the standard library where memory is short.

#pragma once

#include <new>

#include "octavo/error.h"

namespace octavo {

/// Returns work(). Where that throws std::bad_alloc, throws Error(out_of_memory), "no memory " and the text that
/// purpose() returns: "to match descriptors".
template <class Purpose, class Work>
auto within_memory(const Purpose& purpose, const Work& work) try {
  return work();
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory, "no memory " + purpose());
}

}  // namespace octavo
