// Mosaics of pictures that are cut from a known scene.

#include "octavo/mosaic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <opencv2/imgproc.hpp>

#include "imageio/cv_mat.h"
#include "mosaic/blend.h"
#include "mosaic/frames.h"
#include "octavo/detectors.h"
#include "octavo/error.h"
#include "octavo/imageio.h"

namespace octavo {
namespace {

// Blobs of all sizes and colours.
cv::Mat scene(int width, int height, std::uint64_t seed = 1) {
  cv::RNG random(seed);
  cv::Mat sum(height, width, CV_32FC3, cv::Scalar::all(127));
  for (const double sigma : {2.0, 5.0, 12.0}) {
    cv::Mat noise(height, width, CV_32FC3);
    random.fill(noise, cv::RNG::NORMAL, 0, 60 * sigma);
    cv::GaussianBlur(noise, noise, {}, sigma);
    sum += noise;
  }
  cv::Mat picture;
  sum.convertTo(picture, CV_8U);
  return picture;
}

MosaicInput input(const std::string& name, const cv::Mat& pixels) {
  return {name, [pixels] { return imageio::to_image(pixels); }};
}

MosaicInput part(const cv::Mat& whole, const std::string& name, const cv::Rect& place) {
  return input(name, whole(place).clone());
}

MosaicPlan plan(const std::vector<MosaicInput>& inputs, const MosaicOptions& options = {}) {
  Extractor extractor = make_extractor(described(detector_options("sift")), {.name = "cpu"});
  Matcher matcher({}, {.name = "cpu"});
  return plan_mosaic(inputs, extractor, matcher, {}, options);
}

double rms(const cv::Mat& a, const cv::Mat& b) {
  return cv::norm(a, b) / std::sqrt(static_cast<double>(a.total() * 3));
}

cv::Mat colours(const Image& image) {
  cv::Mat mat = imageio::to_mat(image.view()), rgb;
  cv::cvtColor(mat, rgb, cv::COLOR_RGBA2RGB);
  return rgb;
}

TEST(Mosaic, JoinsPartsOfAScene) {
  const cv::Mat whole = scene(480, 240);
  const std::vector<MosaicInput> inputs{part(whole, "a", {0, 0, 220, 240}), part(whole, "b", {260, 0, 220, 240}),
                                        part(whole, "c", {130, 0, 220, 240})};
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_EQ(joined.model, MosaicModel::similarity) << joined.why;
  EXPECT_EQ(joined.projection, MosaicProjection::plane);
  EXPECT_EQ(joined.reference, 2);
  EXPECT_LT(joined.withheld, 0.3);
  EXPECT_FALSE(joined.distortion);
  EXPECT_NEAR(static_cast<double>(joined.width), 480, 1);
  EXPECT_NEAR(static_cast<double>(joined.height), 240, 1);
  for (const MosaicPicture& picture : joined.pictures) EXPECT_EQ(picture.fate, MosaicFate::placed);
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
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  const Image drawn = draw_mosaic(joined, inputs);
  ASSERT_EQ(drawn.type(), PixelType::u16);
  const cv::Mat got = colours(drawn);
  const cv::Rect inner(3, 3, 350, 190);
  EXPECT_LT(rms(got(inner), whole(inner)), 3 * 257);
  cv::Mat low;
  cv::bitwise_and(got, cv::Scalar::all(255), low);
  EXPECT_GT(cv::countNonZero(low.reshape(1)), got.total());  // the lower bits hold something

  const auto file = std::filesystem::path(testing::TempDir()) / "octavo_mosaic.tif";
  write_mosaic(file, joined, inputs);
  const Image read = read_image(file);
  EXPECT_EQ(read.type(), PixelType::u16);
  EXPECT_EQ(cv::norm(imageio::to_mat(read.view()), imageio::to_mat(drawn.view()), cv::NORM_INF), 0);
  std::filesystem::remove(file);
}

TEST(Mosaic, EvensExposureOut) {
  const cv::Mat whole = scene(360, 200);
  cv::Mat dark = whole({0, 0, 220, 200}) * 0.7;
  const std::vector<MosaicInput> inputs{input("a", dark), part(whole, "b", {140, 0, 220, 200})};
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(joined.pictures[0].gain[c] / joined.pictures[1].gain[c], 0.7, 0.02);
  }
}

TEST(Mosaic, FindsATurningCamera) {
  const cv::Mat whole = scene(900, 420);
  const double focal = 330;
  const cv::Matx33d camera(focal, 0, 149.5, 0, focal, 119.5, 0, 0, 1), plane(focal, 0, 450, 0, focal, 210, 0, 0, 1);
  std::vector<MosaicInput> inputs;
  for (const double angle : {-0.5, -0.25, 0.0, 0.25, 0.5}) {
    const double c = std::cos(angle), s = std::sin(angle);
    const cv::Matx33d turn(c, 0, s, 0, 1, 0, -s, 0, c);
    cv::Mat view;
    cv::warpPerspective(whole, view, plane * turn * camera.inv(), {300, 240}, cv::INTER_CUBIC | cv::WARP_INVERSE_MAP,
                        cv::BORDER_REFLECT);
    inputs.push_back(input(std::to_string(angle), view));
  }
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_EQ(joined.model, MosaicModel::rotation) << joined.why;
  EXPECT_NEAR(joined.pictures[2].focal_length, focal, 0.03 * focal);
  EXPECT_EQ(joined.projection, MosaicProjection::cylinder);
  ASSERT_TRUE(plan(inputs, {.projection = MosaicProjection::plane}).found);
}

TEST(Mosaic, NamesPicturesThatItLeavesOut) {
  const cv::Mat first = scene(480, 200), second = scene(360, 200, 2), third = scene(200, 200, 3);
  const std::vector<MosaicInput> inputs{part(first, "a", {0, 0, 220, 200}),    part(first, "b", {130, 0, 220, 200}),
                                        part(first, "c", {260, 0, 220, 200}),  part(second, "d", {0, 0, 220, 200}),
                                        part(second, "e", {140, 0, 220, 200}), input("f", third),
                                        part(first, "again", {0, 0, 220, 200})};
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  const std::array wanted{MosaicFate::placed,          MosaicFate::placed,          MosaicFate::placed,
                          MosaicFate::second_panorama, MosaicFate::second_panorama, MosaicFate::no_overlap,
                          MosaicFate::identical};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_EQ(joined.pictures[i].fate, wanted[i]) << inputs[i].name << ": " << joined.pictures[i].reason;
    EXPECT_EQ(joined.pictures[i].reason.empty(), wanted[i] == MosaicFate::placed);
  }
  EXPECT_EQ(joined.pictures[6].reason, "it is the same picture as 'a'");
  EXPECT_EQ(joined.pictures[3].reason, "it belongs to another panorama, with 'e'");
}

