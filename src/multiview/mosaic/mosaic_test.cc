// Mosaics of images that are cut from a known scene.

#include "octavo/multiview/mosaic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/core/test_folder.h"
#include "io/opencv/cv_mat.h"
#include "multiview/mosaic/adjustment.h"
#include "multiview/mosaic/blend.h"
#include "multiview/mosaic/frames.h"
#include "multiview/mosaic/intensities.h"
#include "multiview/mosaic/repetition.h"
#include "multiview/mosaic/seams.h"
#include "multiview/mosaic/test_scenes.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

using mosaic::test::colours;
using mosaic::test::input;
using mosaic::test::plan;
using mosaic::test::rms;
using mosaic::test::scene;

MosaicInput part(const cv::Mat& whole, const std::string& name, const cv::Rect& place) {
  return input(name, whole(place).clone());
}

TEST(Mosaic, JoinsPartsOfAScene) {
  const cv::Mat whole = scene(480, 240);
  const std::vector<MosaicInput> inputs{part(whole, "a", {0, 0, 220, 240}), part(whole, "b", {260, 0, 220, 240}),
                                        part(whole, "c", {130, 0, 220, 240})};
  const MosaicPlan joined = plan(inputs, {});
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_EQ(joined.model, MosaicModel::similarity) << joined.why;
  EXPECT_EQ(joined.projection, MosaicProjection::plane);
  EXPECT_EQ(joined.reference, 2);
  EXPECT_LT(joined.held_out, 0.3);
  EXPECT_FALSE(joined.distortion);
  EXPECT_NEAR(static_cast<double>(joined.width), 480, 1);
  EXPECT_NEAR(static_cast<double>(joined.height), 240, 1);
  for (const MosaicImage& image : joined.images) EXPECT_EQ(image.status, MosaicImageStatus::placed);
  const Image drawn = draw_mosaic(joined, inputs);
  EXPECT_EQ(drawn.type(), PixelType::u8);
  EXPECT_EQ(drawn.channels(), 4);
  const cv::Rect inner(3, 3, 470, 230);
  EXPECT_LT(rms(colours(drawn)(inner), whole(inner)), 3);
  EXPECT_FALSE(draw_mosaic_graph(joined).empty());
  EXPECT_FALSE(draw_mosaic_seams(joined).empty());
}

TEST(Mosaic, KeepsSixteenBits) {
  cv::Mat whole;
  scene(360, 200).convertTo(whole, CV_16U, 250, 77);
  const std::vector<MosaicInput> inputs{part(whole, "a", {0, 0, 220, 200}), part(whole, "b", {140, 0, 220, 200})};
  const MosaicPlan joined = plan(inputs, {});
  ASSERT_TRUE(joined.found) << joined.reason;
  const Image drawn = draw_mosaic(joined, inputs);
  ASSERT_EQ(drawn.type(), PixelType::u16);
  const cv::Mat got = colours(drawn);
  const cv::Rect inner(3, 3, 350, 190);
  EXPECT_LT(rms(got(inner), whole(inner)), 3 * 257);
  cv::Mat low;
  cv::bitwise_and(got, cv::Scalar::all(255), low);
  EXPECT_GT(cv::countNonZero(low.reshape(1)), got.total());  // the lower bits hold something

  const TestFolder folder;
  const auto file = folder / "mosaic.tif";
  write_mosaic(file, joined, inputs);
  const Image read = read_image(file);
  EXPECT_EQ(read.type(), PixelType::u16);
  EXPECT_EQ(cv::norm(io::to_mat(read.view()), io::to_mat(drawn.view()), cv::NORM_INF), 0);
}

