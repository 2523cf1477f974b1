#include "octavo/video/archive_search.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "engine/core/bound_by_permissions.h"
#include "io/files/content_digest.h"
#include "octavo/error.h"
#include "video/archive/made_archive.h"
#include "video/archive/merge_archives.h"
#include "video/signature/made_clips.h"

namespace octavo {
namespace {

// An archive of clips of a scene each: "0" to "5", 30 seconds.
class ArchiveSearchTest : public testing::Test {
 protected:
  ArchiveSearchTest() {
    for (unsigned i = 0; i < 6; ++i) scenes.emplace_back(i + 1, 30);
    for (unsigned i = 0; i < 6; ++i) add_clip(archive, folder, std::to_string(i), clip(i));
  }

  ClipSignature clip(unsigned scene) { return made_original({{.scene = &scenes[scene], .seconds = 30}}, 50 + scene); }
  // A query of these parts, five frames a second.
  static ClipSignature query(const std::vector<MadePart>& parts) { return made_clip(parts, 5, 9); }
  // Permissions of the archive's folders and files, without or with the right to write.
  void permit(bool writing) {
    const auto set = [&](const std::filesystem::path& file) {
      std::filesystem::permissions(
          file, std::filesystem::perms::owner_write,
          writing ? std::filesystem::perm_options::add : std::filesystem::perm_options::remove);
    };
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path / "archive")) set(entry.path());
    set(folder.path / "archive");
  }
  std::filesystem::path signature_of(const std::string& clip) {
    const std::string digest = archive.clip_of_file(folder.path / clip).value().signature_digest;
    return archive.folder() / "segments" / digest.substr(0, 2) / (digest + ".signature");
  }
  std::string name(const FoundClip& found) { return found.clip.files.front().filename().string(); }

  std::vector<MadeScene> scenes;
  TestFolder folder;
  // SQLite removes the log of a catalogue when the last one closes it.
  void close() { owned.reset(); }

  std::optional<VideoArchive> owned{std::in_place, folder.path / "archive", SignatureOptions{}};
  VideoArchive& archive = *owned;
};

TEST_F(ArchiveSearchTest, FindsAPartOfAClip) {
  const ArchiveSearch search(archive);
  const std::vector<FoundClip> found = search.find(query({{.scene = &scenes[3], .seconds = 8, .scene_in = 12}}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(name(found[0]), "3");
  ASSERT_EQ(found[0].segments.size(), 1u);
  EXPECT_NEAR(found[0].segments[0].other_in, 12, 0.6);
  EXPECT_NEAR(found[0].segments[0].other_out, 20, 0.6);
  EXPECT_FALSE(found[0].segments[0].mirrored);
  EXPECT_GT(found[0].query_coverage, 0.9);
  EXPECT_NEAR(found[0].clip_coverage, 8.0 / 30, 0.05);
  EXPECT_EQ(found[0].score, found[0].segments[0].score);
}

TEST_F(ArchiveSearchTest, FindsNothingForAnotherScene) {
  const MadeScene unknown(77, 30);
  EXPECT_TRUE(ArchiveSearch(archive).find(query({{.scene = &unknown, .seconds = 10}})).empty());
  EXPECT_TRUE(ArchiveSearch(archive).find({}).empty());
}

TEST_F(ArchiveSearchTest, FindsAllClipsOfAQuery) {
  const std::vector<FoundClip> found = ArchiveSearch(archive).find(
      query({{.scene = &scenes[0], .seconds = 6, .scene_in = 4}, {.scene = &scenes[5], .seconds = 9, .scene_in = 20}}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(name(found[0]), "5") << "the longer segment is more certain";
  EXPECT_EQ(name(found[1]), "0");
  EXPECT_NEAR(found[0].query_coverage, 0.6, 0.05);
}

TEST_F(ArchiveSearchTest, KnowsClipsThatAreAddedWhileItOpens) {
  std::vector<VideoArchive> archives;
  archives.emplace_back(archive.folder());
  for (const char* name : {"second", "third"}) archives.emplace_back(folder.path / name, SignatureOptions{});
  bool is_added = false;
  const ProgressSink add = [&](const ProgressStep&) {
    if (!std::exchange(is_added, true)) {
      for (VideoArchive& other : archives) add_clip(other, folder, "new", clip(2));
    }
  };
  const ArchiveSearch search(archives, add);
  EXPECT_TRUE(is_added);
  EXPECT_EQ(search.find(query({{.scene = &scenes[2], .seconds = 8, .scene_in = 12}})).size(), 2u);
}

TEST_F(ArchiveSearchTest, MakesNoArchiveAgainThatWasRemoved) {
  std::vector<VideoArchive> archives;
  archives.emplace_back(archive.folder());
  archives.emplace_back(folder.path / "other", SignatureOptions{});
  std::filesystem::remove_all(archives[1].folder());
  EXPECT_THROW(ArchiveSearch{archives}, Error);
  EXPECT_FALSE(std::filesystem::exists(archives[1].folder()));
}

TEST_F(ArchiveSearchTest, TellsMirroredCopies) {
  const ClipSignature reflection = mirrored(query({{.scene = &scenes[2], .seconds = 8, .scene_in = 5}}));
  const ArchiveSearch search(archive);
  const std::vector<FoundClip> found = search.find(reflection);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].segments[0].mirrored);
  EXPECT_TRUE(search.find(reflection, {.mirrored = false}).empty());
}

TEST_F(ArchiveSearchTest, AnyOrderOfIndexingGivesTheSame) {
  VideoArchive other(folder.path / "other", {});
  for (const unsigned i : {4U, 1U, 5U, 0U, 3U, 2U}) {
    add_clip(other, folder, std::to_string(i), clip(i));
    if (i == 5) ArchiveSearch{other};  // lists of some clips, then of the others
  }
  const ClipSignature asked =
      query({{.scene = &scenes[1], .seconds = 6, .scene_in = 4}, {.scene = &scenes[4], .seconds = 6, .scene_in = 20}});
  const std::vector<FoundClip> a = ArchiveSearch(archive).find(asked), b = ArchiveSearch(other).find(asked);
  ASSERT_EQ(a.size(), 2u);
  ASSERT_EQ(b.size(), 2u);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].clip.content, b[i].clip.content);
    EXPECT_EQ(a[i].segments, b[i].segments);
  }
}

