// Any bytes give an image or an octavo::Error. Any other outcome ends the fuzzer, which then saves the file that caused
// it. The limit of the pixels lets one input take no more than a fraction of a second.

#include <cstddef>
#include <cstdint>
#include <span>

#include "io/images/mask.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const octavo::ReadOptions options{.max_pixels = 1 << 20};
    octavo::mask_of(octavo::decode_image(std::as_bytes(std::span(data, size)), "fuzz", options).view());
  } catch (const octavo::Error&) {
    return 0;
  }
  return 0;
}
