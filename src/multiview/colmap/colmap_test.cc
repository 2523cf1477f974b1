// The database by SQLite: its rows, and the same bytes in one run and in many.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <thread>

#include "engine/core/test_folder.h"
#include "io/files/content_digest.h"
#include "io/sqlite/sqlite.h"
#include "multiview/colmap/colmap_database.h"
#include "multiview/colmap/file_replacement.h"
#include "multiview/colmap/working_database.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/multiview/colmap_job.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

class ColmapTest : public testing::Test {
 protected:
  [[nodiscard]] fs::path file(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::string bytes(const std::string& name) const {
    std::ifstream in(file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // The bytes without SQLite's counts of changes, which tell how often the content was replaced.
  [[nodiscard]] std::string content(const std::string& name) const {
    std::string all = bytes(name);
    for (const std::size_t at : {24, 40, 92}) all.replace(at, 4, 4, '\0');
    return all;
  }

  const TestFolder folder_;
};

Features made_features(std::size_t count, std::uint32_t seed, bool ellipses = false) {
  std::mt19937 random(seed);
  Features features;
  for (std::size_t i = 0; i < count; ++i) {
    Keypoint k{.x = static_cast<float>(i), .y = 2, .scale = 3, .orientation = 1};
    if (ellipses) k.a11 = 1, k.a12 = 2, k.a21 = -3, k.a22 = 4;
    features.keypoints.push_back(k);
    for (std::size_t j = 0; j < descriptor_length; ++j) {
      features.descriptors.push_back(static_cast<std::uint8_t>(random() % 256));
    }
  }
  return features;
}

ColmapImage made_image(const std::string& name, const std::string& key = "") {
  return {.name = name, .camera = initial_camera(ColmapModel::simple_radial, {640, 480}, {}), .camera_key = key};
}

template <class Number>
std::vector<Number> numbers(std::span<const std::byte> blob) {
  std::vector<Number> all(blob.size() / sizeof(Number));
  if (!all.empty()) std::memcpy(all.data(), blob.data(), blob.size());
  return all;
}

TEST(ColmapCamera, StartsAsColmapStarts) {
  using Numbers = std::vector<double>;
  const ColmapCamera guessed = initial_camera(ColmapModel::simple_radial, {640, 480}, {});
  EXPECT_EQ(guessed.params, (Numbers{768, 320, 240, 0}));
  EXPECT_FALSE(guessed.prior_focal_length);
  const ColmapCamera known = initial_camera(ColmapModel::opencv, {480, 641}, 500);
  EXPECT_EQ(known.params, (Numbers{500, 500, 240, 320.5, 0, 0, 0, 0}));
  EXPECT_TRUE(known.prior_focal_length);
  EXPECT_EQ(initial_camera(ColmapModel::fov, {2, 2}, 5).params.back(), 0.01);
  for (int model = 0; model <= 10; ++model) {
    const auto kind = static_cast<ColmapModel>(model);
    EXPECT_EQ(initial_camera(kind, {2, 2}, {}).params.size(), parameter_count(kind)) << model;
  }
}

TEST_F(ColmapTest, RowsAreColmaps) {
  const Features circles = made_features(3, 1), ellipses = made_features(2, 2, true);
  {
    ColmapDatabase database(file("a.db"), "x");
    EXPECT_EQ(database.add(made_image("one.png", "k"), circles), 1);
    EXPECT_EQ(database.add(made_image("two.png", "k"), ellipses), 2);
    EXPECT_EQ(database.add(made_image("three.png"), {}), 3);
    RobustModel model{.found = true, .reason = {}, .b_from_a = {1, 2, 3, 4, 5, 6, 7, 8, 9}, .inliers = {0, 1}};
    const std::vector<Match> matches{{0, 1, 5}, {2, 0, 5}};
    database.add_matches(2, 1, matches, &model, matches);
    database.add_matches(1, 3, {});
    EXPECT_TRUE(database.has_matches(1, 2) && database.has_matches(3, 1) && database.has_geometry(1, 2));
    EXPECT_FALSE(database.has_geometry(1, 3));
    EXPECT_EQ(database.features(1).descriptors, circles.descriptors);
    EXPECT_EQ(database.features(1).keypoints[2].x, 2);
    EXPECT_EQ(database.features(2).keypoints[0].a21, -3);
    EXPECT_FLOAT_EQ(database.features(2).keypoints[0].scale, std::sqrt(10.0f));
    EXPECT_FLOAT_EQ(database.features(2).keypoints[0].orientation, std::atan2(-3.0f, 1.0f) + 2 * std::acos(-1.0f));
    EXPECT_EQ(database.features(3).size(), 0u);
    EXPECT_FALSE(fs::exists(file("a.db")));
    database.finish();
  }
  EXPECT_EQ(folder_.entries(), 1u);  // nothing but the database
  EXPECT_EQ(bytes("a.db")[18], 1);   // no write-ahead log
  sqlite::Database database(file("a.db"), false, "database");
  EXPECT_EQ(database.number("PRAGMA user_version"), 3800);
  EXPECT_EQ(database.number("SELECT count(*) FROM cameras"), 2);
  auto points = database.query("SELECT cols, data FROM keypoints ORDER BY image_id");
  ASSERT_TRUE(points.step());
  EXPECT_EQ(points.integer(0), 4);
  EXPECT_EQ(numbers<float>(points.blob(1)).at(4), 1.5f);
  ASSERT_TRUE(points.step());
  EXPECT_EQ(points.integer(0), 6);
  EXPECT_EQ(numbers<float>(points.blob(1)), (std::vector<float>{0.5, 2.5, 1, 2, -3, 4, 1.5, 2.5, 1, 2, -3, 4}));
  auto pair = database.query("SELECT pair_id, data FROM matches ORDER BY pair_id");
  ASSERT_TRUE(pair.step());
  EXPECT_EQ(pair.integer(0), 2147483647LL + 2);
  EXPECT_EQ(numbers<std::uint32_t>(pair.blob(1)), (std::vector<std::uint32_t>{1, 0, 0, 2}));
  auto geometry = database.query("SELECT rows, config, data, F, E FROM two_view_geometries");
  ASSERT_TRUE(geometry.step());
  EXPECT_EQ(geometry.integer(0), 1);
  EXPECT_EQ(geometry.integer(1), 3);
  EXPECT_EQ(numbers<std::uint32_t>(geometry.blob(2)), (std::vector<std::uint32_t>{0, 2}));
  // The points (10, 20, 1) of image 2 and (30, 40, 1) of image 1 give the same product, each half a pixel further.
  const std::vector<double> f = numbers<double>(geometry.blob(3));
  const double one[3] = {30.5, 40.5, 1}, two[3] = {10.5, 20.5, 1};
  double product = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) product += two[i] * f[3 * i + j] * one[j];
  }
  const double plain = 30 * (10 + 2 * 20 + 3) + 40 * (4 * 10 + 5 * 20 + 6) + (7 * 10 + 8 * 20 + 9);
  EXPECT_NEAR(product, plain, 1e-9 * plain);
  EXPECT_EQ(geometry.blob(4).size(), 72u);
}

TEST_F(ColmapTest, ManyRunsGiveTheBytesOfOne) {
  const auto add_images = [](ColmapDatabase& database, int from, int to) {
    for (int i = from; i < to; ++i) {
      database.add(made_image(std::to_string(i), "k"), made_features(50, static_cast<std::uint32_t>(i)));
    }
  };
  const auto add_pairs = [](ColmapDatabase& database, std::vector<int> order) {
    const std::vector<Match> matches(200, Match{1, 2, 3});
    for (const int a : order) database.add_matches(a, a + 1, matches);
  };
  {
    ColmapDatabase database(file("one.db"), "x");
    add_images(database, 0, 5), add_pairs(database, {1, 2, 3, 4});
    database.finish();
  }
  {
    ColmapDatabase database(file("many.db"), "other");
    add_images(database, 3, 5);
  }
  {
    ColmapDatabase database(file("many.db"), "x");
    add_images(database, 0, 2);
  }
  {
    ColmapDatabase database(file("many.db"), "x");
    EXPECT_EQ(database.image_of("1"), 2);
    EXPECT_EQ(database.image_of("4"), std::nullopt);  // those of other settings are gone
    add_images(database, 2, 5), add_pairs(database, {4, 2});
  }
  {
    ColmapDatabase database(file("many.db"), "x");
    EXPECT_TRUE(database.has_matches(2, 3) && !database.has_matches(1, 2));
    add_pairs(database, {3, 1});
    EXPECT_THROW(ColmapDatabase(file("many.db"), "x"), Error);  // another process has it
    database.finish();
  }
  EXPECT_EQ(bytes("one.db"), bytes("many.db"));
  // Nothing to do.
  const auto before = fs::last_write_time(file("one.db"));
  ColmapDatabase(file("one.db"), "x").finish();
  EXPECT_EQ(fs::last_write_time(file("one.db")), before);
  EXPECT_THROW(ColmapDatabase(file("one.db"), "y"), Error);
  {
    ColmapDatabase database(file("one.db"), "x");
    add_images(database, 5, 6);
    database.finish();
  }
  {
    ColmapDatabase whole(file("many.db"), "x");
    add_images(whole, 5, 6);
  }
  {
    ColmapDatabase whole(file("many.db"), "x");
    EXPECT_TRUE(whole.image_of("5"));
    whole.finish();
  }
  {
    ColmapDatabase whole(file("whole.db"), "x");
    add_images(whole, 0, 6), add_pairs(whole, {1, 2, 3, 4});
    whole.finish();
  }
  EXPECT_TRUE(content("one.db") == content("whole.db"));
  EXPECT_TRUE(content("many.db") == content("whole.db"));
  sqlite::Database database(file("one.db"), false, "database");
  EXPECT_EQ(database.number("SELECT count(*) FROM images"), 6);
  EXPECT_EQ(database.number("SELECT count(*) FROM cameras"), 1);
  EXPECT_EQ(database.number("SELECT count(*) FROM octavo WHERE name = 'base'"), 0);
  EXPECT_EQ(folder_.entries(), 3u);
}

// COLMAP 4 has other columns, and images are part of frames.
TEST_F(ColmapTest, LaterTablesAreFilled) {
  sqlite::Database(file("a.db"), true, "database").run_script(R"(
    CREATE TABLE rigs (rig_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, ref_sensor_id INTEGER NOT NULL, ref_sensor_type INTEGER NOT NULL);
    CREATE TABLE frames (frame_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, rig_id INTEGER NOT NULL);
    CREATE TABLE frame_data (frame_id INTEGER NOT NULL, data_id INTEGER NOT NULL, sensor_id INTEGER NOT NULL, sensor_type INTEGER NOT NULL);
    CREATE TABLE cameras (camera_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, model INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, params BLOB, prior_focal_length INTEGER NOT NULL);
    CREATE TABLE images (image_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name TEXT NOT NULL UNIQUE, camera_id INTEGER NOT NULL);
    CREATE TABLE keypoints (image_id INTEGER PRIMARY KEY NOT NULL, rows INTEGER NOT NULL, cols INTEGER NOT NULL, data BLOB);
    CREATE TABLE descriptors (image_id INTEGER PRIMARY KEY NOT NULL, type INTEGER NOT NULL, rows INTEGER NOT NULL, cols INTEGER NOT NULL, data BLOB);
    CREATE TABLE matches (pair_id INTEGER PRIMARY KEY NOT NULL, rows INTEGER NOT NULL, cols INTEGER NOT NULL, data BLOB);
    CREATE TABLE two_view_geometries (pair_id INTEGER PRIMARY KEY NOT NULL, rows INTEGER NOT NULL, cols INTEGER NOT NULL, data BLOB, config INTEGER NOT NULL, F BLOB, E BLOB, H BLOB, qvec BLOB, tvec BLOB, camera1 BLOB, camera2 BLOB);
    CREATE TABLE pose_priors (pose_prior_id INTEGER PRIMARY KEY NOT NULL, corr_data_id INTEGER NOT NULL, corr_sensor_id INTEGER NOT NULL, corr_sensor_type INTEGER NOT NULL, position BLOB, position_covariance BLOB, gravity BLOB, coordinate_system INTEGER NOT NULL);
    PRAGMA user_version = 4020100;)");
  {
    ColmapDatabase database(file("a.db"), "x");
    ColmapImage image = made_image("a", "k");
    image.place = GpsPlace{1, 2, 3};
    database.add(made_image("b", "k"), made_features(2, 1));
    database.add(image, made_features(2, 1));
    image = made_image("c", "k");
    image.place = GpsPlace{1, 2, {}};  // without altitude
    database.add(image, made_features(2, 1));
    database.finish();
  }
  sqlite::Database database(file("a.db"), false, "database");
  EXPECT_EQ(database.number("PRAGMA user_version"), 4020100);
  EXPECT_EQ(database.number("SELECT count(*) FROM rigs"), 1);
  EXPECT_EQ(database.number("SELECT count(*) FROM frame_data JOIN frames USING (frame_id) WHERE rig_id = 1"), 3);
  auto prior = database.query("SELECT * FROM pose_priors");
  ASSERT_TRUE(prior.step());
  EXPECT_EQ(prior.integer(1), 2);  // the image
  EXPECT_EQ(prior.integer(2), 1);  // its camera
  EXPECT_EQ(prior.integer(3), 0);
  const std::array<double, 3> position{1, 2, 3};
  ASSERT_EQ(prior.blob(4).size(), sizeof position);
  EXPECT_EQ(std::memcmp(prior.blob(4).data(), position.data(), sizeof position), 0);
  EXPECT_EQ(prior.blob(5).size(), 9 * sizeof(double));
  EXPECT_EQ(prior.integer(7), 0);  // WGS 84
  EXPECT_FALSE(prior.step());
  EXPECT_EQ(database.number("SELECT sum(type) FROM descriptors"), 0);
}

TEST_F(ColmapTest, WhatCannotBeAddedIsRefused) {
  ColmapDatabase database(file("a.db"), "x");
  database.add(made_image("a", "k"), made_features(2, 1));
  ColmapImage larger = made_image("b", "k");
  larger.camera.size = {641, 480};
  EXPECT_THROW(database.add(larger, {}), Error);
  EXPECT_THROW(database.add(made_image("c"), {.keypoints = {{}}, .descriptors = {}}), Error);
  EXPECT_THROW(database.add_matches(1, 1, {}), Error);
  const RobustModel model;
  EXPECT_THROW(database.add_matches(1, 2, {}, &model, std::vector<Match>(1)), Error);
  EXPECT_EQ(database.image_of("b"), std::nullopt);
  std::ofstream(file("text.db")) << std::string(5000, 'x');
  EXPECT_THROW(ColmapDatabase(file("text.db"), "x"), Error);
  sqlite::Database(file("foreign.db"), true, "database").run_script("CREATE TABLE t (x)");
  EXPECT_THROW(ColmapDatabase(file("foreign.db"), "x"), Error);
  EXPECT_FALSE(fs::exists(file(".foreign.db.part")));
}

TEST_F(ColmapTest, CopiesHaveTheSameKeypoints) {
  ColmapDatabase database(file("a.db"), "x");
  for (const char* const name : {"z", "bare", "b c", "void"}) {
    database.add(made_image(name), made_features(name[1] == '\0' || name[1] == ' ' ? 3 : 0, 1));
  }
  database.add(made_image("other"), made_features(2, 1));
  database.finish();
  EXPECT_EQ(copies_in(file("a.db")), (std::vector<std::vector<std::string>>{{"b c", "z"}}));
}

// As hloc makes them: keypoints and matches without descriptors.
TEST_F(ColmapTest, KeypointsOfMatchesAreNotReplaced) {
  {
    ColmapDatabase database(file("a.db"), "x");
    for (const char* const name : {"a", "b", "c"}) database.add(made_image(name), made_features(2, 1));
    database.add_matches(1, 2, std::vector<Match>{{1, 1, 0}});
    database.finish();
  }
  sqlite::Database(file("a.db"), false, "database").run("DELETE FROM descriptors");
  ColmapDatabase database(file("a.db"), "x");
  EXPECT_THROW(static_cast<void>(database.image_of("b")), Error);
  EXPECT_THROW(database.add(made_image("a"), made_features(1, 1)), Error);
  EXPECT_EQ(database.image_of("c"), std::nullopt);
  EXPECT_EQ(database.add(made_image("c"), made_features(1, 1)), 3);
}

TEST_F(ColmapTest, MatchesWithoutAModelReplaceAGeometry) {
  ColmapDatabase database(file("a.db"), "x");
  for (const char* const name : {"a", "b"}) database.add(made_image(name), made_features(2, 1));
  const RobustModel none;
  database.add_matches(1, 2, {}, &none);
  EXPECT_TRUE(database.has_geometry(1, 2));
  database.add_matches(1, 2, {});
  EXPECT_TRUE(database.has_matches(1, 2) && !database.has_geometry(1, 2));
}

// A program of COLMAP that is killed leaves what it committed in the write-ahead log.
TEST_F(ColmapTest, WriteAheadLogsOfOthersCount) {
  {
    ColmapDatabase database(file("a.db"), "x");
    database.add(made_image("a"), made_features(2, 1));
    database.finish();
  }
  sqlite::Database other(file("a.db"), false, "database");
  other.use_write_ahead_log();
  other.run("UPDATE cameras SET width = 1");
  fs::copy_file(file("a.db"), file("killed.db"));
  fs::copy_file(file("a.db-wal"), file("killed.db-wal"));
  const auto width = [&] {
    return sqlite::Database(file("killed.db"), false, "database").number("SELECT width FROM cameras");
  };
  { ColmapDatabase(file("killed.db"), "x").add(made_image("b"), made_features(2, 1)); }
  {
    ColmapDatabase database(file("killed.db"), "x");
    EXPECT_TRUE(database.image_of("b"));  // the job goes on
    database.finish();
  }
  EXPECT_EQ(width(), 1);

  ColmapDatabase begun(file("a.db"), "x");
  begun.add(made_image("b"), made_features(2, 1));
  other.run("UPDATE cameras SET width = 2");
  EXPECT_THROW(begun.finish(), Error);
  EXPECT_EQ(other.number("SELECT width FROM cameras"), 2);
}

// Other programs that have the database open while it is added to, with a log and without.
class OpenDatabase : public ColmapTest, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    add("a");
    other_.emplace(file("a.db"), false, "database");
    if (GetParam()) other_->use_write_ahead_log();
  }
  void add(const std::string& name) {
    ColmapDatabase database(file("a.db"), "x");
    database.add(made_image(name), made_features(2, 1));
    database.finish();
  }
  void write_row(const std::string& name) {
    other_->run("INSERT INTO images (name, camera_id) VALUES (?1, 1)", std::string_view(name));
  }
  [[nodiscard]] std::string names() {
    auto row = other_->query("SELECT group_concat(name) FROM (SELECT name FROM images ORDER BY name)");
    row.step();
    return row.text(0);
  }

  std::optional<sqlite::Database> other_;
};
INSTANTIATE_TEST_SUITE_P(, OpenDatabase, testing::Bool());

