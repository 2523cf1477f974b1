#include "video/archive/clip_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "octavo/error.h"
#include "video/archive/made_archive.h"
#include "video/signature/made_signature.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// The contents and their numbers of key frames, of all lists; fails if a clip is listed twice.
std::map<std::string, std::uint32_t> listed(const std::vector<ClipLists>& lists) {
  std::map<std::string, std::uint32_t> clips;
  for (const ClipLists& one : lists) {
    for (const ListedClip& clip : one.clips()) EXPECT_TRUE(clips.emplace(clip.content, clip.images).second);
  }
  return clips;
}

std::uint64_t features_of(const std::vector<ClipLists>& lists) {
  std::uint64_t features = 0;
  for (const ClipLists& one : lists) features += one.lists().features();
  return features;
}

std::string bytes_in(const fs::path& file) {
  const MappedFile mapped(file);
  const std::span<const std::byte> bytes = std::as_const(mapped).bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class ClipListsTest : public testing::Test {
 protected:
  std::string add(int number, int frames) {
    return add_clip(archive, folder, "clip " + std::to_string(number),
                    made_signature(static_cast<std::uint64_t>(number), frames, 20));
  }
  static std::vector<ClipLists> open(const VideoArchive& one) {
    return open_lists(one, octavo::archive::LostClips({}), {});
  }
  std::vector<ClipLists> open() { return open(archive); }

  TestFolder folder;
  VideoArchive archive{folder.path / "archive", {}};
};

TEST_F(ClipListsTest, ListEveryClipOnce) {
  EXPECT_TRUE(open().empty());
  std::map<std::string, std::uint32_t> clips;
  for (int i = 0; i < 20; ++i) {
    clips[add(i, 1 + 4 * (i % 4))] = static_cast<std::uint32_t>(1 + i % 4);
    EXPECT_EQ(listed(open()), clips);
  }
  std::uint64_t features = 0;
  for (const auto& [content, images] : clips) features += 20 * images;
  EXPECT_EQ(features_of(open()), features);
}

TEST_F(ClipListsTest, AreFewFiles) {
  for (int i = 0; i < 33; ++i) {
    add(i, 2);
    open();
  }
  EXPECT_LE(open().size(), 6u);
}

TEST_F(ClipListsTest, HaveTheSameBytesInAnyOrderOfIndexing) {
  add(1, 2);
  add(2, 3);
  open();
  VideoArchive other(folder.path / "other", {});
  add_clip(other, folder, "clip 2", made_signature(2, 3, 20));
  add_clip(other, folder, "clip 1", made_signature(1, 2, 20));
  open(other);
  const auto files = files_below(archive.lists_folder());
  EXPECT_EQ(files, files_below(other.lists_folder()));
  ASSERT_EQ(files.size(), 1u);
  const MappedFile a(archive.lists_folder() / files[0]), b(other.lists_folder() / files[0]);
  EXPECT_TRUE(std::ranges::equal(a.bytes(), b.bytes()));
}

TEST_F(ClipListsTest, ListNoForgottenClip) {
  const std::string kept = add(1, 2), forgotten = add(2, 2);
  EXPECT_EQ(open().size(), 1u);
  archive.forget(folder.path / "clip 2");
  EXPECT_EQ(listed(open()), (std::map<std::string, std::uint32_t>{{kept, 1}}));
}

TEST_F(ClipListsTest, AreMadeAgainIfDamaged) {
  const std::string content = add(1, 2);
  const fs::path file = open().front().file();
  fs::resize_file(file, fs::file_size(file) - 1);
  EXPECT_EQ(listed(open()), (std::map<std::string, std::uint32_t>{{content, 1}}));
  folder.write("archive/lists/more.lists", "nonsense");
  EXPECT_EQ(listed(open()).size(), 1u);
  EXPECT_FALSE(fs::exists(archive.lists_folder() / "more.lists"));
}

TEST_F(ClipListsTest, AreMadeAgainIfOfAnotherVersion) {
  const std::string content = add(1, 2);
  const fs::path file = open().front().file();
  const std::string good = bytes_in(file);
  std::string old = good;
  old[8] = 1;  // the version
  folder.write("archive/lists/" + file.filename().string(), old);
  EXPECT_EQ(listed(open()), (std::map<std::string, std::uint32_t>{{content, 1}}));
  EXPECT_EQ(bytes_in(file), good);
}

TEST_F(ClipListsTest, AreMadeAgainIfTheyNameAClipTwice) {
  add(1, 2);
  add(2, 2);
  const fs::path file = open().front().file();
  const std::string good = bytes_in(file);
  constexpr std::size_t first = 16, second = first + 40, content_bytes = 32;
  std::string twice = good;
  twice.replace(second, content_bytes, good, first, content_bytes);
  folder.write("archive/lists/" + file.filename().string(), twice);
  EXPECT_EQ(listed(open()).size(), 2u);
  EXPECT_EQ(bytes_in(file), good);
}

TEST_F(ClipListsTest, FindTheClipOfAnImage) {
  add(1, 3);
  add(2, 17);
  add(3, 8);
  const std::vector<ClipLists> lists = open();
  ASSERT_EQ(lists.size(), 1u);
  std::uint32_t image = 0;
  for (const ListedClip& clip : lists[0].clips()) {
    EXPECT_EQ(clip.first_image, image);
    for (std::uint32_t i = 0; i < clip.images; ++i) EXPECT_EQ(&lists[0].clip_of(image++), &clip);
  }
  EXPECT_EQ(image, 8u);
}

TEST(MappedFileTest, NamesTheFileInItsErrors) {
  try {
    MappedFile("/no/such/file");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot read '/no/such/file': No such file or directory");
  }
}

}  // namespace
}  // namespace octavo