TEST(Mosaic, IsTheSameWithAnyThreads) {
  const cv::Mat whole = scene(2600, 1300);  // 3 x 2 blocks
  std::vector<MosaicInput> inputs;
  for (int i = 0; i < 4; ++i) inputs.push_back(part(whole, std::to_string(i), {600 * i, 0, 800, 1300}));
  const MosaicPlan by_one = plan(inputs, {.image_memory = 1}, 1), by_four = plan(inputs, {.image_memory = 1}, 4);
  ASSERT_TRUE(by_one.found) << by_one.reason;
  ASSERT_GT(by_one.height, 1024U);
  EXPECT_EQ(cv::norm(io::to_mat(draw_mosaic(by_one, inputs).view()), io::to_mat(draw_mosaic(by_four, inputs).view()),
                     cv::NORM_INF),
            0);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;
  std::uint64_t pixels = 0;
  const auto caller = std::this_thread::get_id();
  draw_mosaic(by_four, inputs, [&](std::uint64_t x, std::uint64_t y, const ImageView& block) {
    rows.emplace_back(y, x);
    pixels += static_cast<std::uint64_t>(block.width) * static_cast<std::uint64_t>(block.height);
    EXPECT_TRUE(std::this_thread::get_id() == caller);
  });
  EXPECT_EQ(rows.size(), 6U);
  EXPECT_EQ(pixels, by_four.width * by_four.height);
  EXPECT_TRUE(std::ranges::is_sorted(rows));

  inputs[2].load = []() -> Image { throw Error(ErrorCode::file_error, "it is gone"); };
  try {
    draw_mosaic(by_four, inputs);
    ADD_FAILURE() << "nothing is thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "it is gone");
  }
}

TEST(Mosaic, TellsPlacesThatAreUncertain) {
  // A homography of a narrow strip says little of the far side, however many details the strip has.
  const cv::Mat whole = scene(1200, 900);
  for (const int strip : {34, 200}) {
    const std::vector<MosaicInput> inputs{part(whole, "a", {0, 0, 600, 900}),
                                          part(whole, "b", {600 - strip, 0, 600, 900})};
    const MosaicPlan joined = plan(inputs, {.model = MosaicModel::homography, .distortion = false, .seams = false});
    ASSERT_TRUE(joined.found) << joined.reason;
    EXPECT_GT(joined.pairs[0].inliers, 100);
    const bool is_told = std::ranges::any_of(joined.warnings, [](const std::string& one) {
      return one.find("is known only within about") != std::string::npos;
    });
    EXPECT_EQ(is_told, strip == 34) << joined.images[0].uncertainty << ", " << joined.images[1].uncertainty;
  }
}

TEST(Mosaic, EvensExposureOut) {
  const cv::Mat whole = scene(360, 200);
  cv::Mat dark = whole({0, 0, 220, 200}) * 0.7;
  const std::vector<MosaicInput> inputs{input("a", dark), part(whole, "b", {140, 0, 220, 200})};
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(joined.images[0].gain[c] / joined.images[1].gain[c], 0.7, 0.02);
  }
}

TEST(Mosaic, PlacesSmoothImagesByIntensities) {
  // Large shades with noise: a few keypoints, of large scales.
  cv::Mat smooth;
  cv::RNG random(3);
  cv::Mat noise(300, 520, CV_32FC3), grain(300, 520, CV_32FC3);
  random.fill(noise, cv::RNG::NORMAL, 0, 60 * 9.0);
  cv::GaussianBlur(noise, noise, {}, 9);
  random.fill(grain, cv::RNG::NORMAL, 0, 2);
  cv::Mat(noise + cv::Scalar::all(127)).convertTo(smooth, CV_8U);
  const std::vector<cv::Rect> places{{0, 0, 300, 220}, {200, 60, 300, 220}, {90, 30, 300, 220}};
  std::vector<MosaicInput> inputs;
  for (std::size_t i = 0; i < places.size(); ++i) {
    cv::Mat part;
    random.fill(grain, cv::RNG::NORMAL, 0, 2);
    smooth.convertTo(part, CV_32F);
    cv::Mat(part + grain)(places[i]).convertTo(part, CV_8U);
    inputs.push_back(input(std::to_string(i), part));
  }
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_EQ(joined.model, MosaicModel::similarity) << joined.why;
  const auto corner = [&](std::size_t i, double x, double y) {
    const cv::Vec3d at = cv::Matx33d(joined.images[i].frame_from_image.data()) * cv::Vec3d(x, y, 1);
    return cv::Point2d(at[0] / at[2], at[1] / at[2]);
  };
  for (std::size_t i = 0; i < places.size(); ++i) {
    ASSERT_EQ(joined.images[i].status, MosaicImageStatus::placed) << joined.images[i].reason;
    for (std::size_t k = 0; k < i; ++k) {
      const cv::Point2d shift = places[i].tl() - places[k].tl();
      for (const auto& [x, y] : {std::pair{0.0, 0.0}, {299.0, 0.0}, {0.0, 219.0}, {299.0, 219.0}}) {
        EXPECT_LT(cv::norm(corner(i, x, y) - corner(k, x + shift.x, y + shift.y)), 0.3);
      }
    }
  }
  EXPECT_GT(joined.pairs[0].patches, 12);
}