void expect_same(const std::vector<FoundClip>& a, const std::vector<FoundClip>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].clip.content, b[i].clip.content);
    EXPECT_EQ(a[i].clip.files, b[i].clip.files);
    EXPECT_EQ(a[i].segments, b[i].segments);
    EXPECT_EQ(a[i].score, b[i].score);
  }
}

// Clip "2" is in both of the others, under two names.
TEST_F(ArchiveSearchTest, SeveralArchivesAreAsOne) {
  std::vector<VideoArchive> parts;
  parts.emplace_back(folder.path / "one", SignatureOptions{});
  parts.emplace_back(folder.path / "two", SignatureOptions{});
  for (const unsigned i : {4U, 2U, 0U}) add_clip(parts[0], folder, std::to_string(i), clip(i));
  for (const unsigned i : {5U, 1U, 3U, 2U}) add_clip(parts[1], folder, std::to_string(i), clip(i));
  std::filesystem::copy_file(folder.path / "2", folder.path / "copy");
  const std::string content = content_digest(folder.path / "2");
  for (VideoArchive* one : {&parts[1], &archive}) {
    ASSERT_TRUE(one->add_file(content, folder.path / "copy", stamp_of(folder.path / "copy").value()));
  }
  const ClipSignature asked = query({{.scene = &scenes[1], .seconds = 6, .scene_in = 4},
                                     {.scene = &scenes[2], .seconds = 8, .scene_in = 9},
                                     {.scene = &scenes[4], .seconds = 6, .scene_in = 20}});
  const std::vector<FoundClip> whole = ArchiveSearch(archive).find(asked);
  ASSERT_EQ(whole.size(), 3u);
  expect_same(ArchiveSearch(parts).find(asked), whole);
  std::vector<VideoArchive> turned;
  turned.push_back(std::move(parts[1]));
  turned.push_back(std::move(parts[0]));
  expect_same(ArchiveSearch(turned).find(asked), whole);

  const std::vector<std::filesystem::path> folders{folder.path / "two", folder.path / "one", folder.path / "two"};
  merge_archives(folder.path / "merged", folders);
  const VideoArchive merged(folder.path / "merged");
  EXPECT_EQ(merged.digest(), archive.digest());
  expect_same(ArchiveSearch(merged).find(asked), whole);
}

// One before the lists are made, the other after.
TEST_F(ArchiveSearchTest, ALostSignatureCostsNoOthers) {
  const ClipSignature asked = query({{.scene = &scenes[0], .seconds = 6, .scene_in = 4},
                                     {.scene = &scenes[2], .seconds = 8, .scene_in = 9},
                                     {.scene = &scenes[4], .seconds = 6, .scene_in = 20}});
  std::filesystem::remove(signature_of("2"));
  std::map<std::string, std::string> told;
  const LostClip tell = [&](const ArchivedClip& clip, const std::string& sentence) {
    told[clip.files.front().filename().string()] = sentence;
  };
  EXPECT_EQ(ArchiveSearch(archive, {}, tell).find(asked).size(), 2u);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told["2"].find("is lost"), std::string::npos) << told["2"];
  const std::vector<std::string> lists = files_below(archive.lists_folder());

  std::filesystem::resize_file(signature_of("4"), 100);
  told.clear();
  const ArchiveSearch search(archive, {}, tell);
  EXPECT_EQ(files_below(archive.lists_folder()), lists) << "a lost clip is no reason for new lists";
  const std::vector<FoundClip> found = search.find(asked);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(name(found[0]), "0");
  EXPECT_TRUE(search.duplicates().empty());
  ASSERT_EQ(told.size(), 2u);
  EXPECT_NE(told["4"].find("is damaged"), std::string::npos) << told["4"];
  EXPECT_THROW(ArchiveSearch(archive).find(asked), Error) << "without a callback a lost clip is an error";

  told.clear();
  merge_archives(folder.path / "merged", std::vector{archive.folder()}, tell);
  EXPECT_EQ(told.size(), 2u);
  EXPECT_EQ(VideoArchive(folder.path / "merged").clips().size(), 4u);
}

