// Models in the files of other programs. That other programs read them is tested with the command.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "engine/core/test_folder.h"
#include "io/json/json.h"
#include "multiview/exports/bundler.h"
#include "multiview/exports/find_model.h"
#include "multiview/exports/ply.h"
#include "multiview/exports/transforms.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

const fs::path binary_files = fs::path(OCTAVO_SFM_MODELS) / "binary";

SfmModel model_with(const std::string& camera, const std::vector<double>& parameters) {
  SfmModel model = read_sfm_model(binary_files);
  for (auto& [id, one] : model.cameras) one.model = camera, one.parameters = parameters;
  return model;
}

TEST(FindModel, LooksWhereProgramsLeaveModels) {
  const TestFolder place;
  EXPECT_THROW(exports::find_model(place.path), Error);
  EXPECT_EQ(exports::find_model(binary_files), binary_files);
  fs::create_directories(place / "sparse");
  EXPECT_THROW(exports::find_model(place.path), Error);
  fs::copy(binary_files, place / "sparse" / "7", fs::copy_options::recursive);
  EXPECT_EQ(exports::find_model(place.path), place / "sparse" / "7");
  EXPECT_EQ(exports::find_model(place / "sparse"), place / "sparse" / "7");
  fs::copy(binary_files, place / "sparse", fs::copy_options::recursive);
  EXPECT_EQ(exports::find_model(place.path), place / "sparse");
}

TEST(Ply, HasPointsAndPyramids) {
  const SfmModel model = read_sfm_model(binary_files);
  const std::string points = exports::ply_of_points(model), cameras = exports::ply_of_cameras(model);
  const std::string end = "end_header\n";
  const std::size_t at = points.find(end) + end.size();
  EXPECT_NE(points.find("element vertex 12\n"), std::string::npos);
  ASSERT_EQ(points.size() - at, 12 * 15U);
  float x = 0;
  std::memcpy(&x, points.data() + at, sizeof x);
  EXPECT_EQ(x, static_cast<float>(model.points.begin()->second.place[0]));
  EXPECT_NE(cameras.find("element vertex 15\n"), std::string::npos);
  EXPECT_EQ(cameras.size() - cameras.find(end) - end.size(), 15 * 15U + 18 * 13U);
  EXPECT_EQ(exports::ply_of_points({}).find("element face"), std::string::npos);
}

TEST(Transforms, HaveTheCameraOnceOrOfEachImage) {
  const auto path_of = [](const SfmImage& image) { return "images/" + image.name; };
  SfmModel model = model_with("RADIAL", {500, 320, 240, 0.1, -0.02});
  Json json = parse_json(exports::transforms_of(model, path_of, "points.ply"));
  EXPECT_EQ(json["camera_model"], "OPENCV");
  EXPECT_EQ(json["fl_y"], 500);
  EXPECT_EQ(json["k2"], -0.02);
  EXPECT_EQ(json["ply_file_path"], "points.ply");
  EXPECT_EQ(json["frames"].size(), 3U);
  EXPECT_FALSE(json["frames"][0].contains("fl_x"));
  model.cameras[9] = model.cameras.begin()->second;
  model.images.begin()->second.camera = 9;
  json = parse_json(exports::transforms_of(model, path_of, ""));
  EXPECT_FALSE(json.contains("fl_x") || json.contains("ply_file_path"));
  EXPECT_EQ(json["frames"][0]["k1"], 0.1);
  model.cameras[9] = {.model = "OPENCV_FISHEYE", .parameters = {500, 500, 320, 240, 0, 0, 0, 0}};
  EXPECT_THROW(exports::require_transforms(model), Error);
  model.images.begin()->second.camera = model.images.rbegin()->second.camera;
  EXPECT_NO_THROW(exports::require_transforms(model)) << "no image has the fisheye";
  EXPECT_THROW(exports::require_transforms(model_with("FOV", {500, 500, 320, 240, 0.9})), Error);
}

TEST(Bundler, HoldsSomeCameras) {
  EXPECT_EQ(exports::foreign_to_bundler(model_with("RADIAL", {500, 512, 384, 0.1, 0})), "");
  EXPECT_EQ(exports::foreign_to_bundler(model_with("OPENCV", {500, 500, 512, 384, 0, 0, 0, 0})), "OPENCV");
  EXPECT_EQ(exports::bundler_error(model_with("PINHOLE", {500, 500, 512, 384})), 0);
  EXPECT_NEAR(exports::bundler_error(model_with("PINHOLE", {500, 505, 515, 388})), 5 + 640 * 5 / 1005.0, 1e-9);
  SfmModel model = read_sfm_model(binary_files);
  EXPECT_NO_THROW(exports::require_bundler_names(model));
  model.images.begin()->second.name = "a b.png";
  EXPECT_THROW(exports::require_bundler_names(model), Error);
}

}  // namespace
}  // namespace octavo