TEST_P(OpenDatabase, KeepsWhatIsWrittenBeforeAndAfter) {
  EXPECT_EQ(names(), "a");
  write_row("b");
  add("c");
  EXPECT_EQ(names(), "a,b,c");
  write_row("d");
  EXPECT_EQ(names(), "a,b,c,d");
  other_.emplace(file("a.db"), false, "database");
  EXPECT_EQ(names(), "a,b,c,d");
  EXPECT_EQ(other_->number("SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
}

TEST_P(OpenDatabase, AWriterAtTheBeginningIsWaitedFor) {
  sqlite::Transaction writing(*other_);
  write_row("b");
  std::thread slow([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    writing.commit();
  });
  add("c");
  slow.join();
  EXPECT_EQ(names(), "a,b,c");
}

TEST_P(OpenDatabase, AWriterAtTheEndIsWaitedForAndKeepsItsRow) {
  {
    ColmapDatabase database(file("a.db"), "x");
    database.add(made_image("c"), made_features(2, 1));
    sqlite::Transaction writing(*other_);
    write_row("b");
    std::thread slow([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      writing.commit();
    });
    EXPECT_THROW(database.finish(), Error);
    slow.join();
  }
  EXPECT_EQ(names(), "a,b");
  add("c");
  EXPECT_EQ(names(), "a,b,c");
}

// As a merge does that was killed when it was done.
TEST_F(ColmapTest, AFileOfTheSameBytesStays) {
  for (const char* const name : {"a.db", "b.db"}) ColmapDatabase(file(name), "x").finish();
  const std::string before = bytes("a.db");
  ASSERT_EQ(before, bytes("b.db"));
  colmap::replace(file("a.db"), colmap::stamp_of(file("a.db")), file("b.db"));
  EXPECT_EQ(bytes("a.db"), before);
  EXPECT_EQ(folder_.entries(), 1u);
}

TEST_F(ColmapTest, AMergeIsAloneAndBeginsAnew) {
  using colmap::WorkingDatabase;
  const auto replaced = WorkingDatabase::Existing::replaced;
  {
    ColmapDatabase database(file("a.db"), "x");
    database.add(made_image("a"), made_features(2, 1));
    database.finish();
  }
  for (const bool finishes : {false, true}) {
    WorkingDatabase work(file("a.db"), "y", replaced);
    EXPECT_EQ(work.database().number("SELECT count(*) FROM images"), 0);
    EXPECT_THROW(WorkingDatabase(file("a.db"), "y", replaced), Error);
    work.add_image(made_image("b"));
    if (finishes) work.finish();
  }
  EXPECT_EQ(sqlite::Database(file("a.db"), false, "database").number("SELECT name = 'b' FROM images"), 1);
  EXPECT_EQ(folder_.entries(), 1u);
}

TEST_F(ColmapTest, AFileThatComesOrGoesIsLeftAsItIs) {
  const auto add = [&](const std::string& name) {
    ColmapDatabase database(file("a.db"), "x");
    database.add(made_image("a"), made_features(2, 1));
    std::ofstream(file("b.db")) << "of another program";
    if (name == "b.db") fs::rename(file("b.db"), file("a.db"));
    if (name == "none") fs::remove(file("a.db"));
    database.finish();
  };
  EXPECT_THROW(add("b.db"), Error);
  EXPECT_EQ(bytes("a.db"), "of another program");
  fs::remove(file("a.db"));
  std::ofstream(file("a.db-wal")) << "of a database that is gone";
  add("");
  EXPECT_EQ(sqlite::Database(file("a.db"), false, "database").number("SELECT count(*) FROM images"), 1);
  ColmapDatabase database(file("a.db"), "x");
  database.add(made_image("b"), made_features(2, 1));
  fs::remove(file("a.db"));
  EXPECT_THROW(database.finish(), Error);
  EXPECT_FALSE(fs::exists(file("a.db")));
}

// SQLite takes back what a killed run has written. The file has its old content then, and another time.
TEST_F(ColmapTest, ARunThatIsKilledWhileItReplacesTheContentGoesOn) {
  const auto add = [&](const std::string& name, bool finishes) {
    ColmapDatabase database(file("a.db"), "x");
    database.add(made_image(name), made_features(2, 1));
    if (finishes) database.finish();
  };
  const auto kill_while_replacing = [&] {
    add("b", false);
    sqlite::Database part(file(".a.db.part"), false, "database");
    part.run("INSERT INTO octavo VALUES ('replaced', ?1)", std::string_view(content_digest(file("a.db"))));
    fs::last_write_time(file("a.db"), fs::file_time_type::clock::now() + std::chrono::seconds(1));
  };
  add("a", true);
  kill_while_replacing();
  {
    ColmapDatabase database(file("a.db"), "x");
    EXPECT_TRUE(database.image_of("b"));
    database.finish();
  }
  EXPECT_EQ(sqlite::Database(file("a.db"), false, "database").number("SELECT count(*) FROM images"), 2);
  EXPECT_EQ(sqlite::Database(file("a.db"), false, "database").number("SELECT count(*) FROM octavo WHERE value = ''"),
            0);
  kill_while_replacing();
  sqlite::Database(file("a.db"), false, "database").run("UPDATE cameras SET width = 1");
  ColmapDatabase(file("a.db"), "x").finish();
  EXPECT_EQ(sqlite::Database(file("a.db"), false, "database").number("SELECT min(width) FROM cameras"), 1);
}

TEST_F(ColmapTest, TablesOfALaterVersionAreRefused) {
  for (const int version : {99000, 4030000}) {
    fs::remove(file("a.db"));
    {
      ColmapDatabase database(file("a.db"), "x");
      database.finish();
    }
    sqlite::Database(file("a.db"), false, "database").run(fmt::format("PRAGMA user_version = {}", version));
    const std::string before = bytes("a.db");
    EXPECT_THROW(ColmapDatabase(file("a.db"), "x"), Error);
    EXPECT_THROW(ColmapFeatures{file("a.db")}, Error);
    EXPECT_EQ(bytes("a.db"), before);
    EXPECT_EQ(folder_.entries(), 1u);
  }
}

Image blobs(std::uint32_t seed, int shift) {
  std::mt19937 random(seed);
  Image image(200, 160, 1, PixelType::u8);
  std::vector<std::array<double, 4>> spots;
  for (int i = 0; i < 150; ++i) {
    const auto next = [&] { return static_cast<double>(random()) / 4294967296.0; };
    spots.push_back({next() * 240 - 20, next() * 200 - 20, 1.5 + 4 * next(), 120 * next() - 60});
  }
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      double light = 128;
      for (const auto& [cx, cy, sigma, height] : spots) {
        const double dx = x + shift - cx, dy = y - cy;
        light += height * std::exp(-(dx * dx + dy * dy) / (2 * sigma * sigma));
      }
      image.row(y)[x] = static_cast<std::byte>(static_cast<int>(std::clamp(light, 0.0, 255.0)));
    }
  }
  return image;
}

