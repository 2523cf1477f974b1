// Keypoints of tracks, in databases and in photographs that show the same at known places.

#include "multiview/sfm/tracks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "io/opencv/cv_mat.h"
#include "multiview/sfm/refine_tracks.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo::sfm {
namespace {

namespace fs = std::filesystem;

constexpr auto tables_of_tracks = R"(
CREATE TABLE cameras (camera_id INTEGER PRIMARY KEY, width INTEGER, height INTEGER);
CREATE TABLE images (image_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, camera_id INTEGER);
CREATE TABLE keypoints (image_id INTEGER PRIMARY KEY, rows INTEGER, cols INTEGER, data BLOB);
CREATE TABLE descriptors (image_id INTEGER PRIMARY KEY, data BLOB);
CREATE TABLE two_view_geometries (pair_id INTEGER PRIMARY KEY, rows INTEGER, data BLOB);
INSERT INTO cameras VALUES (1, 200, 160);
INSERT INTO descriptors VALUES (2, x'01');
)";

template <class Number>
std::span<const std::byte> bytes_of(const std::vector<Number>& numbers) {
  return std::as_bytes(std::span(numbers));
}

// Three photographs of one texture, each moved by some pixels, and their database.
struct Scene {
  TestFolder folder;
  fs::path file = folder / "photographs.db", copy = folder / "copy.db";
  std::array<cv::Point2f, 3> shift{{{0, 0}, {4.25f, -2.5f}, {-3.5f, 6.75f}}};
  // Places in the texture, and how far each photograph's keypoint is from where it shows them.
  std::vector<cv::Point2f> points{{60, 50}, {120, 90}, {80, 110}};
  std::array<cv::Point2f, 3> error{{{0.3f, -0.2f}, {-0.4f, 0.1f}, {0.2f, 0.5f}}};

  Scene() {
    cv::RNG random(5);
    cv::Mat texture(160, 200, CV_8U);
    random.fill(texture, cv::RNG::UNIFORM, 0, 255);
    cv::GaussianBlur(texture, texture, {}, 2);
    cv::normalize(texture, texture, 10, 240, cv::NORM_MINMAX);
    for (std::size_t i = 0; i < shift.size(); ++i) {
      const cv::Matx23f moved(1, 0, shift[i].x, 0, 1, shift[i].y);
      cv::Mat photograph;
      cv::warpAffine(texture, photograph, moved, texture.size(), cv::INTER_CUBIC, cv::BORDER_REPLICATE);
      write_image(folder / name(i), io::view_of(photograph));
    }
    sqlite::Database database(file, true, "database");
    database.run_script(tables_of_tracks);
    for (std::size_t i = 0; i < shift.size(); ++i) {
      std::vector<float> rows;
      for (const cv::Point2f& point : points) {
        // The first photograph has the largest scale, which is kept.
        const cv::Point2f at = point + shift[i] + error[i] + cv::Point2f(0.5f, 0.5f);
        rows.insert(rows.end(), {at.x, at.y, i == 0 ? 3.1f : 3.0f, 0.25f});
      }
      const auto number = static_cast<std::int64_t>(i + 1);
      database.run("INSERT INTO images VALUES (?1, ?2, 1)", number, name(i));
      database.run("INSERT INTO keypoints VALUES (?1, 3, 4, ?2)", number, bytes_of(rows));
    }
    // Keypoints 0 and 1 are in tracks; 2 is in none.
    add_matches(1, 2, {0, 0, 1, 1});
    add_matches(2, 3, {0, 0, 1, 1});
  }

  static std::string name(std::size_t i) { return "photograph " + std::to_string(i) + ".png"; }

  void add_matches(std::int64_t a, std::int64_t b, const std::vector<std::uint32_t>& matches) const {
    sqlite::Database database(file, false, "database");
    database.run("INSERT OR REPLACE INTO two_view_geometries VALUES (?1, ?2, ?3)", 2147483647 * a + b,
                 static_cast<std::int64_t>(matches.size() / 2), bytes_of(matches));
  }

  [[nodiscard]] std::vector<ImageKeypoints> keypoints(const fs::path& of) const {
    sqlite::Database database(of, false, "database");
    return read_keypoints(database, of);
  }

  // How far a keypoint of the copy is from where its photograph shows what the first one's shows.
  [[nodiscard]] double off(std::size_t image, std::size_t point) const {
    const Keypoint keypoint = keypoints(copy)[image].keypoints[point];
    const cv::Point2f there = points[point] + error[0] + shift[image];
    return std::hypot(keypoint.x - there.x, keypoint.y - there.y);
  }

  std::vector<std::string> refine() {
    std::vector<std::string> warnings;
    write_refined_copy(file, folder.path, copy,
                       {.warn = [&](const std::string& sentence) { warnings.push_back(sentence); }});
    return warnings;
  }
};