// Facets whose shades are hardly apart, darkened at the corners, with noise: the features are mostly noise.
class FaintFacets : public testing::Test {
 protected:
  static constexpr int width = 420, height = 320;

  static cv::Mat facets(std::uint64_t seed, double contrast) {
    cv::RNG random(seed);
    cv::Mat image(620, 760, CV_32FC3, cv::Scalar::all(70));
    for (int i = 0; i < 90; ++i) {
      std::vector<cv::Point> corners;
      const cv::Point middle(random.uniform(0, image.cols), random.uniform(0, image.rows));
      for (int k = 0; k < 3; ++k)
        corners.push_back(middle + cv::Point(random.uniform(-90, 90), random.uniform(-90, 90)));
      cv::fillConvexPoly(image, corners, cv::Scalar::all(70 + random.uniform(-contrast, contrast)), cv::LINE_AA);
    }
    return image;
  }

  // A part of it as a camera sees it, with the dust of its sensor.
  static MosaicInput seen(const cv::Mat& whole, const std::string& name, cv::Point place, const cv::Mat& dust) {
    cv::RNG random(std::hash<std::string>{}(name));
    cv::Mat pixels = whole(cv::Rect(place, cv::Size(width, height))).mul(dust), noise(pixels.size(), CV_32FC3), image;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const double r2 = (std::pow(x - width / 2.0, 2) + std::pow(y - height / 2.0, 2)) / (width * width / 4.0);
        pixels.at<cv::Vec3f>(y, x) *= static_cast<float>(std::exp(-0.2 * r2));
      }
    }
    random.fill(noise, cv::RNG::NORMAL, 0, 2);
    cv::Mat(pixels + noise).convertTo(image, CV_8U);
    return input(name, image);
  }

  static cv::Mat clean() { return {height, width, CV_32FC3, cv::Scalar::all(1)}; }
};

TEST_F(FaintFacets, ArePlacedByCopiesOfEvenContrast) {
  const cv::Mat whole = facets(5, 8);
  const std::vector<cv::Point> places{{0, 0}, {220, 30}, {20, 170}, {240, 190}};
  std::vector<MosaicInput> inputs;
  for (std::size_t i = 0; i < places.size(); ++i) {
    inputs.push_back(seen(whole, std::to_string(i), places[i], clean()));
  }
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_TRUE(std::any_of(joined.pairs.begin(), joined.pairs.end(), [](const MosaicPair& pair) {
    return pair.even_contrast && pair.status == MosaicPairStatus::used;
  }));
  for (std::size_t i = 0; i < places.size(); ++i) {
    ASSERT_EQ(joined.images[i].status, MosaicImageStatus::placed) << joined.images[i].reason;
    const auto at = [&](std::size_t k) {
      const cv::Vec3d p = cv::Matx33d(joined.images[k].frame_from_image.data()) * cv::Vec3d(0, 0, 1);
      return cv::Point2d(p[0] / p[2], p[1] / p[2]);
    };
    EXPECT_LT(cv::norm(at(i) - at(0) - cv::Point2d(places[i] - places[0])), 0.6);
  }
}

TEST_F(FaintFacets, AreNotJoinedWhereTheyShowDifferentScenes) {
  std::vector<MosaicInput> inputs;
  for (int i = 0; i < 4; ++i) {
    inputs.push_back(seen(facets(20 + static_cast<std::uint64_t>(i), 8), std::to_string(i), {100, 100}, clean()));
  }
  const MosaicPlan apart = plan(inputs);
  EXPECT_FALSE(apart.found) << apart.pairs.size();
}

