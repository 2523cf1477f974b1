// Any bytes give a homography and correspondences, or octavo::Errors. Any other outcome ends the fuzzer, which then
// saves the file that caused it. These readers take names of files, so the bytes lie in a file without a place on a
// disk.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "octavo/error.h"
#include "study/evaluate/dataset.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int file = memfd_create("truth", 0);
  static const std::string name = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  try {
    octavo::read_homography(name);
  } catch (const octavo::Error&) {
  }
  try {
    octavo::read_correspondences(name);
  } catch (const octavo::Error&) {
  }
  return 0;
}
