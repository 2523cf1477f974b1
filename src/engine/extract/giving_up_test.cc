// A progress that throws gives up an extraction, and the extractor works again.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "octavo/extractor.h"
#include "octavo/image.h"
#include "octavo/sift_options.h"

namespace octavo {
namespace {

struct Enough {};

Image noise() {
  Image image(300, 200, 1, PixelType::u8);
  std::uint32_t seed = 1;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      seed = seed * 1664525u + 1013904223u;
      image.row(y)[x] = static_cast<std::byte>(seed >> 24);
    }
  }
  return image;
}

void gives_up_at_any_step(DeviceOptions device) {
  const Image image = noise();
  int left = -1;  // steps until the progress throws; −1: never
  device.progress = [&](const ProgressStep&) {
    if (left > 0 && --left == 0) throw Enough();
  };
  Extractor extractor({}, device);
  const Features expected = extractor.extract(image.view());
  int given_up = 0;
  for (left = 1; given_up < 2000; left = ++given_up + 1) {
    try {
      EXPECT_EQ(extractor.extract(image.view()), expected);
      break;  // there are no more steps
    } catch (const Enough&) {
    }
  }
  EXPECT_GT(given_up, 1);
  left = -1;
  EXPECT_EQ(extractor.extract(image.view()), expected);
  EXPECT_EQ(extractor.collect(extractor.submit(image.view())), expected);
}

TEST(GivingUp, OnOneThread) { gives_up_at_any_step({.name = "cpu", .threads = 1}); }

TEST(GivingUp, OnSeveralThreads) { gives_up_at_any_step({.name = "cpu", .threads = 3}); }

TEST(GivingUp, OnEveryGpu) {
  for (const Device& device : list_devices()) {
    if (device.kind != "cpu" && device.kind != "reference" && device.conformant) {
      gives_up_at_any_step({.name = device.name, .threads = 1});
    }
  }
}

}  // namespace
}  // namespace octavo