TEST_F(FaintFacets, AreNotJoinedByTheDustOfTheSensor) {
  cv::RNG random(9);
  cv::Mat dust = clean();
  for (int i = 0; i < 60; ++i) {
    const cv::Point middle(random.uniform(0, width), random.uniform(0, height));
    cv::circle(dust, middle, random.uniform(3, 9), cv::Scalar::all(0.96), cv::FILLED, cv::LINE_AA);
  }
  cv::GaussianBlur(dust, dust, {}, 1.5);
  std::vector<MosaicInput> inputs;
  for (int i = 0; i < 4; ++i) {
    inputs.push_back(seen(facets(20 + static_cast<std::uint64_t>(i), 8), std::to_string(i), {100, 100}, dust));
  }
  const MosaicPlan apart = plan(inputs);
  EXPECT_FALSE(apart.found) << apart.pairs.size();
}

TEST(Mosaic, NamesImagesThatItLeavesOut) {
  const cv::Mat first = scene(480, 200), second = scene(360, 200, 2), third = scene(200, 200, 3);
  const std::vector<MosaicInput> inputs{part(first, "a", {0, 0, 220, 200}),    part(first, "b", {130, 0, 220, 200}),
                                        part(first, "c", {260, 0, 220, 200}),  part(second, "d", {0, 0, 220, 200}),
                                        part(second, "e", {140, 0, 220, 200}), input("f", third),
                                        part(first, "again", {0, 0, 220, 200})};
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  const std::array wanted{MosaicImageStatus::placed,          MosaicImageStatus::placed,
                          MosaicImageStatus::placed,          MosaicImageStatus::second_panorama,
                          MosaicImageStatus::second_panorama, MosaicImageStatus::no_overlap,
                          MosaicImageStatus::identical};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_EQ(joined.images[i].status, wanted[i]) << inputs[i].name << ": " << joined.images[i].reason;
    EXPECT_EQ(joined.images[i].reason.empty(), wanted[i] == MosaicImageStatus::placed);
  }
  EXPECT_EQ(joined.images[6].reason, "it is the same image as 'a'");
  EXPECT_EQ(joined.images[3].reason, "it belongs to another panorama, with 'e'");
}

std::size_t count_of(const MosaicPlan& plan, MosaicImageStatus status) {
  return static_cast<std::size_t>(std::count_if(plan.images.begin(), plan.images.end(),
                                                [&](const MosaicImage& image) { return image.status == status; }));
}

// Frames of a slow pan: most add nothing, and what is left shows all that they show.
TEST(Mosaic, LeavesOutWhatAddsNothing) {
  const cv::Mat whole = scene(390, 220);
  std::vector<MosaicInput> inputs;
  for (int i = 0; i <= 6; ++i) inputs.push_back(part(whole, std::to_string(i), {15 * i, 0, 300, 220}));
  const MosaicPlan few = plan(inputs), all = plan(inputs, {.keep_redundant = true, .seams = false});
  ASSERT_TRUE(few.found && all.found) << few.reason << all.reason;
  EXPECT_GE(count_of(few, MosaicImageStatus::redundant), 3U);
  EXPECT_EQ(count_of(few, MosaicImageStatus::no_overlap), 0U);
  EXPECT_EQ(few.images[0].status, MosaicImageStatus::placed);
  EXPECT_EQ(count_of(all, MosaicImageStatus::placed), inputs.size());
  for (const MosaicPlan* plan : {&few, &all}) {
    EXPECT_NEAR(static_cast<double>(plan->width), 390, 1);
    EXPECT_NEAR(static_cast<double>(plan->height), 220, 1);
  }
}

