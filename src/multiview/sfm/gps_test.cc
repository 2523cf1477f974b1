// Similarities from places with outliers, places of databases, and models that are moved.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "io/json/json.h"
#include "io/sqlite/sqlite.h"
#include "multiview/sfm/georeference.h"
#include "multiview/sfm/similarity.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
using sfm::Place3;

const Similarity3 similarity{.scale = 4, .rotation = {0.5, 0.5, -0.5, 0.5}, .translation = {10, -20, 30}};

// Places on a helix.
std::vector<Place3> helix(int count) {
  std::vector<Place3> places;
  for (int i = 0; i < count; ++i) places.push_back({std::cos(0.7 * i), std::sin(0.7 * i), 0.1 * i});
  return places;
}

std::vector<Place3> all_moved(const std::vector<Place3>& places, const Similarity3& by) {
  std::vector<Place3> result;
  for (const Place3& place : places) result.push_back(sfm::moved(by, place));
  return result;
}

TEST(FitSimilarity, IsExactForExactPlaces) {
  for (const int count : {3, 5, 40}) {
    const std::vector<Place3> a = helix(count);
    const auto fitted = sfm::fit_similarity(a, all_moved(a, similarity), 0.01);
    ASSERT_TRUE(fitted);
    EXPECT_EQ(fitted->is_used, std::vector<bool>(a.size(), true));
    EXPECT_NEAR(fitted->b_from_a.scale, 4, 1e-9);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(fitted->b_from_a.rotation.at(k), similarity.rotation.at(k), 1e-9);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(fitted->b_from_a.translation.at(k), similarity.translation.at(k), 1e-8);
  }
}

TEST(FitSimilarity, LeavesOutliersOut) {
  const std::vector<Place3> a = helix(30);
  std::vector<Place3> b = all_moved(a, similarity);
  std::vector<bool> expected(30, true);
  for (std::size_t i = 0; i < 30; ++i) b[i][i % 3] += 0.05 * std::sin(static_cast<double>(7 * i));
  for (std::size_t i = 0; i < 12; ++i) {
    b[2 * i] = {100.0 * static_cast<double>(i), 5, -40};
    expected[2 * i] = false;
  }
  const auto fitted = sfm::fit_similarity(a, b, 0.01);
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->is_used, expected);
  EXPECT_NEAR(fitted->b_from_a.scale, 4, 0.05);
}

TEST(FitSimilarity, NeedsPlacesThatDiffer) {
  const std::vector<Place3> one(5, Place3{1, 2, 3});
  EXPECT_FALSE(sfm::fit_similarity(one, helix(5), 0.01));
}

TEST(GpsPlaces, AreMetresFromTheOrigin) {
  const GpsPlace origin{47, 11, 600};
  const auto expect = [&](const GpsPlace& place, const Place3& metres, double tolerance) {
    const Place3 found = sfm::east_north_up(origin, place);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found.at(k), metres.at(k), tolerance) << k;
  };
  expect({47, 11, 725}, {0, 0, 125}, 1e-6);
  // A degree of the meridian is 111 183 m at 47.0005°, one of the parallel 76 061 m; 600 m higher up they are longer.
  expect({47.001, 11, 600}, {0, 111.19, 0}, 0.02);
  expect({47, 11.001, 600}, {76.07, 0, 0}, 0.02);
}

struct Database {
  Database() : file(folder / "d.db"), open(file, true, "database") {}
  TestFolder folder;
  fs::path file;
  sqlite::Database open;
};

TEST(GpsPlaces, AreThoseOfImagesWithAnAltitude) {
  Database database;
  database.open.run_script(
      "CREATE TABLE images (image_id INTEGER, name TEXT, prior_tx REAL, prior_ty REAL, prior_tz REAL);"
      "INSERT INTO images VALUES (1, 'a', 47.123456, 11, 600), (2, 'b', 47.2, 11, NULL), (3, 'c', 0, 0, 0),"
      "(4, 'd', 95, 11, 600), (5, 'e', 47.1, 11.2, 700.4)");
  try {
    sfm::read_gps_places(database.file);
    FAIL() << "two places";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("tell those of 2"), std::string::npos) << error.what();
  }
  database.open.run_script("INSERT INTO images VALUES (6, 'f', 47.3, 11.3, 800)");
  const sfm::GpsPlaces places = sfm::read_gps_places(database.file);
  ASSERT_EQ(places.size(), 3U);
  EXPECT_EQ(places.at("e"), (GpsPlace{47.1, 11.2, 700.4}));
  EXPECT_EQ(sfm::middle_of(places), (GpsPlace{47.12346, 11.2, 700}));
}