TEST_F(ArchiveSearchTest, AnArchiveThatCannotBeWrittenIsSearched) {
  const ClipSignature asked = query({{.scene = &scenes[3], .seconds = 8, .scene_in = 12}});
  const std::string digest = archive.digest();
  close();
  for (const bool has_lists : {false, true}) {
    permit(false);
    {
      const BoundByPermissions bound;
      VideoArchive shut(folder.path / "archive");
      EXPECT_FALSE(shut.may_change());
      EXPECT_EQ(shut.digest(), digest);
      EXPECT_EQ(ArchiveSearch(shut).find(asked).size(), 1u);
      EXPECT_THROW(shut.forget(folder.path / "1"), Error);
      EXPECT_EQ(std::filesystem::exists(shut.lists_folder()), has_lists);
    }
    permit(true);
    const VideoArchive open(folder.path / "archive");
    ArchiveSearch{open};
  }
}

// Another process is at work, so there is a log.
TEST_F(ArchiveSearchTest, AnArchiveThatAnotherUserWritesIsSearched) {
  const ClipSignature asked = query({{.scene = &scenes[3], .seconds = 8, .scene_in = 12}});
  permit(false);
  {
    const BoundByPermissions bound;
    const VideoArchive shut(archive.folder());
    EXPECT_FALSE(shut.may_change());
    EXPECT_EQ(ArchiveSearch(shut).find(asked).size(), 1u);
  }
  permit(true);
}

TEST_F(ArchiveSearchTest, ArchivesOfOtherSettingsAreRefused) {
  std::vector<VideoArchive> parts;
  parts.emplace_back(folder.path / "one", SignatureOptions{});
  parts.emplace_back(folder.path / "two", SignatureOptions{.max_features = 100});
  EXPECT_THROW(ArchiveSearch{parts}, Error);
  EXPECT_THROW(merge_archives(folder.path / "merged", std::vector{folder.path / "one", folder.path / "two"}), Error);
}

TEST_F(ArchiveSearchTest, FindsMirroredDuplicates) {
  add_clip(archive, folder, "part", mirrored(made_clip({{.scene = &scenes[1], .seconds = 10, .scene_in = 8}}, 2, 31)));
  const ArchiveSearch search(archive);
  const std::vector<ClipPair> pairs = search.duplicates();
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_TRUE(pairs[0].segments[0].mirrored);
  EXPECT_TRUE(search.duplicates({.mirrored = false}).empty());
}

TEST_F(ArchiveSearchTest, FindsDuplicatesInTheArchive) {
  EXPECT_TRUE(ArchiveSearch(archive).duplicates().empty());
  const std::string part =
      add_clip(archive, folder, "part", made_clip({{.scene = &scenes[1], .seconds = 10, .scene_in = 8}}, 2, 31));
  const ArchiveSearch search(archive);
  std::vector<ClipPair> pairs = search.duplicates();
  ASSERT_EQ(pairs.size(), 1u);
  const std::string whole = archive.clip_of_file(folder.path / "1").value().content;
  EXPECT_EQ(std::minmax(whole, part), std::minmax(pairs[0].a.content, pairs[0].b.content));
  EXPECT_LT(pairs[0].a.content, pairs[0].b.content);
  const bool a_is_part = pairs[0].a.content == part;
  EXPECT_GT(a_is_part ? pairs[0].a_coverage : pairs[0].b_coverage, 0.8);
  EXPECT_NEAR(a_is_part ? pairs[0].b_coverage : pairs[0].a_coverage, 0.33, 0.06);
  EXPECT_FALSE(pairs[0].verdict);
  archive.set_verdict({.a = pairs[0].a.content, .b = pairs[0].b.content, .judgement = Judgement::ignore, .note = {}});
  pairs = search.duplicates();
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].verdict.value().judgement, Judgement::ignore);
}

TEST_F(ArchiveSearchTest, ComparesTheMostPromisingClipsAlone) {
  const std::vector<FoundClip> found = ArchiveSearch(archive).find(
      query({{.scene = &scenes[0], .seconds = 4}, {.scene = &scenes[5], .seconds = 9}}), {.max_clips = 1});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(name(found[0]), "5");
}

}  // namespace
}  // namespace octavo