// Close-ups show more of a scene than an overview does: they are drawn, and the mosaic has their scale.
TEST(Mosaic, KeepsCloseUpsOfAnOverview) {
  const cv::Mat whole = scene(600, 400);
  cv::Mat small;
  cv::resize(whole, small, {}, 0.5, 0.5, cv::INTER_AREA);
  std::vector<MosaicInput> inputs{input("overview", small)};
  for (const int x : {0, 150, 300}) inputs.push_back(part(whole, std::to_string(x), {x, 0, 300, 400}));
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_EQ(joined.images[1].status, MosaicImageStatus::placed);
  EXPECT_EQ(joined.images[3].status, MosaicImageStatus::placed);
  ASSERT_NEAR(static_cast<double>(joined.width), 600, 2);
  const cv::Rect middle(50, 50, 500, 300);
  cv::Mat enlarged;
  cv::resize(small, enlarged, whole.size(), 0, 0, cv::INTER_CUBIC);
  EXPECT_LT(rms(colours(draw_mosaic(joined, inputs))(middle), whole(middle)),
            0.5 * rms(enlarged(middle), whole(middle)));
  inputs.pop_back();
  EXPECT_EQ(count_of(plan(inputs), MosaicImageStatus::placed), 3U) << "a third of it is in the overview alone";
}

// Of more than 30 images the likely pairs alone are matched.
TEST(Mosaic, JoinsManyTiles) {
  const cv::Mat whole = scene(660, 540);
  std::vector<MosaicInput> inputs;
  std::vector<cv::Point> corners;
  for (int y = 0; y <= 400; y += 80) {
    for (int x = 0; x <= 500; x += 100) {
      corners.emplace_back(x, y);
      inputs.push_back(part(whole, std::to_string(inputs.size()), {x, y, 160, 140}));
    }
  }
  const MosaicPlan joined = plan(inputs, {.model = MosaicModel::similarity, .distortion = false, .seams = false});
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_EQ(count_of(joined, MosaicImageStatus::placed), inputs.size());
  const auto& reference = joined.images[static_cast<std::size_t>(joined.reference)];
  const cv::Point first = corners[static_cast<std::size_t>(joined.reference)];
  ASSERT_NEAR(reference.frame_from_image[0], 1, 1e-9);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const cv::Point expected = corners[i] - first;
    EXPECT_NEAR(joined.images[i].frame_from_image[2], expected.x, 0.1);
    EXPECT_NEAR(joined.images[i].frame_from_image[5], expected.y, 0.1);
  }
}

// What is white in one image and not in another is drawn from the other.
TEST(Mosaic, DrawsNothingClippedWhereAnotherImageIsNot) {
  const cv::Mat whole = scene(440, 220);
  cv::Mat bright = whole(cv::Rect(140, 0, 300, 220)).clone();
  bright(cv::Rect(40, 40, 80, 140)).setTo(cv::Scalar::all(255));
  const std::vector<MosaicInput> inputs{part(whole, "good", {0, 0, 300, 220}), input("clipped", bright)};
  const MosaicPlan joined = plan(inputs, {});
  ASSERT_TRUE(joined.found) << joined.reason;
  const cv::Mat drawn = colours(draw_mosaic(joined, inputs));
  const cv::Rect lost(190, 50, 60, 120);
  EXPECT_LT(rms(drawn(lost), whole(lost)), 12);
}

// Equal windows: two images whose windows agree at several places are not stacked by chance. A letter in the overlap
// decides.
TEST(Mosaic, SaysWhereARepeatedPatternDecidesNothing) {
  for (const bool has_letter : {false, true}) {
    cv::Mat house(420, 900, CV_8UC3, cv::Scalar::all(200));
    for (int y = 10; y < 420; y += 50) {
      for (int x = 10; x < 900; x += 50)
        house(cv::Rect(x, y, 25, 30) & cv::Rect(0, 0, 900, 420)).setTo(cv::Scalar(60, 50, 40));
    }
    if (has_letter) cv::putText(house, "AB", {400, 240}, 0, 3, cv::Scalar(200, 0, 0), 8);
    cv::RNG random(5);
    std::vector<MosaicInput> inputs;
    for (const int x : {0, 350}) {
      cv::Mat noise(420, 550, CV_16SC3), image;
      random.fill(noise, cv::RNG::NORMAL, 0, 3);
      house(cv::Rect(x, 0, 550, 420)).convertTo(image, CV_16S);
      cv::Mat(image + noise).convertTo(image, CV_8U);
      inputs.push_back(input(std::to_string(x), image));
    }
    const MosaicPlan joined = plan(inputs);
    EXPECT_EQ(joined.found, has_letter);
    if (has_letter) {
      EXPECT_NEAR(static_cast<double>(joined.width), 900, 1);
    } else {
      EXPECT_EQ(joined.pairs.at(0).status, MosaicPairStatus::undecidable);
      EXPECT_EQ(joined.reason, "a pattern repeats, so that nothing decides where the images lie");
    }
  }
}