TEST_F(ColmapTest, AJobThatIsStoppedGoesOn) {
  fs::create_directory(file("photos"));
  ColmapJob job;
  for (int i = 0; i < 4; ++i) {
    const std::string name = fmt::format("{}.png", i);
    write_image(file("photos") / name, blobs(7, 4 * i).view());
    job.images.push_back({file("photos") / name, name});
  }
  job.images.push_back({file("photos") / "missing.png", "missing.png"});
  job.pairs = all_pairs(5);
  job.options.verify = ColmapOptions::Verify::usac;
  job.options.guided = true;
  std::vector<std::string> failures;
  const JobContext context{.fail = [&](const std::string& sentence) { failures.push_back(sentence); }};

  const ColmapSummary whole = fill_colmap_database(file("one.db"), job, context);
  EXPECT_TRUE(whole.is_finished);
  EXPECT_EQ(whole.images, 4u);
  EXPECT_EQ(whole.extracted, 4u);
  EXPECT_EQ(whole.pairs, 6u);
  EXPECT_EQ(whole.failed, 1u);
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_NE(failures.front().find("missing.png"), std::string::npos);
  EXPECT_GT(whole.verified, 0u);

  // Stopped after a pair or two, other pairs first, another device and no memory.
  ColmapJob slow = job;
  std::reverse(slow.pairs.begin(), slow.pairs.end());
  slow.options.feature_memory = 1;
  slow.device.name = "reference";
  int runs = 0;
  ColmapSummary last;
  while (!last.is_finished && runs < 40) {
    int items = 0;
    std::stop_source stop;
    const auto count = [&](const ProgressStep&) {
      if (++items > 2) stop.request_stop();
    };
    last = fill_colmap_database(file("many.db"), slow, {.progress = count, .stop = stop.get_token()});
    ++runs;
  }
  EXPECT_GT(runs, 2);
  EXPECT_EQ(bytes("one.db"), bytes("many.db"));

  const ColmapSummary again = fill_colmap_database(file("one.db"), job);
  EXPECT_EQ(again.extracted + again.matched, 0u);
  EXPECT_EQ(again.pairs, 6u);
}

