#include "multiview/sfm/numbered_copy.h"

#include <gtest/gtest.h>

#include "engine/core/test_folder.h"
#include "io/sqlite/sqlite.h"

namespace octavo::sfm {
namespace {

// Tables with the columns that count here; one of a later version of COLMAP, and numbers that are names.
constexpr auto tables = R"(
CREATE TABLE images (image_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE UNIQUE INDEX index_name ON images (name);
CREATE TABLE keypoints (image_id INTEGER PRIMARY KEY, rows INTEGER);
CREATE TABLE descriptors (image_id INTEGER PRIMARY KEY, data BLOB);
CREATE TABLE matches (pair_id INTEGER PRIMARY KEY, rows INTEGER);
CREATE TABLE two_view_geometries (pair_id INTEGER PRIMARY KEY, rows INTEGER);
CREATE TABLE rigs (rig_id INTEGER PRIMARY KEY);
INSERT INTO images VALUES (1, 'a b.jpg'), (2, '#'), (3, '1'), (4, char(10));
INSERT INTO keypoints VALUES (1, 7);
INSERT INTO descriptors VALUES (1, x'01');
INSERT INTO matches VALUES (12, 30), (13, 40);
INSERT INTO two_view_geometries VALUES (13, 35);
INSERT INTO rigs VALUES (9);
PRAGMA user_version = 3900;
)";

TEST(NumberedCopy, HasWhatIsToBeVerified) {
  const TestFolder folder;
  const auto original = folder / "whole.db", copy = folder / "copy.db";
  sqlite::Database(original, true, "database").run_script(tables);
  write_numbered_copy(original, copy);
  sqlite::Database made(copy, false, "database");
  EXPECT_EQ(made.number("PRAGMA user_version"), 3900);
  EXPECT_EQ(made.number("SELECT count(*) FROM images WHERE name = CAST(image_id AS TEXT)"), 4);
  EXPECT_EQ(made.number("SELECT sum(rows) FROM keypoints"), 7);
  EXPECT_EQ(made.number("SELECT sum(pair_id) FROM matches"), 12);
  EXPECT_EQ(made.number("SELECT sum(rig_id) FROM rigs"), 9);
  EXPECT_EQ(made.number("SELECT (SELECT count(*) FROM descriptors) + (SELECT count(*) FROM two_view_geometries)"), 0);
  EXPECT_EQ(made.number("SELECT count(*) FROM sqlite_schema WHERE name = 'index_name'"), 1);
}

TEST(NumberedCopy, GivesItsGeometries) {
  const TestFolder folder;
  const auto original = folder / "whole.db", copy = folder / "copy.db";
  sqlite::Database whole(original, true, "database");
  whole.run_script(tables);
  write_numbered_copy(original, copy);
  sqlite::Database(copy, false, "database")
      .run_script(
          "ALTER TABLE two_view_geometries ADD later BLOB; INSERT INTO two_view_geometries VALUES (12, 25, x'')");
  take_geometries(original, copy);
  EXPECT_EQ(whole.number("SELECT sum(rows) FROM two_view_geometries"), 35 + 25);
  EXPECT_EQ(whole.number("SELECT count(*) FROM images WHERE name = '1' AND image_id = 3"), 1);
}

}  // namespace
}  // namespace octavo::sfm