TEST(Mosaic, SaysWhyThereIsNone) {
  const cv::Mat one = scene(200, 160), other = scene(200, 160, 2);
  const MosaicPlan apart = plan({input("a", one), input("b", other)});
  EXPECT_FALSE(apart.found);
  EXPECT_EQ(apart.reason, "no two pictures overlap");
  const MosaicPlan same = plan({input("a", one), input("b", one)});
  EXPECT_FALSE(same.found);
  EXPECT_EQ(same.reason, "the pictures are identical");
  EXPECT_THROW(draw_mosaic(same, std::vector{input("a", one), input("b", one)}), Error);
  EXPECT_THROW(plan({input("a", one)}), Error);
}

TEST(Mosaic, ChecksTheCanvasBeforeItTakesMemory) {
  const cv::Mat whole = scene(360, 200);
  const std::vector<MosaicInput> inputs{part(whole, "a", {0, 0, 220, 200}), part(whole, "b", {140, 0, 220, 200})};
  EXPECT_THROW(plan(inputs, {.max_canvas = 360 * 190}), Error);
  EXPECT_THROW(plan(inputs, {.projection = MosaicProjection::sphere}), Error);
  EXPECT_THROW(plan(inputs, {.bands = 9}), Error);
}

TEST(Mosaic, OptionsHaveARowEach) {
  const OptionTable<MosaicOptions>& table = option_table<MosaicOptions>();
  EXPECT_EQ(table.options.size(), 8U);
  EXPECT_EQ(word(MosaicModel::automatic), "auto");
  EXPECT_EQ(word(MosaicProjection::sphere), "sphere");
  EXPECT_EQ(word(MosaicPairState::inconsistent), "inconsistent");
}

TEST(Blender, KeepsAConstantPicture) {
  mosaic::Blender blender({128, 96}, 4);
  const cv::Mat picture(96, 128, CV_32FC3, cv::Scalar::all(0.4));
  cv::Mat left = cv::Mat::zeros(96, 128, CV_32F);
  left.colRange(0, 50).setTo(1);
  blender.add(picture, left);
  blender.add(picture, 1 - left);
  const cv::Mat blended = blender.blended();
  EXPECT_LT(cv::norm(blended, picture, cv::NORM_INF), 1e-5);
}

TEST(Frames, AdjustmentFindsASimilarity) {
  mosaic::Frames frames{
      MosaicModel::similarity, false, {cv::Matx33d::eye(), cv::Matx33d::eye()}, {0, 0}, {0}, {0}, {100, 100}};
  mosaic::PairPoints pair{0, 1, {}, {}};
  const cv::Matx33d truth(0.9, -0.2, 0.3, 0.2, 0.9, -0.1, 0, 0, 1);
  cv::RNG random(1);
  for (int i = 0; i < 30; ++i) {
    const cv::Point2d b(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
    const cv::Vec3d a = truth * cv::Vec3d(b.x, b.y, 1);
    pair.in_a.emplace_back(a[0], a[1]);
    pair.in_b.push_back(b);
  }
  mosaic::adjust(frames, {pair}, 0, 1.5);
  EXPECT_LT(cv::norm(frames.base[1] - truth), 1e-5);
  EXPECT_EQ(frames.base[0], cv::Matx33d::eye());
  EXPECT_EQ(mosaic::parameters(frames), 4);
}

}  // namespace
}  // namespace octavo
