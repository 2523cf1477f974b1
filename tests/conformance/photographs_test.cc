// Real photographs give the same bytes on every instruction set, with any number of threads and on every GPU as the
// reference gives.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <filesystem>

#include "device/cpu_isa.h"
#include "octavo/extractor.h"
#include "octavo/imageio.h"

namespace octavo {
namespace {

class Photograph : public ::testing::TestWithParam<const char*> {};

TEST_P(Photograph, IsTheSameEverywhere) {
  const std::filesystem::path file = std::filesystem::path("/usr/share/doc/opencv-doc/examples/data") / GetParam();
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "lacks " << file << ", of Debian's package opencv-doc";
  const tbb::global_control seven(tbb::global_control::max_allowed_parallelism, 7);
  const Image image = read_image(file);
  const Features expected = Extractor({}, {.name = "reference"}).extract(image.view());
  EXPECT_GT(expected.size(), 500u);
  for (const Isa& isa : supported_isas()) {
    for (int threads : {1, 2, 7}) {
      Extractor cpu({}, {.name = "cpu", .threads = threads, .isa = isa.name});
      ASSERT_TRUE(cpu.extract(image.view()) == expected) << isa.name << ", " << threads << " threads";
    }
  }
  for (const Device& device : list_devices()) {
    if (device.kind != "cuda" && device.kind != "opencl") continue;
    Extractor gpu({}, {.name = device.name});
    for (int run = 0; run < 3; ++run) ASSERT_TRUE(gpu.extract(image.view()) == expected) << device.name;
  }
  Extractor cpu({}, {.name = "cpu"});
  for (int run = 0; run < 10; ++run) ASSERT_TRUE(cpu.extract(image.view()) == expected) << "run " << run;
}

INSTANTIATE_TEST_SUITE_P(OpencvDoc, Photograph,
                         ::testing::Values("graf1.png", "leuvenA.jpg", "box_in_scene.png", "home.jpg", "building.jpg",
                                           "fruits.jpg", "messi5.jpg"));

}  // namespace
}  // namespace octavo
