// Damaged files that a job reads beside its images: what an earlier call left there, points that a person has set, and
// vocabularies.

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "io/features/vocabulary_file.h"
#include "jobs/model_copy.h"
#include "jobs/mosaic_points.h"
#include "jobs/panorama_images.h"
#include "octavo/io/image_files.h"
#include "octavo/io/image_formats.h"
#include "octavo/retrieval.h"
#include "tests/fuzz/damaged_files.h"

namespace octavo::jobs {
namespace {

namespace fs = std::filesystem;

/// Damages one file and does what reads it: that succeeds, or is an Error that names what holds the file. A digest of
/// nearly all bytes makes nearly all of them errors.
void read_damaged_file(const fs::path& file, const fs::path& named, const std::function<void()>& read) {
  const std::string whole = text_of(file);
  ASSERT_NO_THROW(read());
  const Count count = read_damaged({{named.string(), whole}}, 1000, [&](const std::string& bytes, const std::string&) {
    fs::remove(file);
    std::ofstream(file, std::ios::binary) << bytes;
    return decodes(named.string(), read);
  });
  EXPECT_GT(count.errors, 500);
  std::ofstream(file, std::ios::binary) << whole;
}

TEST(NotesMutation, PointsOfAMosaicArePointsOrProblems) {
  const TestFolder folder;
  const fs::path file = folder / "points";
  const std::array<ImageFile, 2> images{{{"photos/a.png", "a.png"}, {"photos/b.png", "b.png"}}};
  std::size_t points = 0, problems = 0;
  const std::string text = "# by hand\na.png 1 2.5 b.png 3e1 4\n\nphotos/b.png 0 0 a.png -1 7\r\n";
  read_damaged({{"points", text}}, 1000, [&](const std::string& bytes, const std::string&) {
    fs::remove(file);
    std::ofstream(file, std::ios::binary) << bytes;
    return decodes(file.string(), [&] {
      const PointList list = read_mosaic_points(file, images);
      for (const MosaicPoint& point : list.points) EXPECT_EQ(point.a + point.b, 1);
      points += list.points.size();
      problems += list.problems.size();
    });
  });
  EXPECT_GT(points, 500u);
  EXPECT_GT(problems, 300u);
}

TEST(NotesMutation, NotesOfViewsAreViewsOrErrors) {
  const TestFolder folder;
  const fs::path photograph = folder / "around.jpg", views = folder / "views";
  write_image(photograph, Image(64, 32, 3, PixelType::u8).view(),
              {.xmp = R"(<GPano:ProjectionType="equirectangular"/>)"});
  PanoramaCut job{.photographs = {{photograph, "around.jpg"}}, .folder = views, .database = folder / "database.db"};
  job.options.panoramas = PanoramaOptions::Which::two_to_one;
  const auto cut = [&] {
    const auto made = cut_panoramas(job, JobContext{});
    ASSERT_TRUE(made);
    ASSERT_EQ(made->panoramas.size(), 1u);
    for (const auto& [name, camera] : made->cameras) EXPECT_GT(camera.size.width, 0) << name;
  };
  cut();
  read_damaged_file(views / "around.jpg" / "views.json", views / "around.jpg", cut);
  read_damaged_file(views / "panoramas.json", views, cut);
}

TEST(NotesMutation, NotesOfCopiedModelsAreNotesOrErrors) {
  const TestFolder folder;
  std::ofstream(folder / "database.db") << "the copy";
  std::ofstream(folder / "model.json") << R"({"octavo_model": 1, "model_digest": "0123", "last_image": 7})";
  const auto open = [&] { EXPECT_TRUE(fs::exists(ModelCopy("model.db", folder.path, "0123").file())); };
  read_damaged_file(folder / "model.json", folder.path, open);
}

TEST(NotesMutation, VocabulariesAreVocabulariesOrErrors) {
  const TestFolder folder;
  const fs::path file = folder / "words";
  write_vocabulary(file, general_vocabulary());
  read_damaged_file(file, file, [&] { EXPECT_GT(read_vocabulary(file).size(), 0u); });
}

}  // namespace
}  // namespace octavo::jobs
