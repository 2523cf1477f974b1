// Names of Highway's targets.

#include "engine/device/cpu_isa.h"

#include <hwy/targets.h>

#include <string_view>

#include "engine/core/check.h"
#include "octavo/error.h"

namespace octavo {

namespace {
struct Name {
  std::int64_t target;
  const char* name;
};
// Best first.
constexpr Name isa_names[] = {{HWY_AVX3_DL, "avx512-vnni"}, {HWY_AVX3, "avx512"}, {HWY_AVX2, "avx2"},
                              {HWY_SSE4, "sse4"},           {HWY_NEON, "neon"},   {HWY_EMU128, "portable"},
                              {HWY_SCALAR, "portable"}};

// The CPU is asked once: a virtual machine takes 10 µs to answer.
std::int64_t usable_targets() {
  // The fallback is always compiled in and runs everywhere, but Highway does not always list it.
  static const std::int64_t usable = (hwy::SupportedTargets() | HWY_STATIC_TARGET) & (HWY_TARGETS);
  return usable;
}
}  // namespace

std::vector<Isa> supported_isas() {
  std::vector<Isa> isas;
  for (const Name& n : isa_names) {
    if (usable_targets() & n.target) isas.push_back({n.name, n.target});
  }
  return isas;
}

Isa find_isa(const std::string& name) {
  const std::vector<Isa> isas = supported_isas();
  if (name == "auto") return isas.front();
  std::vector<std::string_view> known{"auto"};
  for (const Isa& isa : isas) {
    if (isa.name == name) return isa;
    known.push_back(isa.name);
  }
  throw Error(
      ErrorCode::invalid_option,
      InvalidOption{"isa", "\"" + name + "\"", "this machine has " + list_of(known) + did_you_mean(name, known)});
}

}  // namespace octavo
