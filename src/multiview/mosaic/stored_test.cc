// Mosaics of images whose values are measurements, and of images with holes.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "io/opencv/cv_mat.h"
#include "multiview/mosaic/test_scenes.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

using mosaic::test::input;
using mosaic::test::plan;
using mosaic::test::scene;

constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

// 273 to 298.5 K.
cv::Mat kelvin(const cv::Mat& image) {
  cv::Mat grey, values;
  cv::cvtColor(image, grey, cv::COLOR_RGB2GRAY);
  grey.convertTo(values, CV_32F, 0.1, 273);
  return values;
}

// The first channel of a mosaic, and where it is opaque.
struct Drawn {
  cv::Mat values, alpha;
};

Drawn drawn(const MosaicPlan& plan, const std::vector<MosaicInput>& inputs) {
  const Image image = draw_mosaic(plan, inputs);
  const cv::Mat matrix = io::to_mat(image.view());
  Drawn result;
  cv::extractChannel(matrix, result.values, 0);
  cv::extractChannel(matrix, result.alpha, 3);
  return result;
}

const std::vector<cv::Rect> part_places{{0, 0, 220, 200}, {140, 20, 220, 200}};

std::vector<MosaicInput> parts(const cv::Mat& whole) {
  std::vector<MosaicInput> inputs;
  for (const cv::Rect& place : part_places) {
    inputs.push_back(input(std::to_string(inputs.size()), whole(place).clone()));
  }
  return inputs;
}

TEST(Values, OfKelvinStay) {
  cv::Mat whole = kelvin(scene(360, 220));
  whole.at<float>(100, 30) = 900;  // a hot pixel
  // The parts use other ranges.
  whole.colRange(0, 130) += 10;
  const std::vector<MosaicInput> inputs = parts(whole);
  const MosaicPlan joined = plan(inputs, {});
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_FALSE(joined.exposure);
  const auto [values, alpha] = drawn(joined, inputs);
  ASSERT_EQ(values.type(), CV_32F);
  ASSERT_EQ(values.size(), whole.size());
  for (int y = 0; y < values.rows; y += 7) {
    for (int x = 3; x < values.cols - 3; x += 7) {
      const bool is_there = part_places[0].contains({x, y}) || part_places[1].contains({x, y});
      ASSERT_EQ(alpha.at<float>(y, x), is_there ? 1 : 0) << x << " " << y;
      if (is_there) {
        EXPECT_NEAR(values.at<float>(y, x), whole.at<float>(y, x), 1) << x << " " << y;
      } else {
        EXPECT_TRUE(std::isnan(values.at<float>(y, x)));
      }
    }
  }
  EXPECT_NEAR(values.at<float>(100, 30), 900, 30);
  EXPECT_TRUE(plan(inputs, {.exposure = MosaicExposure::on}).exposure);

  const TestFolder folder;
  write_mosaic(folder / "kelvin.tif", joined, inputs);
  const Photograph tiff = read_stored(folder / "kelvin.tif");
  EXPECT_NEAR(reinterpret_cast<const float*>(tiff.image.row(50))[4 * 50], whole.at<float>(50, 50), 0.5);
  // Where no floats can be stored, the full range is used.
  write_mosaic(folder / "kelvin.png", joined, inputs);
  EXPECT_GT(cv::mean(io::to_mat(read_image(folder / "kelvin.png").view()))[0], 20);
}

TEST(Values, OfTwelveBitsStay) {
  cv::Mat whole;
  scene(360, 220).convertTo(whole, CV_16U, 16, 9);
  const std::vector<MosaicInput> inputs = parts(whole);
  const MosaicPlan joined = plan(inputs, {});
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_EQ(joined.values, (ValueRange{0, 4095}));
  const auto [values, alpha] = drawn(joined, inputs);
  cv::Mat expected;
  cv::extractChannel(whole, expected, 0);
  const cv::Rect inner(3, 23, 350, 170);
  EXPECT_LT(cv::norm(values(inner), expected(inner), cv::NORM_L1) / inner.area(), 8);
  EXPECT_EQ(values.at<std::uint16_t>(2, 300), 0);
  EXPECT_EQ(alpha.at<std::uint16_t>(2, 300), 0);
}

