// Retrieval by VLAD: the bytes of the reference on every device, and on photographs the views of one photograph are
// nearer to each other than to the views of others. None of these photographs trained the general vocabulary.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "octavo/distortion.h"
#include "octavo/extractor.h"
#include "octavo/imageio.h"
#include "octavo/resize.h"
#include "octavo/vlad.h"
#include "tests/conformance/contenders.h"

namespace octavo {
namespace {

std::vector<std::uint8_t> noise(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> descriptors(count * descriptor_length);
  for (std::uint8_t& one : descriptors) one = static_cast<std::uint8_t>(random() % 128);
  return descriptors;
}

TEST(Retrieval, VladsAndVocabulariesAreTheSameEverywhere) {
  const tbb::global_control seven(tbb::global_control::max_allowed_parallelism, 7);
  const DeviceOptions reference{.name = "reference"};
  const std::vector<std::uint8_t> descriptors = noise(400, 1);
  const VocabularyOptions options{.words = 15, .max_rounds = 5};
  const Vocabulary trained = train_vocabulary(descriptors, options, reference).vocabulary;
  VladEncoder expected_of(general_vocabulary(), reference);
  for (const Contender& contender : contenders({1, 2, 7})) {
    EXPECT_EQ(train_vocabulary(descriptors, options, contender.device).vocabulary, trained) << contender.name;
    VladEncoder encoder(general_vocabulary(), contender.device);
    for (const std::size_t features : {0, 1, 2, 17, 65, 257}) {
      const std::vector<std::uint8_t> some = noise(features, 7);
      EXPECT_EQ(encoder.encode(some), expected_of.encode(some)) << contender.name << ", " << features << " features";
    }
  }
}

TEST(Retrieval, ViewsOfAPhotographAreNearerThanOthers) {
  const std::filesystem::path folder = "/usr/share/doc/opencv-doc/examples/data";
  std::vector<std::vector<std::vector<std::int16_t>>> views;  // of each photograph
  Extractor extractor({.max_features = 500, .grid = 4});
  VladEncoder encoder(general_vocabulary());
  for (const char* name :
       {"graf1.png", "box_in_scene.png", "fruits.jpg", "messi5.jpg", "rubberwhale1.png", "aero1.jpg"}) {
    if (!std::filesystem::exists(folder / name)) GTEST_SKIP() << "lacks " << name << ", of Debian's package opencv-doc";
    const Image whole = read_image(folder / name);
    const Image photograph = resize_and_crop(whole.view(), {400, 300});
    views.emplace_back();
    const auto add = [&](const Image& view) {
      views.back().push_back(encoder.encode(extractor.extract(view.view()).descriptors));
    };
    add(photograph);
    add(distort(photograph.view(), "scale", 0.7).image);
    add(distort(photograph.view(), "rotation", 20).image);
    add(distort(photograph.view(), "jpeg", 30).image);
    add(distort(photograph.view(), "contrast", 0.5).image);
    add(distort(photograph.view(), "perspective", 0.2).image);
  }
  for (std::size_t p = 0; p < views.size(); ++p) {
    double least_same = 1, most_other = -1;
    for (const auto& view : views[p]) least_same = std::min(least_same, vlad_similarity(views[p][0], view));
    for (std::size_t other = 0; other < views.size(); ++other) {
      if (other == p) continue;
      for (const auto& view : views[other]) most_other = std::max(most_other, vlad_similarity(views[p][0], view));
    }
    EXPECT_GT(least_same, most_other) << "photograph " << p;
  }
}

}  // namespace
}  // namespace octavo
