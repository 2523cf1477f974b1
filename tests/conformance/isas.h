// The instruction sets that are compared with the reference.

#pragma once

#include <vector>

#include "device/cpu_isa.h"

namespace octavo {

/// Those of this CPU; under ThreadSanitizer, which is slow, the best alone: threads do the same with each.
inline std::vector<Isa> isas_to_compare() {
  std::vector<Isa> isas = supported_isas();
#ifdef __SANITIZE_THREAD__
  isas.resize(1);
#endif
  return isas;
}

}  // namespace octavo
