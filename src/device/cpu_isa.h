// Which of the compiled instruction sets a CPU engine uses. Every operation that has vectors is compiled once per
// instruction set (Google Highway's foreach_target); an object that does work holds an Isa and picks its functions by
// it, so that two objects may use different ones at the same time and no global state is involved.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <hwy/targets.h>  // not highway.h: this header comes before foreach_target.h

namespace octavo {

struct Isa {
  std::string name;         ///< "avx512-vnni", "avx512", "avx2", "sse4", "neon" or "portable"
  std::int64_t target = 0;  ///< Highway's bit for it
};

/// Those that are compiled in and that this CPU can run, best first; never empty.
std::vector<Isa> supported_isas();

/// "auto" is the best one. Throws Error(invalid_option) listing the supported ones.
Isa find_isa(const std::string& name);

/// The function for `isa` out of a table made by HWY_EXPORT: `pick(HWY_DISPATCH_TABLE(f), isa)(arguments…)`.
template <class Function, std::size_t n>
Function pick(Function const (&table)[n], const Isa& isa) {
  hwy::ChosenTarget chosen;
  chosen.Update(isa.target);
  return table[chosen.GetIndex()];
}

}  // namespace octavo