TEST(GpsPlaces, AreTheirPriorsInLaterVersions) {
  for (const bool has_sensors : {false, true}) {
    Database database;
    database.open.run_script("CREATE TABLE images (image_id INTEGER, name TEXT)");
    database.open.run_script(
        has_sensors ? "CREATE TABLE pose_priors (pose_prior_id INTEGER, corr_data_id INTEGER, "
                      "corr_sensor_type INTEGER, position BLOB, coordinate_system INTEGER)"
                    : "CREATE TABLE pose_priors (image_id INTEGER, position BLOB, coordinate_system INTEGER)");
    for (int i = 1; i < 6; ++i) {
      const std::vector<double> position{40.0 + i, 5, 100};
      const bool is_cartesian = i == 5;
      database.open.run("INSERT INTO images VALUES (?1, 'i' || ?1)", std::int64_t{i});
      database.open.run(has_sensors ? "INSERT INTO pose_priors VALUES (100 + ?1, ?1, 0, ?2, ?3)"
                                    : "INSERT INTO pose_priors VALUES (?1, ?2, ?3)",
                        std::int64_t{i}, std::as_bytes(std::span(position)), std::int64_t{is_cartesian});
    }
    const sfm::GpsPlaces places = sfm::read_gps_places(database.file);
    ASSERT_EQ(places.size(), 4U);
    EXPECT_EQ(places.at("i3"), (GpsPlace{43, 5, 100}));
  }
}

const fs::path binary_model = fs::path(OCTAVO_SFM_MODELS) / "binary";

TEST(MovedModel, ShowsTheSamePixels) {
  const TestFolder folder;
  fs::copy(binary_model, folder.path, fs::copy_options::recursive);
  sfm::move_model(folder.path, similarity);
  const SfmModel before = read_sfm_model(binary_model), after = read_sfm_model(folder.path);
  for (const auto& [id, point] : before.points) {
    const Place3 expected = sfm::moved(similarity, point.place);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(after.points.at(id).place.at(k), expected.at(k), 1e-9);
    EXPECT_EQ(after.points.at(id).track, point.track);
    for (const auto& [number, image] : before.images) {
      const auto one = project(before.cameras.at(1), in_camera(image, point.place));
      const auto other = project(after.cameras.at(1), in_camera(after.images.at(number), expected));
      ASSERT_TRUE(one && other);
      EXPECT_NEAR((*one)[0], (*other)[0], 1e-6);
      EXPECT_NEAR((*one)[1], (*other)[1], 1e-6);
    }
  }
  fs::resize_file(folder / "points3D.bin", 100);
  EXPECT_THROW(sfm::move_model(folder.path, similarity), Error);
  fs::remove(folder / "images.bin");
  EXPECT_THROW(sfm::move_model(folder.path, similarity), Error);
}