// Two scenes with one poster.
TEST(Mosaic, WarnsWhereImagesHaveOneThingInCommon) {
  const cv::Mat poster = scene(110, 90, 7);
  std::vector<MosaicInput> inputs;
  for (const int seed : {1, 2}) {
    cv::Mat image = scene(420, 320, static_cast<std::uint64_t>(seed));
    poster.copyTo(image(cv::Rect(60 + 90 * seed, 40 + 60 * seed, 110, 90)));
    inputs.push_back(input(std::to_string(seed), image));
  }
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  ASSERT_EQ(joined.warnings.size(), 2U);
  for (const std::string& one : joined.warnings) {
    EXPECT_NE(one.find("they may have one thing in common"), std::string::npos) << one;
  }
}

// Places that a fundamental matrix explains and the homography does not are no depth where the images agree under the
// homography, nor where it leaves the other image.
TEST(Mosaic, TellsDepthFromAPatternThatRepeats) {
  const cv::Mat whole = scene(400, 300), other = scene(400, 300, 2);
  const mosaic::GreyImage a = mosaic::grey_image(whole, 2e6), same = mosaic::grey_image(whole, 2e6),
                          different = mosaic::grey_image(other, 2e6);
  mosaic::VerifiedPair pair;
  pair.b_from_a = cv::Matx33d::eye();
  pair.parallax = {.epipolar = 100, .off = 60};
  for (int i = 0; i < 60; ++i) pair.parallax.off_in_a.push_back({40.0 + 50 * (i % 7), 40.0 + 25 * std::floor(i / 7.0)});
  ASSERT_TRUE(pair.parallax.shows_depth());
  EXPECT_FALSE(mosaic::true_parallax(pair, a, same, 3).shows_depth());
  EXPECT_TRUE(mosaic::true_parallax(pair, a, different, 3).shows_depth());
  pair.b_from_a = {1, 0, 500, 0, 1, 0, 0, 0, 1};
  EXPECT_FALSE(mosaic::true_parallax(pair, a, different, 3).shows_depth());
}

// Of several exposures of one place the good one is drawn, wherever it stands among them, and of many images too, of
// which badly exposed ones are known by few matches at first. Reasons name images that are drawn.
TEST(Mosaic, DrawsTheWellExposedOfAStack) {
  const cv::Mat whole = scene(580, 220);
  for (const double stop : {2.1, 2.4, 2.7}) {
    std::vector<MosaicInput> inputs;
    for (const int x : {0, 140, 280}) {
      for (const double gain : {1 / stop, 1.0, stop}) {
        cv::Mat exposed;
        whole(cv::Rect(x, 0, 300, 220)).convertTo(exposed, CV_8U, gain);
        inputs.push_back(input(std::to_string(x) + " " + std::to_string(gain), exposed));
      }
    }
    const MosaicPlan stacks = plan(inputs);
    ASSERT_TRUE(stacks.found) << stacks.reason;
    EXPECT_TRUE(stacks.warnings.empty()) << stacks.warnings[0];
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool is_good = i % 3 == 1;
      EXPECT_EQ(stacks.images[i].status, is_good ? MosaicImageStatus::placed : MosaicImageStatus::redundant)
          << stacks.images[i].name;
      EXPECT_EQ(stacks.images[i].reason.find(" 1.000000'") == std::string::npos, is_good) << stacks.images[i].reason;
    }
  }
}

TEST(Mosaic, SaysWhyThereIsNone) {
  const cv::Mat one = scene(200, 160), other = scene(200, 160, 2);
  const MosaicPlan apart = plan({input("a", one), input("b", other)});
  EXPECT_FALSE(apart.found);
  EXPECT_EQ(apart.reason, "no two images overlap");
  const MosaicPlan same = plan({input("a", one), input("b", one)});
  EXPECT_FALSE(same.found);
  EXPECT_EQ(same.reason, "the images are identical");
  EXPECT_THROW(draw_mosaic(same, std::vector{input("a", one), input("b", one)}), Error);
  EXPECT_THROW(plan({input("a", one)}), Error);
}

