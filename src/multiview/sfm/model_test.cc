// Models of 3 images and 12 points that pycolmap 4.2 made (synthesize_dataset, keypoints moved by noise of 0.5
// pixels) and wrote in both forms (Reconstruction.write_binary, write_text). The pixels of cameras are those of
// pycolmap.Camera.img_from_cam.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "multiview/sfm/model_numbers.h"
#include "octavo/error.h"
#include "octavo/multiview/sfm.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

const fs::path models = OCTAVO_SFM_MODELS;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

// A copy of a model that a test may damage.
class DamagedModel : public testing::Test {
 protected:
  void copy(const char* form) {
    fs::remove_all(folder_);
    fs::copy(models / form, folder_);
  }
  std::string error() {
    try {
      read_sfm_model(folder_);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::file_error);
      return error.what();
    }
  }
  void expect_error(const std::string& file, const std::string& why) {
    const std::string found = error();
    EXPECT_NE(found.find((folder_ / file).string()), std::string::npos) << found;
    EXPECT_NE(found.find(why), std::string::npos) << found;
  }

  const TestFolder place_;
  const fs::path folder_ = place_ / "model";
};

TEST(SfmModel, IsTheSameInBothForms) {
  const SfmModel binary = read_sfm_model(models / "binary"), text = read_sfm_model(models / "text");
  ASSERT_EQ(binary.cameras.size(), 1U);
  EXPECT_EQ(binary.cameras.at(1).model, "SIMPLE_RADIAL");
  EXPECT_EQ(binary.cameras.at(1).parameters, (std::vector<double>{1280, 512, 384, 0.05}));
  EXPECT_EQ(binary.cameras.at(1).parameters, text.cameras.at(1).parameters);
  ASSERT_EQ(binary.images.size(), 3U);
  ASSERT_EQ(binary.points.size(), 12U);
  for (const auto& [id, image] : binary.images) {
    const SfmImage& other = text.images.at(id);
    EXPECT_EQ(image.name, other.name);
    ASSERT_EQ(image.observations.size(), other.observations.size());
    for (std::size_t i = 0; i < image.observations.size(); ++i) {
      EXPECT_DOUBLE_EQ(image.observations[i].x, other.observations[i].x);
      EXPECT_EQ(image.observations[i].point, other.observations[i].point);
    }
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(camera_centre(image).at(k), camera_centre(other).at(k), 1e-12);
  }
  for (const auto& [id, point] : binary.points) {
    EXPECT_EQ(point.track, text.points.at(id).track);
    EXPECT_EQ(point.colour, text.points.at(id).colour);
  }
}

TEST(SfmModel, HasTheNumbersOfPycolmap) {
  std::vector<SfmModelResult> results(1);
  results[0].model = read_sfm_model(models / "binary");
  std::vector<SfmImageResult> images(4);
  for (int i = 0; i < 3; ++i) images[i].name = "camera000001_frame00000" + std::to_string(i) + ".png";
  images[3].name = "other.png";
  sfm::measure_models(results, images);
  EXPECT_EQ(results[0].observations, 36U);
  EXPECT_DOUBLE_EQ(results[0].mean_track, 3);
  EXPECT_NEAR(results[0].mean_error, 0.70895543843474, 1e-9);
  EXPECT_EQ(results[0].track_lengths.at(3), 12U);
  EXPECT_EQ(images[0].points, 12U);
  EXPECT_EQ(images[0].model, 0U);
  EXPECT_FALSE(images[3].model);
  for (const auto& [id, image] : results[0].model.images) {
    if (image.name != images[0].name) continue;
    EXPECT_NEAR(camera_centre(image)[0], 2.56537499, 1e-8);
    EXPECT_NEAR(camera_centre(image)[2], -4.21801703, 1e-8);
  }
  images.erase(images.begin());
  EXPECT_THROW(sfm::measure_models(results, images), Error);
}