TEST_F(ColmapTest, KnownCamerasAreSharedAndTheirImagesHaveNoMask) {
  fs::create_directory(file("photos"));
  ColmapJob job;
  const Image image = blobs(7, 0);
  for (const char* const name : {"a.png", "b.png", "c.png"}) {
    write_image(file("photos") / name, image.view());
    job.images.push_back({file("photos") / name, name});
  }
  Image mask(image.width(), image.height(), 1, PixelType::u8);
  for (int y = 0; y < mask.height(); ++y) std::memset(mask.row(y), 0, static_cast<std::size_t>(mask.width()));
  write_image(file("mask.png"), mask.view());
  job.mask = file("mask.png");
  const ImageSize size{image.width(), image.height()};
  job.known_cameras["a.png"] = job.known_cameras["c.png"] = {ColmapModel::simple_pinhole, size, {50, 60, 70}, true};
  fill_colmap_database(file("a.db"), job);
  sqlite::Database database(file("a.db"), false, "database");
  EXPECT_EQ(database.number("SELECT count(*) FROM cameras"), 2);
  EXPECT_EQ(database.number("SELECT count(*) FROM images JOIN cameras USING (camera_id) "
                            "WHERE model = 0 AND prior_focal_length AND name IN ('a.png', 'c.png')"),
            2);
  EXPECT_EQ(database.number("SELECT rows FROM keypoints JOIN images USING (image_id) WHERE name = 'b.png'"), 0);
  EXPECT_GT(database.number("SELECT min(rows) FROM keypoints JOIN images USING (image_id) WHERE name != 'b.png'"), 0);
}

