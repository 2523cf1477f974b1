// Features of real photographs, and filtered photographs, have the reference's bytes on every instruction set, with any
// number of threads and on every GPU.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cstring>
#include <filesystem>

#include "octavo/extractor.h"
#include "octavo/io/image_files.h"
#include "octavo/sift_options.h"
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
  for (const Contender& c : contenders({0, 1, 2, 7})) {
    Extractor extractor({}, c.device);
    for (int run = 0; run < 2; ++run) ASSERT_TRUE(extractor.extract(image.view()) == expected) << c.name;
  }
}

INSTANTIATE_TEST_SUITE_P(OpencvDoc, Photograph,
                         ::testing::Values("graf1.png", "leuvenA.jpg", "box_in_scene.png", "home.jpg", "building.jpg",
                                           "fruits.jpg", "messi5.jpg"));

// Whether two filtered images have the same bytes, in all channels.
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
  for (const TrilateralOptions& options : {TrilateralOptions{}, TrilateralOptions{.spatial_sigma = 3.1,
                                                                .trilateral_window = TrilateralWindow::certified}}) {
    const Image expected = Trilateral(options, {.name = "reference"}).filter(image.view());
    ASSERT_FALSE(same(expected, image));
    for (const Contender& c : contenders({0, 7})) {
      Trilateral filter(options, c.device);
      for (int run = 0; run < 2; ++run) ASSERT_TRUE(same(filter.filter(image.view()), expected)) << c.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OpencvDoc, FilteredPhotograph,
                         ::testing::Values("home.jpg", "box_in_scene.png", "fruits.jpg", "messi5.jpg"));

}  // namespace
}  // namespace octavo