// Files of COLMAP 4, as pycolmap 4.2 writes them: a rig with two sensors, of which the second has a pose in it, and a
// frame.
TEST(MovedModel, HasItsRigsAndFramesMoved) {
  const TestFolder folder;
  fs::copy(binary_model, folder.path, fs::copy_options::recursive);
  std::string rigs(8, '\0'), frames(8, '\0');
  rigs[0] = frames[0] = 1;
  const auto put = [](std::string& bytes, const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  for (const std::uint32_t value : {1, 2, 0, 1, 0, 2}) put(rigs, value);
  put(rigs, std::uint8_t{1});
  for (const std::uint32_t value : {5, 1}) put(frames, value);
  for (std::string* const bytes : {&rigs, &frames}) {
    for (const double value : {1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0}) put(*bytes, value);
  }
  for (const std::uint32_t value : {1, 0, 1, 7, 0}) put(frames, value);
  folder.write("rigs.bin", rigs);
  folder.write("frames.bin", frames);
  sfm::move_model(folder.path, {.scale = 10, .rotation = {1, 0, 0, 0}, .translation = {100, 0, 0}});
  const auto numbers_at = [&](const char* name, std::size_t at) {
    std::ifstream in(folder / name, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    std::array<double, 7> numbers{};
    std::memcpy(numbers.data(), bytes.data() + at, sizeof numbers);
    return numbers;
  };
  EXPECT_EQ(numbers_at("rigs.bin", 33), (std::array<double, 7>{1, 0, 0, 0, 10, 20, 30}));
  EXPECT_EQ(numbers_at("frames.bin", 16), (std::array<double, 7>{1, 0, 0, 0, -90, 20, 30}));
}

// A model with the centres of its cameras at places that are given by metres.
class GeoreferencedModel : public testing::Test {
 protected:
  // A model of images i0, i1, ... at `centres`.
  void make(const std::vector<Place3>& centres) {
    std::string images(8, '\0'), cameras(8, '\0'), points(8, '\0');
    const auto put = [](std::string& bytes, const auto& value) {
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    images[0] = static_cast<char>(centres.size());
    cameras[0] = 1;
    for (const std::uint32_t value : {1, 0}) put(cameras, value);
    for (const std::uint64_t value : {640, 480}) put(cameras, value);
    for (const double value : {500.0, 320.0, 240.0}) put(cameras, value);
    for (std::uint32_t i = 0; i < centres.size(); ++i) {
      put(images, i + 1);
      const auto& [x, y, z] = centres[i];
      for (const double value : {1.0, 0.0, 0.0, 0.0, -x, -y, -z}) put(images, value);
      put(images, std::uint32_t{1});
      images += "i" + std::to_string(i) + '\0';
      put(images, std::uint64_t{0});
    }
    folder_.write("images.bin", images);
    folder_.write("cameras.bin", cameras);
    folder_.write("points3D.bin", points);
    result_ = {.folder = folder_.path, .model = read_sfm_model(folder_.path), .error_bins = {}, .track_lengths = {}};
    places_.clear();
  }
  // Places the images, at metres east, north and up of the origin; so near to it the Earth is flat.
  void place(const std::vector<Place3>& metres) {
    for (std::size_t i = 0; i < metres.size(); ++i) {
      const auto& [east, north, up] = metres[i];
      places_["i" + std::to_string(i)] = {47 + north / 111190.0, 11 + east / 76070.0, 600 + up};
    }
  }
  const SfmGps& gps() {
    sfm::georeference(result_, places_, {47, 11, 600});
    return *result_.gps;
  }

  const TestFolder folder_;
  sfm::GpsPlaces places_;
  SfmModelResult result_;
};

TEST_F(GeoreferencedModel, IsInMetres) {
  make(helix(8));
  place(all_moved(helix(8), similarity));
  const SfmGps& found = gps();
  ASSERT_TRUE(found.metres_from_mapper);
  EXPECT_NEAR(found.metres_from_mapper->scale, 4, 0.01);
  EXPECT_LT(found.rms, 0.05);
  EXPECT_EQ(found.used, 8U);
  EXPECT_EQ(found.doubts, std::vector<std::string>());
  EXPECT_EQ(sfm::warnings_of(result_), std::vector<std::string>());
  const Place3 expected = sfm::moved(similarity, helix(1)[0]);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(camera_centre(result_.model.images.at(1)).at(k), expected.at(k), 0.05);
  std::ifstream file(folder_ / "gps.json");
  EXPECT_EQ(parse_json(std::string(std::istreambuf_iterator<char>(file), {}))["origin"]["altitude"], 600);
}

TEST_F(GeoreferencedModel, NamesOutliers) {
  make(helix(8));
  std::vector<Place3> metres = all_moved(helix(8), similarity);
  metres[3][1] += 90;
  place(metres);
  EXPECT_EQ(gps().used, 7U);
  EXPECT_FALSE(result_.gps->places[3].is_used);
  EXPECT_NEAR(result_.gps->places[3].residual[1], -90, 0.1);
  const std::vector<std::string> warnings = sfm::warnings_of(result_);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("are not used: 'i3' by 90."), std::string::npos) << warnings[0];
}

TEST_F(GeoreferencedModel, IsDoubtedWhereCamerasStandOnALine) {
  std::vector<Place3> line, metres;
  for (int i = 0; i < 12; ++i) {
    line.push_back({0.5 * i, 0, 0});
    metres.push_back({10.0 * i, 2 * std::sin(5.0 * i), 2 * std::cos(9.0 * i)});  // its noise is on no line
  }
  make(line);
  place(metres);
  const SfmGps& found = gps();
  ASSERT_EQ(found.doubts.size(), 1U);
  EXPECT_NE(found.doubts[0].find("nearly on a line"), std::string::npos);
  EXPECT_NEAR(found.metres_from_mapper->scale, 20, 0.5);
}

TEST_F(GeoreferencedModel, IsDoubtedWherePlacesAreNotExactEnough) {
  make(helix(8));
  std::vector<Place3> metres = helix(8);
  for (std::size_t i = 0; i < 8; ++i) metres[i][i % 3] += i % 2 == 0 ? 2 : -2;
  place(metres);
  const SfmGps& found = gps();
  ASSERT_FALSE(found.doubts.empty());
  EXPECT_NE(found.doubts[0].find("scale and directions may be wrong"), std::string::npos) << found.doubts[0];
}

TEST_F(GeoreferencedModel, StaysWhereItWasWithTwoPlaces) {
  make(helix(8));
  place({{0, 0, 0}, {10, 0, 0}});
  const SfmGps& found = gps();
  EXPECT_FALSE(found.metres_from_mapper);
  ASSERT_EQ(found.doubts.size(), 1U);
  EXPECT_NE(found.doubts[0].find("2 of its images have a place, and 3 are needed"), std::string::npos);
  EXPECT_EQ(camera_centre(read_sfm_model(folder_.path).images.at(2)), helix(2)[1]);
  EXPECT_FALSE(fs::exists(folder_ / "gps.json"));
}

}  // namespace
}  // namespace octavo