TEST_F(ColmapTest, GivenFeaturesAreMatched) {
  fs::create_directory(file("photos"));
  ColmapJob job;
  for (const char* const name : {"a.png", "b.png", "none.png", "small.png"}) {
    write_image(file("photos") / name, blobs(7, 0).view());
    job.images.push_back({file("photos") / name, name});
  }
  job.pairs = all_pairs(4);
  EXPECT_THROW(fill_colmap_database(file("a.db"),
                                    [&] {
                                      ColmapJob without = job;
                                      without.features = [](const std::string&) { return Features(); };
                                      return without;
                                    }()),
               Error);
  job.features_rule = "a rule";
  job.features = [](const std::string& name) {
    if (name == "none.png") throw Error(ErrorCode::invalid_argument, "there are none of " + name);
    Features features = made_features(30, 1);
    for (Keypoint& k : features.keypoints) k.scale = k.orientation = 0;
    if (name == "small.png") features.keypoints.back().x = 201;
    return features;
  };
  std::vector<std::string> failures;
  const ColmapSummary done = fill_colmap_database(
      file("a.db"), job, {.fail = [&](const std::string& sentence) { failures.push_back(sentence); }});
  EXPECT_EQ(done.images, 2u);
  EXPECT_EQ(done.matches, 30u);
  ASSERT_EQ(failures.size(), 2u);
  EXPECT_EQ(failures.front(), "there are none of none.png");
  EXPECT_NE(failures.back().find("small.png: a keypoint lies at (201, 2), but the image is 200 × 160"),
            std::string::npos);
  sqlite::Database database(file("a.db"), false, "database");
  EXPECT_EQ(database.number("SELECT count(*) FROM keypoints WHERE rows = 30 AND cols = 2"), 2);
  EXPECT_EQ(ColmapFeatures(file("a.db")).features(1), job.features("a.png"));
}

