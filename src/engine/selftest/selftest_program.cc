// Checks the machine with the engine alone: a program for machines, compilers and emulators on which the applications
// are not built. `./dev portability` compares its output. usage: octavo_selftest [DEVICE [ISA [THREADS]]], by default
// every instruction set of the CPU. Exit codes: 0 every digest is as recorded, 1 one is not or the test fails, 2 the
// call was wrong.

#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "octavo/device.h"
#include "octavo/error.h"
#include "octavo/selftest.h"

namespace {

int run(const octavo::DeviceOptions& asked) {
  int wrong = 0, tested = 0;
  for (const octavo::DeviceOptions& device : octavo::devices_to_test(asked.isa, asked.threads)) {
    if (device.name != asked.name) continue;
    for (const octavo::SelftestResult& result : octavo::selftest(device)) {
      std::printf("%s %s | %s | %s | %s | %s\n", device.name.c_str(), device.isa.c_str(), result.image.c_str(),
                  result.stage.c_str(), result.digest.c_str(), result.ok ? "ok" : "wrong");
      ++tested;
      wrong += result.ok ? 0 : 1;
    }
  }
  if (tested == 0) std::fprintf(stderr, "octavo_selftest: there is no device '%s'\n", asked.name.c_str());
  return tested > 0 && wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  octavo::DeviceOptions asked{.name = "cpu"};
  if (count > 1) asked.name = words[1];
  if (count > 2) asked.isa = words[2];
  if (count > 3) {
    const char* const end = words[3] + std::strlen(words[3]);
    const auto [last, error] = std::from_chars(words[3], end, asked.threads);
    if (error != std::errc() || last != end) count = 0;
  }
  if (count < 1 || count > 4) {
    std::fprintf(stderr, "usage: octavo_selftest [DEVICE [ISA [THREADS]]]\n");
    return 2;
  }
  try {
    return run(asked);
  } catch (const octavo::Error& error) {
    std::fprintf(stderr, "octavo_selftest: %s\n", error.what());
    return 1;
  }
}