TEST(Mosaic, LeavesOutWhatCannotBeLoaded) {
  const cv::Mat whole = scene(360, 200);
  const auto failing = [](const std::string& name, ErrorCode code) {
    return MosaicInput{name, [=]() -> Image { throw Error(code, name + " is broken"); }};
  };
  const cv::Mat long_one(1, 32767, CV_8UC3, cv::Scalar::all(0));
  const std::vector<MosaicInput> inputs{failing("first", ErrorCode::file_error),
                                        part(whole, "a", {0, 0, 220, 200}),
                                        failing("large", ErrorCode::out_of_memory),
                                        part(whole, "b", {140, 0, 220, 200}),
                                        input("long", long_one),
                                        input("dot", whole({5, 5, 1, 1}).clone())};
  const MosaicPlan joined = plan(inputs, {});
  ASSERT_TRUE(joined.found) << joined.reason;
  using enum MosaicImageStatus;
  const std::array wanted{failed, placed, failed, placed, failed, no_overlap};
  for (std::size_t i = 0; i < inputs.size(); ++i) EXPECT_EQ(joined.images[i].status, wanted[i]) << inputs[i].name;
  EXPECT_EQ(joined.images[0].reason, "first is broken");
  EXPECT_EQ(joined.images[4].reason, "it has 32767 x 1 pixels, the longest side of a mosaic's image is 32766");
  EXPECT_NEAR(static_cast<double>(joined.width), 360, 1);
  EXPECT_FALSE(draw_mosaic(joined, inputs).empty());

  EXPECT_EQ(plan({inputs[0], inputs[1]}).reason, "only one of the images can be read");
  EXPECT_EQ(plan({inputs[0], inputs[2]}).reason, "no image can be read");
  EXPECT_EQ(plan({inputs[0], inputs[1], inputs[1]}).reason, "the images are identical");
  EXPECT_THROW(plan({inputs[1], failing("wrong", ErrorCode::invalid_option)}), Error);
}

TEST(Mosaic, ChecksTheCanvasBeforeItTakesMemory) {
  const cv::Mat whole = scene(360, 200);
  const std::vector<MosaicInput> inputs{part(whole, "a", {0, 0, 220, 200}), part(whole, "b", {140, 0, 220, 200})};
  EXPECT_THROW(plan(inputs, {.max_canvas = 360 * 190}), Error);
  EXPECT_THROW(plan(inputs, {.model = MosaicModel::similarity, .projection = MosaicProjection::sphere}), Error);
  EXPECT_THROW(plan(inputs, {.bands = 9}), Error);
}

TEST(Mosaic, OptionsHaveARowEach) {
  const OptionTable<MosaicOptions>& table = option_table<MosaicOptions>();
  EXPECT_EQ(table.options.size(), 10U);
  EXPECT_EQ(word(MosaicModel::automatic), "auto");
  EXPECT_EQ(word(MosaicProjection::sphere), "sphere");
  EXPECT_EQ(word(MosaicProjection::stereographic), "stereographic");
  EXPECT_EQ(word(MosaicPairStatus::inconsistent), "inconsistent");
}

// Places of large images are compared by smaller grey copies.
TEST(GreyImage, IsTheImageAlsoWhereItIsReduced) {
  const cv::Mat whole = scene(400, 300);
  const mosaic::GreyImage grey = mosaic::grey_image(whole, 400 * 300 / 4.0);
  ASSERT_EQ(grey.levels[0].size(), cv::Size(200, 150));
  cv::Mat expected, got;
  cv::cvtColor(whole, expected, cv::COLOR_RGB2GRAY);
  cv::resize(expected, expected, {200, 150}, 0, 0, cv::INTER_AREA);
  cv::GaussianBlur(expected, expected, {}, 1);
  grey.levels[0].convertTo(got, CV_8U, 1 / 257.0);
  EXPECT_LE(cv::norm(got, expected, cv::NORM_INF), 2);
}

