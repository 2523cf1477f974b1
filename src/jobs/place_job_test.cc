// Clips and images by places: which files are taken, and files that fail.

#include "octavo/jobs/video_jobs.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>

#include "engine/core/test_folder.h"
#include "jobs/made_images.h"
#include "jobs/thinned.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

TEST(PlaceJob, TakesImagesAndVideosOfFoldersEachOnce) {
  const TestFolder folder;
  fs::create_directories(folder / "set/more");
  fs::create_directory(folder / "none");
  for (const char* name : {"set/b.jpg", "set/a.mp4", "set/more/c.png", "set/notes.txt", "none/notes.txt"}) {
    std::ofstream(folder / name) << "x";
  }
  const std::array<std::string, 4> places{(folder / "set").string(), (folder / "set/b.jpg").string(),
                                          (folder / "none").string(), (folder / "gone").string()};
  const PlaceFiles found = find_place_files(places);
  EXPECT_EQ(found.files, (std::vector<fs::path>{folder / "set/a.mp4", folder / "set/b.jpg", folder / "set/more/c.png",
                                                folder / "gone"}));
  ASSERT_EQ(found.problems.size(), 1u);
  EXPECT_NE(found.problems.front().find("holds no images and no videos"), std::string::npos);
}

TEST(PlaceJob, TellsFilesThatCannotBeReadAndGroupsTheOthers) {
  const TestFolder folder;
  write_image(folder / "a.png", made_image(1).view());
  std::vector<std::string> failures;
  JobContext context;
  context.fail = [&](const std::string& sentence) { failures.push_back(sentence); };
  const FoundPlaces found =
      find_places({.files = {folder / "a.png", folder / "gone.png"}, .device = {.name = "cpu"}}, context);
  EXPECT_TRUE(found.is_finished);
  EXPECT_EQ(found.single, std::vector<std::size_t>{0});
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_NE(failures.front().find("gone.png"), std::string::npos);
}

TEST(PlaceJob, RefusesAPageThatIsNoPageBeforeTheWork) {
  EXPECT_THROW(find_places({.files = {"a.png"}, .output = "page.png"}), Error);
  EXPECT_THROW(find_places({.files = {"a.png"}, .options = {.neighbours = 0}}), Error);
}

TEST(PlaceJob, StopsWithoutPlaces) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(find_places({.files = {"a.png"}}, {.stop = stop.get_token()}).is_finished);
}

TEST(Thinned, KeepsTheEnds) {
  const std::vector<double> times{0, 1, 2, 3, 4};
  EXPECT_EQ(jobs::thinned(times, 3), (std::vector<double>{0, 2, 4}));
  EXPECT_EQ(jobs::thinned(times, 1), std::vector<double>{0});
  EXPECT_EQ(jobs::thinned(times, 0), times);
  EXPECT_EQ(jobs::thinned(times, 9), times);
}

}  // namespace
}  // namespace octavo
