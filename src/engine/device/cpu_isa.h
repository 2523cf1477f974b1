// The choice among the compiled instruction sets of a CPU engine. Every vectorised operation is compiled once per
// instruction set (Google Highway's foreach_target). An object that does work holds an Isa and chooses its functions by
// it, so two objects may use different instruction sets at the same time, without global state.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <hwy/targets.h>  // highway.h must come after foreach_target.h, and this header comes before it

#include "engine/core/internal_api.h"

namespace OCTAVO_INTERNAL_API octavo {

struct Isa {
  std::string name;         ///< "avx512-vnni", "avx512", "avx2", "sse4", "neon" or "portable"
  std::int64_t target = 0;  ///< Highway's bit of the target
};

/// The instruction sets that are compiled in and that this CPU can run, best first; never empty.
std::vector<Isa> supported_isas();

/// "auto" is the best one. Throws Error(invalid_option) that lists the supported ones.
Isa find_isa(const std::string& name);

/// Chooses the function for `isa` from a table of HWY_EXPORT: `pick(HWY_DISPATCH_TABLE(f), isa)(arguments…)`.
template <class Function, std::size_t n>
Function pick(Function const (&table)[n], const Isa& isa) {
  hwy::ChosenTarget chosen;
  chosen.Update(isa.target);
  return table[chosen.GetIndex()];
}

}  // namespace octavo