// Images that agree are cut halfway between their edges; others where the difference is least.
TEST(Seams, AreHalfwayWhereImagesAgree) {
  cv::Mat whole;
  scene(160, 60).convertTo(whole, CV_32F, 1 / 255.0);
  cv::Mat other = whole.clone();
  other.colRange(70, 100) += cv::Scalar::all(0.2);
  for (const bool agrees : {true, false}) {
    std::vector<MosaicPlan::Details::Part> parts;
    for (const int x : {0, 60}) {
      const cv::Rect place(x, 0, 100, 60);
      const cv::Mat inside(place.size(), CV_8U, cv::Scalar(255));
      const cv::Mat& shown = agrees || x == 0 ? whole : other;
      parts.push_back({x / 60, place, shown(place).clone(), {100, 60}, {}, inside, inside.clone(), {}});
    }
    mosaic::find_seams(parts);
    for (int y = 0; y < 60; ++y) {
      const int of_left = cv::countNonZero(parts[0].mask.row(y)), of_right = cv::countNonZero(parts[1].mask.row(y));
      EXPECT_EQ(of_left + of_right, 160);
      EXPECT_NEAR(of_left, agrees ? 80 : 65, agrees ? 1 : 6);
    }
  }
}

TEST(Blender, KeepsAConstantImage) {
  mosaic::Blender blender({128, 96}, 4);
  const cv::Mat image(96, 128, CV_32FC3, cv::Scalar::all(0.4));
  cv::Mat left = cv::Mat::zeros(96, 128, CV_32F);
  left.colRange(0, 50).setTo(1);
  const cv::Rect all(0, 0, 128, 96);
  blender.add(all, image, left);
  blender.add(all, image, 1 - left);
  const cv::Mat blended = blender.blended();
  EXPECT_LT(cv::norm(blended, image, cv::NORM_INF), 1e-5);
}

// An image is blended alike whether all of the area is passed, or what its mask reaches alone.
TEST(Blender, NeedsOnlyWhatAMaskReaches) {
  constexpr int bands = 2;
  const cv::Rect all(0, 0, 256, 192), shown(100, 80, 40, 24), reached(80, 60, 80, 64);
  static_assert(80 % (1 << bands) == 0 && 60 % (1 << bands) == 0);
  cv::Mat ground, image, mask = cv::Mat::zeros(all.size(), CV_32F);
  scene(256, 192).convertTo(ground, CV_32F, 1 / 255.0);
  scene(256, 192, 2).convertTo(image, CV_32F, 1 / 255.0);
  mask(shown).setTo(1);
  const auto blended = [&](const cv::Rect& place) {
    mosaic::Blender blender(all.size(), bands);
    blender.add(all, ground, 1 - mask);
    blender.add(place, image(place).clone(), mask(place).clone());
    return blender.blended();
  };
  EXPECT_LT(cv::norm(blended(all), blended(reached), cv::NORM_INF), 1e-6);
}

TEST(Frames, AdjustmentFindsASimilarity) {
  mosaic::Frames frames{
      MosaicModel::similarity, false, {cv::Matx33d::eye(), cv::Matx33d::eye()}, {0, 0}, {0}, {0}, {100, 100}};
  mosaic::PairPoints pair{0, 1, {}, {}, {}, {}};
  const cv::Matx33d truth(0.9, -0.2, 0.3, 0.2, 0.9, -0.1, 0, 0, 1);
  cv::RNG random(1);
  for (int i = 0; i < 30; ++i) {
    const cv::Point2d b(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
    const cv::Vec3d a = truth * cv::Vec3d(b.x, b.y, 1);
    pair.in_a.emplace_back(a[0], a[1]);
    pair.in_b.push_back(b);
    pair.weight_in_a.push_back(cv::Matx22d::eye());
    pair.weight_in_b.push_back(cv::Matx22d::eye());
  }
  mosaic::adjust(frames, {pair}, 0, 1.5);
  EXPECT_LT(cv::norm(frames.base[1] - truth), 1e-5);
  EXPECT_EQ(frames.base[0], cv::Matx33d::eye());
  EXPECT_EQ(mosaic::parameters(frames), 4);
}

}  // namespace
}  // namespace octavo
