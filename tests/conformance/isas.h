// The instruction sets that are compared with the reference.

#pragma once

#include <vector>

#include "engine/device/cpu_isa.h"

namespace octavo {

/// All instruction sets of this CPU. Under ThreadSanitizer, which is slow, only the best: threads work the same way
/// with each.
inline std::vector<Isa> isas_to_compare() {
  std::vector<Isa> isas = supported_isas();
#ifdef __SANITIZE_THREAD__
  isas.resize(1);
#endif
  return isas;
}

}  // namespace octavo