// The missing part of one is what the other shows.
TEST(Values, ThatAreMissingAreHoles) {
  const cv::Mat whole = kelvin(scene(360, 220));
  const cv::Rect in_overlap(160, 60, 30, 40), alone(20, 60, 30, 40);
  struct Case {
    float missing;
    std::optional<double> named;
  };
  for (const auto& [missing, named] : {Case{no_number, {}}, Case{-9999, -9999}, Case{-9999, {}}}) {
    cv::Mat first = whole(part_places[0]).clone();
    first(in_overlap).setTo(cv::Scalar(missing));
    first(alone).setTo(cv::Scalar(missing));
    std::vector<MosaicInput> inputs = parts(whole);
    inputs[0].load = [first, no_data = named] { return StoredImage(io::to_image(first), no_data); };
    const MosaicPlan joined = plan(inputs, {});
    ASSERT_TRUE(joined.found) << joined.reason;
    const auto [values, alpha] = drawn(joined, inputs);
    EXPECT_TRUE(std::isnan(values.at<float>(80, 35)));
    EXPECT_EQ(alpha.at<float>(80, 35), 0);
    for (const cv::Rect& hole : {in_overlap, alone}) {
      for (int y = hole.y - 6; y < hole.br().y + 6; ++y) {
        for (int x = hole.x - 6; x < hole.br().x + 6; ++x) {
          ASSERT_TRUE(hole == alone || alpha.at<float>(y, x) == 1) << x << " " << y;
          if (alpha.at<float>(y, x) == 0) continue;
          EXPECT_NEAR(values.at<float>(y, x), whole.at<float>(y, x), 0.6);
        }
      }
    }
  }
}

TEST(Values, ThatAreTransparentAreHoles) {
  const cv::Mat whole = scene(360, 220);
  std::vector<MosaicInput> inputs;
  for (const cv::Rect& place : part_places) {
    // Black and transparent corners, as of a scan that was turned.
    cv::Mat part(place.size(), CV_8UC4), inside = cv::Mat::zeros(place.size(), CV_8U);
    cv::ellipse(inside, {110, 100}, {108, 98}, 0, 0, 360, cv::Scalar(255), cv::FILLED);
    cv::cvtColor(whole(place), part, cv::COLOR_RGB2RGBA);
    part.setTo(cv::Scalar::all(0), ~inside);
    inputs.push_back(input(std::to_string(inputs.size()), part));
  }
  const MosaicPlan joined = plan(inputs, {});
  ASSERT_TRUE(joined.found) << joined.reason;
  const auto [values, alpha] = drawn(joined, inputs);
  EXPECT_EQ(alpha.at<unsigned char>(8, 8), 0);
  EXPECT_EQ(values.at<unsigned char>(8, 8), 255);
  // The first part shows the corner of all, and the canvas begins where the ellipse does.
  const cv::Matx33d frame(joined.images[0].frame_from_image.data());
  const cv::Rect canvas(cvRound(joined.left - frame(0, 2)), cvRound(joined.top - frame(1, 2)), values.cols,
                        values.rows);
  ASSERT_EQ(canvas & cv::Rect({0, 0}, whole.size()), canvas);
  cv::Mat expected;
  cv::extractChannel(whole(canvas), expected, 0);
  cv::Mat difference;
  cv::absdiff(values, expected, difference);
  EXPECT_LT(cv::mean(difference, alpha)[0], 3);
  // What is black and transparent in one, near the seam, is not drawn.
  for (int x = 150; x < 210; ++x) EXPECT_EQ(alpha.at<unsigned char>(110, x), 255);
}

// The canvas ends where the images show something, within a few pixels of the small canvas, and cuts off nothing.
TEST(Values, ThatAreHiddenAtTheEdgesTakeNoCanvas) {
  for (const int factor : {1, 5}) {
    const cv::Mat whole = scene(360 * factor, 220 * factor);
    const int left = 30 * factor, top = 20 * factor, bottom = 25 * factor;
    std::vector<MosaicInput> inputs;
    for (const cv::Rect& small : part_places) {
      const cv::Rect place(small.x * factor, small.y * factor, small.width * factor, small.height * factor);
      const cv::Rect shown = cv::Rect(left, top, whole.cols - left, whole.rows - top - bottom) & place;
      cv::Mat part, alpha = cv::Mat::zeros(place.size(), CV_8U);
      cv::cvtColor(whole(place), part, cv::COLOR_RGB2RGBA);
      alpha(shown - place.tl()).setTo(255);
      cv::insertChannel(alpha, part, 3);
      inputs.push_back(input(std::to_string(inputs.size()), part));
    }
    const MosaicPlan joined = plan(inputs, {});
    ASSERT_TRUE(joined.found) << joined.reason;
    const auto [values, alpha] = drawn(joined, inputs);
    const cv::Rect shown = cv::boundingRect(alpha);
    EXPECT_NEAR(shown.width, whole.cols - left, 5) << factor;
    EXPECT_NEAR(shown.height, whole.rows - top - bottom, 5) << factor;
    EXPECT_LE(alpha.cols - shown.width, 8 * factor);
    EXPECT_LE(alpha.rows - shown.height, 8 * factor);
  }
}

}  // namespace
}  // namespace octavo
