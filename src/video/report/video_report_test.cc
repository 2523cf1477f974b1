#include "octavo/video/video_report.h"

#include <gtest/gtest.h>

#include <fstream>

#include "octavo/error.h"
#include "video/archive/made_archive.h"
#include "video/report/report_images.h"
#include "video/signature/made_clips.h"

namespace octavo {
namespace {

// An archive of two clips of one scene, "whole" (20 s) and its "part" (8 s), and of another clip.
class VideoReportTest : public testing::Test {
 protected:
  VideoReportTest() {
    whole = add_clip(archive, folder, "whole", made_original({{.scene = &scene, .seconds = 20}}, 1));
    part = add_clip(archive, folder, "part", made_original({{.scene = &scene, .seconds = 8, .scene_in = 6}}, 2));
    add_clip(archive, folder, "other", made_original({{.scene = &other, .seconds = 10}}, 3));
  }

  static const ReportClip& clip(const VideoReport& report, const std::string& name) {
    return *std::ranges::find_if(report.clips,
                                 [&](const ReportClip& one) { return one.clip.files.front().filename() == name; });
  }

  MadeScene scene{1, 20}, other{2, 20};
  TestFolder folder;
  VideoArchive archive{folder.path / "archive", {}};
  std::string whole, part;
};

TEST_F(VideoReportTest, HasThePairsOfTheSearch) {
  const VideoReport report = report_duplicates(archive);
  const std::vector<ClipPair> expected = ArchiveSearch(archive).duplicates();
  ASSERT_EQ(report.pairs.size(), 1u);
  ASSERT_EQ(expected.size(), 1u);
  EXPECT_EQ(report.pairs[0].segments, expected[0].segments);
  EXPECT_EQ(report.clips[report.pairs[0].a].clip.content, expected[0].a.content);
  EXPECT_EQ(report.pairs[0].a_coverage, expected[0].a_coverage);
  EXPECT_EQ(report.pairs[0].score, expected[0].score);
  EXPECT_FALSE(report.pairs[0].segments[0].exact_ends);
  EXPECT_FALSE(report.is_search);
  EXPECT_EQ(report.clips.size(), 3u);
  EXPECT_EQ(report.archive, folder.path / "archive");
  EXPECT_TRUE(report.groups.empty()) << "a part of a clip is not the same thing";
}

TEST_F(VideoReportTest, KnowsVerdicts) {
  archive.set_verdict({.a = whole, .b = part, .judgement = Judgement::ignore, .note = "a part"});
  const VideoReport report = report_duplicates(archive);
  ASSERT_EQ(report.pairs.size(), 1u);
  EXPECT_TRUE(report.pairs[0].is_settled());
  EXPECT_EQ(report.pairs[0].verdict->note, "a part");
  EXPECT_TRUE(report_images(report, archive, {}).pairs.empty());
}

TEST_F(VideoReportTest, TellsWhichFilesCannotBeRead) {
  std::filesystem::remove(folder.path / "part");
  std::ofstream(folder.path / "whole", std::ios::app) << "more";
  archive.add_failure(folder.path / "broken", FileStamp{.size = 5}, "it is no video");
  const VideoReport report = report_duplicates(archive, {.exact_ends = true});
  EXPECT_EQ(clip(report, "part").unreadable, "there is no such file");
  EXPECT_EQ(clip(report, "whole").unreadable, "it changed since it was indexed");
  EXPECT_TRUE(clip(report, "whole").readable.empty());
  EXPECT_EQ(clip(report, "other").readable, folder.path / "other");
  ASSERT_EQ(report.failures.size(), 1u);
  EXPECT_EQ(report.failures[0].reason, "it is no video");
  EXPECT_EQ(report.failures[0].size, 5u);
  EXPECT_FALSE(report.pairs[0].segments[0].exact_ends);

  const ReportImages images = report_images(report, archive, {});
  ASSERT_EQ(images.pairs.size(), 1u);
  EXPECT_EQ(images.lacking.size(), 2u);
  EXPECT_FALSE(images.pairs[0].why);
  EXPECT_FALSE(images.pairs[0].segments[0].a[0]);
  ASSERT_TRUE(images.pairs[0].affinity) << "it needs no file";
  EXPECT_EQ(images.pairs[0].affinity->a_in, 0);
  EXPECT_NEAR(images.pairs[0].affinity->a_out, clip(report, "part").clip.facts.seconds, 12.1);
}

TEST_F(VideoReportTest, LimitsImages) {
  const VideoReport report = report_duplicates(archive);
  const ReportImages none = report_images(report, archive, {.max_images = 0});
  EXPECT_TRUE(none.pairs.empty());
  EXPECT_EQ(none.left_out, 1u);
  EXPECT_THROW(report_duplicates(archive, {.same_coverage = 2}), Error);
  EXPECT_THROW(report_duplicates(archive, {.max_images = -1}), Error);
}

TEST_F(VideoReportTest, NamesQueriesThatCannotBeRead) {
  const std::vector<std::filesystem::path> queries{folder.path / "none.avi"};
  const VideoReport report = report_search(archive, queries, {}, {}, query_signature_options(), {}, {.name = "cpu"});
  EXPECT_TRUE(report.is_search);
  EXPECT_TRUE(report.pairs.empty());
  EXPECT_TRUE(report.clips.empty());
  ASSERT_EQ(report.failures.size(), 1u);
  EXPECT_FALSE(report.failures[0].size);
  EXPECT_NE(report.failures[0].reason.find("no such file"), std::string::npos);
}

}  // namespace
}  // namespace octavo
