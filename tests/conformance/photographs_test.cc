// Features of real photographs, and filtered photographs, have the reference's bytes on every instruction set, with any
// number of threads and on every GPU.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cstring>
#include <filesystem>

#include "device/cpu_isa.h"
#include "octavo/extractor.h"
#include "octavo/imageio.h"
#include "octavo/trilateral.h"
#include "tests/conformance/contenders.h"

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
  for (const std::string& name : gpu_names()) {
    Extractor gpu({}, {.name = name});
    for (int run = 0; run < 3; ++run) ASSERT_TRUE(gpu.extract(image.view()) == expected) << name;
  }
  Extractor cpu({}, {.name = "cpu"});
  for (int run = 0; run < 10; ++run) ASSERT_TRUE(cpu.extract(image.view()) == expected) << "run " << run;
}

INSTANTIATE_TEST_SUITE_P(OpencvDoc, Photograph,
                         ::testing::Values("graf1.png", "leuvenA.jpg", "box_in_scene.png", "home.jpg", "building.jpg",
                                           "fruits.jpg", "messi5.jpg"));

// Whether two filtered pictures have the same bytes, in all channels.
bool same(const Image& a, const Image& b) {
  for (int y = 0; y < b.height(); ++y) {
    if (std::memcmp(a.row(y), b.row(y), static_cast<std::size_t>(b.stride())) != 0) return false;
  }
  return a.width() == b.width() && a.height() == b.height() && a.stride() == b.stride();
}

class FilteredPhotograph : public ::testing::TestWithParam<const char*> {};

TEST_P(FilteredPhotograph, IsTheSameEverywhere) {
  const std::filesystem::path file = std::filesystem::path("/usr/share/doc/opencv-doc/examples/data") / GetParam();
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "lacks " << file << ", of Debian's package opencv-doc";
  const tbb::global_control seven(tbb::global_control::max_allowed_parallelism, 7);
  const Image image = read_image(file);
  for (const TrilateralOptions& options :
       {TrilateralOptions{}, TrilateralOptions{.sigma = 3.1, .window = TrilateralWindow::certified}}) {
    const Image expected = Trilateral(options, {.name = "reference"}).filter(image.view());
    ASSERT_FALSE(same(expected, image));
    for (const Isa& isa : supported_isas()) {
      Trilateral cpu(options, {.name = "cpu", .threads = 7, .isa = isa.name});
      ASSERT_TRUE(same(cpu.filter(image.view()), expected)) << isa.name;
    }
    for (const std::string& name : gpu_names()) {
      Trilateral gpu(options, {.name = name});
      for (int run = 0; run < 3; ++run) ASSERT_TRUE(same(gpu.filter(image.view()), expected)) << name;
    }
    Trilateral cpu(options, {.name = "cpu"});
    for (int run = 0; run < 10; ++run) ASSERT_TRUE(same(cpu.filter(image.view()), expected)) << "run " << run;
  }
}

INSTANTIATE_TEST_SUITE_P(OpencvDoc, FilteredPhotograph,
                         ::testing::Values("home.jpg", "box_in_scene.png", "fruits.jpg", "messi5.jpg"));

}  // namespace
}  // namespace octavo