TEST_F(ColmapTest, WrongJobsAreRefused) {
  ColmapJob job;
  job.images = {{"a/x.png", "x.png"}, {"b/x.png", "x.png"}};
  EXPECT_THROW(fill_colmap_database(file("a.db"), job), Error);
  job.images.pop_back();
  job.pairs = {{0, 1}};
  EXPECT_THROW(fill_colmap_database(file("a.db"), job), Error);
  job.pairs.clear();
  job.camera_params = {1, 2, 3};
  EXPECT_THROW(fill_colmap_database(file("a.db"), job), Error);
  EXPECT_EQ(folder_.entries(), 0u);
}

// A new member of the struct must have a row, or it would be neither checked nor settable.
TEST(ColmapOptions, HasARowForEveryMember) {
  const OptionTable<ColmapOptions>& table = option_table<ColmapOptions>();
  const ColmapOptions other{.cameras = ColmapOptions::Cameras::one,
                            .camera_model = ColmapModel::opencv,
                            .verify = ColmapOptions::Verify::usac,
                            .guided = true,
                            .feature_memory = 7,
                            .gpu_feature_memory = 8};
  ColmapOptions copy;
  for (const auto& option : table.options) {
    EXPECT_NE(option.read(copy, option), option.read(other, option)) << option.name;
    table.set(copy, option, option.read(other, option));
  }
  EXPECT_EQ(copy, other);
}

}  // namespace
}  // namespace octavo