TEST(Tracks, AreOfKeypointsThatMatchesConnect) {
  const Scene scene;
  sqlite::Database database(scene.file, false, "database");
  const std::vector<ImageKeypoints> images = read_keypoints(database, scene.file);
  const std::vector<Track> tracks = read_tracks(database, images, scene.file);
  ASSERT_EQ(tracks.size(), 2U);
  for (std::size_t k = 0; k < tracks.size(); ++k) {
    ASSERT_EQ(tracks[k].size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(tracks[k][i].image, i);
      EXPECT_EQ(tracks[k][i].keypoint, k);
    }
  }
}

TEST(Tracks, RefuseKeypointsThatAreNotWhole) {
  for (const char* const damage : {"cols = 3", "cols = 0", "cols = -2", "rows = 2", "rows = 4611686018427387907",
                                   "rows = -1", "data = x'00'", "data = NULL"}) {
    const Scene scene;
    sqlite::Database database(scene.file, false, "database");
    database.run(std::string("UPDATE keypoints SET ") + damage + " WHERE image_id = 2");
    EXPECT_THROW(read_keypoints(database, scene.file), Error) << damage;
  }
}

TEST(Tracks, RefuseMatchesOfNoKeypoint) {
  for (const auto& [a, b, k] : {std::array<std::int64_t, 3>{1, 2, 3}, {1, 9, 0}}) {
    const Scene scene;
    scene.add_matches(a, b, {0, static_cast<std::uint32_t>(k)});
    sqlite::Database database(scene.file, false, "database");
    try {
      read_tracks(database, read_keypoints(database, scene.file), scene.file);
      FAIL() << "it was taken";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(scene.file.string()), std::string::npos) << error.what();
    }
  }
}

TEST(RefinedCopy, HasTheKeypointsOfATrackAtOnePlace) {
  Scene scene;
  const std::vector<ImageKeypoints> before = scene.keypoints(scene.file);
  EXPECT_TRUE(scene.refine().empty());
  for (const std::size_t point : {0U, 1U}) {
    for (const std::size_t image : {1U, 2U}) EXPECT_LT(scene.off(image, point), 0.05);
  }
  const std::vector<ImageKeypoints> after = scene.keypoints(scene.copy);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i].keypoints[2], before[i].keypoints[2]) << "it is in no track";
    EXPECT_EQ(scene.keypoints(scene.file)[i].keypoints, before[i].keypoints) << "the database stays";
  }
  EXPECT_EQ(after[0].keypoints, before[0].keypoints) << "the largest scale is kept";
  EXPECT_EQ(sqlite::Database(scene.copy, false, "database").number("SELECT count(*) FROM descriptors"), 0);
}

TEST(RefinedCopy, LeavesKeypointsWithoutFrameAndOtherColumns) {
  Scene scene;
  const std::vector<float> points{60, 50, 120, 90, 80, 110};
  std::vector<float> ellipses;
  for (const cv::Point2f& point : scene.points) {
    const cv::Point2f at = point + scene.shift[1] + scene.error[1] + cv::Point2f(0.5f, 0.5f);
    ellipses.insert(ellipses.end(), {at.x, at.y, 2.8f, -0.6f, 0.7f, 2.9f});
  }
  sqlite::Database database(scene.file, false, "database");
  database.run("UPDATE keypoints SET cols = 2, data = ?1 WHERE image_id = 3", bytes_of(points));
  database.run("UPDATE keypoints SET cols = 6, data = ?1 WHERE image_id = 2", bytes_of(ellipses));
  scene.refine();
  sqlite::Database copy(scene.copy, false, "database");
  auto row = copy.query("SELECT data FROM keypoints WHERE image_id = 3");
  ASSERT_TRUE(row.step());
  EXPECT_TRUE(std::ranges::equal(row.blob(0), bytes_of(points)));
  EXPECT_LT(scene.off(1, 0), 0.05);
  const Keypoint moved = scene.keypoints(scene.copy)[1].keypoints[0];
  EXPECT_EQ((std::array{moved.a11, moved.a12, moved.a21, moved.a22}), (std::array{2.8f, -0.6f, 0.7f, 2.9f}));
}

TEST(RefinedCopy, TellsPhotographsThatItCannotUse) {
  Scene scene;
  fs::remove(scene.folder / Scene::name(1));
  write_image(scene.folder / Scene::name(2), Image(50, 40, 1, PixelType::u8).view());
  const std::vector<ImageKeypoints> before = scene.keypoints(scene.file);
  const std::vector<std::string> warnings = scene.refine();
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings[0].find(Scene::name(1)), std::string::npos);
  EXPECT_NE(warnings[1].find("is 50 × 40 pixels, but 200 × 160 in the database"), std::string::npos);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(scene.keypoints(scene.copy)[i].keypoints, before[i].keypoints);
}

TEST(RefinedCopy, EndsWhenItIsAsked) {
  const Scene scene;
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(write_refined_copy(scene.file, scene.folder.path, scene.copy, {.stop = stop.get_token()}), Error);
}

}  // namespace
}  // namespace octavo::sfm