TEST(SfmModel, ProjectsAsPycolmap) {
  struct Known {
    const char* model;
    std::vector<double> parameters;
    double x, y;
  };
  const std::vector<Known> cameras{
      {"SIMPLE_PINHOLE", {500, 320, 240}, 470.000000000, 140.000000000},
      {"PINHOLE", {500, 510, 320, 240}, 470.000000000, 138.000000000},
      {"SIMPLE_RADIAL", {500, 320, 240, 0.1}, 471.950000000, 138.700000000},
      {"RADIAL", {500, 320, 240, 0.1, -0.02}, 471.899300000, 138.733800000},
      {"OPENCV", {500, 510, 320, 240, 0.1, -0.02, 0.003, -0.004}, 471.099300000, 137.274576000},
      {"OPENCV_FISHEYE", {500, 510, 320, 240, 0.1, -0.02, 0.01, -0.005}, 465.649211050, 140.958536486},
      {"FULL_OPENCV",
       {500, 510, 320, 240, 0.1, -0.02, 0.003, -0.004, 0.01, 0.05, 0.02, -0.01},
       470.074232207,
       137.971622099},
      {"FOV", {500, 510, 320, 240, 0.9}, 474.942377154, 134.639183535},
      {"SIMPLE_RADIAL_FISHEYE", {500, 320, 240, 0.1}, 465.688175043, 142.874549971},
      {"RADIAL_FISHEYE", {500, 320, 240, 0.1, -0.02}, 465.646886973, 142.902075352},
      {"THIN_PRISM_FISHEYE",
       {500, 510, 320, 240, 0.1, -0.02, 0.003, -0.004, 0.01, 0.005, 0.002, -0.001},
       465.032341844,
       141.418722028},
  };
  for (const Known& known : cameras) {
    EXPECT_EQ(camera_parameters(known.model), known.parameters.size()) << known.model;
    const SfmCamera camera{.model = known.model, .width = 640, .height = 480, .parameters = known.parameters};
    const auto pixel = project(camera, {0.6, -0.4, 2.0});
    ASSERT_TRUE(pixel) << known.model;
    EXPECT_NEAR((*pixel)[0], known.x, 1e-8) << known.model;
    EXPECT_NEAR((*pixel)[1], known.y, 1e-8) << known.model;
    EXPECT_FALSE(project(camera, {0, 0, -1})) << known.model;
  }
  EXPECT_FALSE(camera_parameters("PERISCOPE"));
}

TEST_F(DamagedModel, IsAnErrorThatNamesTheFile) {
  copy("binary");
  // Every cut of a file is noticed.
  for (const char* file : {"cameras.bin", "images.bin", "points3D.bin"}) {
    copy("binary");
    const std::string whole = bytes_of(folder_ / file);
    for (std::size_t length = 0; length < whole.size(); length += 13) {
      write(folder_ / file, whole.substr(0, length));
      expect_error(file, "");
    }
    write(folder_ / file, whole + "more");
    expect_error(file, "behind its last entry");
    write(folder_ / file, std::string(8, '\xff') + whole.substr(8));
    expect_error(file, "longer than the file");
    fs::remove(folder_ / file);
    EXPECT_NE(error(), "");
  }
  copy("binary");
  std::string cameras = bytes_of(folder_ / "cameras.bin");
  cameras[12] = 99;
  write(folder_ / "cameras.bin", cameras);
  expect_error("cameras.bin", "unknown camera model 99");
  cameras[12] = 2;
  cameras[8] = 7;  // its id
  write(folder_ / "cameras.bin", cameras);
  expect_error("images.bin", "has camera 1, which is missing");
  copy("binary");
  fs::remove(folder_ / "points3D.bin");
  expect_error("points3D.bin", "cannot be read");
}

TEST_F(DamagedModel, IsAnErrorThatNamesTheLine) {
  copy("text");
  write(folder_ / "cameras.txt", "# note\n1 SIMPLE_RADIAL 1024 768 1280 512 384\n");
  expect_error("cameras.txt", "line 2: 3 parameters, but SIMPLE_RADIAL has 4");
  write(folder_ / "cameras.txt", "1 SIMPLE_RADIAL 1024 seven 1280 512 384 0\n");
  expect_error("cameras.txt", "line 1: 'seven' is no number");
  copy("text");
  write(folder_ / "images.txt", "1 1 0 0 0 0 0 0 1 a.png\n");
  expect_error("images.txt", "cut off");
  write(folder_ / "images.txt", "1 9 0 0 0 0 0 0 1 a.png\n\n");
  expect_error("images.txt", "no valid pose");
  write(folder_ / "images.txt", "1 1 0 0 0 0 0 0 1 a b.png\n5 5 999999\n");
  expect_error("images.txt", "'a b.png' shows point 999999");
  fs::remove_all(folder_);
  EXPECT_NE(error().find("there is no model in"), std::string::npos);
}

}  // namespace
}  // namespace octavo
