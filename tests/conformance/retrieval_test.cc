// Retrieval by VLAD: the bytes of the reference on every device, and on photographs the views of one photograph are
// nearer to each other than to the views of others. None of these photographs trained the general vocabulary.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "engine/selftest/images.h"
#include "io/images/resize.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/io/image_files.h"
#include "octavo/retrieval.h"
#include "octavo/sift_options.h"
#include "study/evaluate/distort.h"
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

TEST(Retrieval, WordsAndCodesAreTheSameEverywhere) {
  const CodeModel other_model = train_code_model(noise(600, 3), 2, "noise");
  for (const CodeModel& model : {general_code_model(), other_model}) {
    for (const std::size_t words : {1, 2, 8, 256}) {
      for (const std::string& name : gpu_names()) {
        FeatureQuantiser quantiser(words, {.name = name}, model);
        for (const std::size_t features : {0, 1, 2, 3, 17, 65}) {
          if (words == 256 && features > 3) continue;  // PoCL needs long
          std::vector<std::uint8_t> some = noise(features, 11);
          if (features == 2) std::ranges::fill(some, std::uint8_t{255});
          if (features == 1) std::ranges::fill(some, std::uint8_t{0});
          const std::string what = name + ", " + std::to_string(features) + " features, " + std::to_string(words);
          const QuantisedFeatures found = quantiser.quantise(some);
          ASSERT_EQ(found.codes, feature_codes(some, model)) << what;
          ASSERT_EQ(found.words, nearest_words(some, words, model)) << what;
        }
      }
    }
  }
}

// Features that an extractor leaves on its device are read there, and those on another device are fetched.
TEST(Retrieval, FeaturesOnADeviceAreQuantisedWhereTheyAre) {
  const Image image = images::blobs(160, 120), empty = images::checkerboard(160, 120, 500);
  const SiftOptions options{.descriptor = DescriptorKind::rootsift};
  std::vector<std::string> devices = gpu_names();
  devices.emplace_back("cpu");
  VladEncoder vlad_of_cpu(general_vocabulary(), {.name = "cpu"});
  FeatureQuantiser quantiser_of_cpu(8, {.name = "cpu"});
  for (const std::string& name : devices) {
    Extractor extractor(options, {.name = name}), another(options, {.name = name});
    for (const std::string& where : devices) {
      FeatureQuantiser quantiser(8, {.name = where});
      VladEncoder encoder(general_vocabulary(), {.name = where});
      EXPECT_EQ(quantiser.device(), where);
      for (Extractor* one : {&extractor, &another, &extractor}) {
        for (const Image* input : {&image, &empty}) {
          const DeviceFeatures there = one->extract_on_device(input->view());
          const Features here = there.download();
          const QuantisedFeatures found = quantiser.quantise(there);
          EXPECT_EQ(found.keypoints, here.keypoints) << name << " quantised on " << where;
          EXPECT_EQ(found.codes, feature_codes(here.descriptors));
          EXPECT_EQ(found.words, nearest_words(here.descriptors, 8));
          EXPECT_EQ(quantiser.quantise(there).codes, quantiser_of_cpu.quantise(there).codes);
          EXPECT_EQ(encoder.encode(there), vlad_of_cpu.encode(here.descriptors)) << name << " encoded on " << where;
        }
      }
    }
  }
}

TEST(Retrieval, QuantisersRefuseWrongCallsAndStayUsable) {
  EXPECT_THROW(FeatureQuantiser{0}, Error);
  EXPECT_THROW(FeatureQuantiser{257}, Error);
  std::vector<std::string> devices = gpu_names();
  devices.emplace_back("cpu");
  for (const std::string& name : devices) {
    FeatureQuantiser quantiser(1, {.name = name});
    VladEncoder encoder(general_vocabulary(), {.name = name});
    EXPECT_THROW(quantiser.quantise(std::vector<std::uint8_t>(127)), Error);
    EXPECT_THROW(encoder.encode(std::vector<std::uint8_t>(127)), Error);
    EXPECT_EQ(quantiser.quantise(noise(3, 1)).codes, feature_codes(noise(3, 1)));
  }
}

TEST(Retrieval, TheGreatestSumsOfAVladDoNotOverflowAnywhere) {
  const std::vector<std::uint8_t> most(std::size_t{20000} * descriptor_length, 255);
  const Vocabulary nought(std::vector<std::uint8_t>(descriptor_length, 0));
  const std::vector<std::int16_t> expected = VladEncoder(nought, {.name = "cpu"}).encode(most);
  for (const std::string& name : gpu_names()) {
    EXPECT_EQ(VladEncoder(nought, {.name = name}).encode(most), expected) << name;
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
