// Any bytes at all are features or an octavo::Error; anything else ends the fuzzer, and with it the file that did it is
// found.

#include <cstddef>
#include <cstdint>
#include <span>

#include "octavo/error.h"
#include "octavo/imageio.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    octavo::decode_npz_features(std::as_bytes(std::span(data, size)), "fuzz");
  } catch (const octavo::Error&) {
    return 0;
  }
  return 0;
}
