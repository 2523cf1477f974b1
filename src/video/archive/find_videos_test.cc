#include <gtest/gtest.h>

#include "engine/core/bound_by_permissions.h"
#include "engine/core/test_folder.h"
#include "octavo/video/video_archive.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

TEST(FindVideos, LooksIntoFolders) {
  const TestFolder folder;
  for (const char* name : {"b.MP4", "a/z.mkv", "a/.hidden/c.avi", "notes.txt", "empty/notes.txt", "odd.name"}) {
    folder.write(name, "");
  }
  fs::create_directory_symlink(folder.path, folder.path / "a" / "loop.mkv");
  fs::create_symlink(folder.path / "b.MP4", folder.path / "a" / "link.mp4");
  const auto place = [&](const char* name) { return (folder.path / name).string(); };
  VideoFiles found =
      find_videos(std::vector{place("odd.name"), folder.path.string(), place("a/z.mkv"), place("no.mp4")});
  // The link is the first name of b.MP4.
  EXPECT_EQ(found.files,
            (std::vector<fs::path>{place("odd.name"), place("a/link.mp4"), place("a/z.mkv"), place("no.mp4")}));
  EXPECT_TRUE(found.problems.empty());
  found = find_videos(std::vector{place("empty"), place("b.MP4")});
  EXPECT_EQ(found.files, std::vector<fs::path>{place("b.MP4")});
  EXPECT_EQ(found.problems, std::vector<std::string>{place("empty") + ": the folder holds no videos"});
  found = find_videos(std::vector<std::string>{"", place("b.MP4")});
  EXPECT_EQ(found.files, std::vector<fs::path>{place("b.MP4")});
  EXPECT_EQ(found.problems, std::vector<std::string>{"'': a file has no empty name"});
}

TEST(FindVideos, TakesImagesIfAsked) {
  const TestFolder folder;
  for (const char* name : {"films/b.mp4", "films/a.jpg", "films/notes.txt", "photos/c.HEIC", "none/notes.txt"}) {
    folder.write(name, "");
  }
  const auto place = [&](const char* name) { return (folder.path / name).string(); };
  EXPECT_EQ(find_videos(std::vector{place("films"), place("photos/c.HEIC")}).names,
            (std::vector<std::string>{"b.mp4", "c.HEIC"}))
      << "one that is named itself is taken anyway";
  const VideoFiles found = find_videos(std::vector{place("films"), place("photos"), place("none")}, true);
  EXPECT_EQ(found.names, (std::vector<std::string>{"a.jpg", "b.mp4", "c.HEIC"}));
  EXPECT_EQ(found.problems, std::vector<std::string>{place("none") + ": the folder holds no videos and no images"});
}

TEST(FindVideos, AFolderThatCannotBeReadCostsNoOthers) {
  const TestFolder folder;
  for (const char* name : {"a.mp4", "shut/b.mp4", "zoo/c.mp4"}) folder.write(name, "");
  const fs::path shut = folder / "shut";
  fs::permissions(shut, fs::perms::none);
  VideoFiles found;
  {
    const BoundByPermissions bound;
    found = find_videos(std::vector{folder.path.string()});
  }
  fs::permissions(shut, fs::perms::owner_all);
  EXPECT_EQ(found.names, (std::vector<std::string>{"a.mp4", "zoo/c.mp4"}));
  EXPECT_EQ(found.problems, std::vector<std::string>{shut.string() + ": the folder cannot be read: Permission denied"});
}

}  // namespace
}  // namespace octavo
