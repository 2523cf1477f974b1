// Any bytes give features or an octavo::Error. Any other outcome ends the fuzzer, which then saves the file that caused
// it.

#include <cstddef>
#include <cstdint>
#include <span>

#include "octavo/error.h"
#include "octavo/io/feature_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    octavo::decode_npz_features(std::as_bytes(std::span(data, size)), "fuzz");
  } catch (const octavo::Error&) {
    return 0;
  }
  return 0;
}
