#include "video/review/kept_files.h"

#include <gtest/gtest.h>

#include "video/report/made_report.h"

namespace octavo::review {
namespace {

Verdict said(Judgement judgement) { return {.a = "a", .b = "b", .judgement = judgement, .note = {}}; }

// A large clip, a small one, a longer small one, and one that is like nothing else.
VideoReport made() {
  VideoReport report;
  report.same_coverage = 0.9;
  report.clips = {made_report_clip("/a/small.avi", 10, 320), made_report_clip("/a/large.avi", 10, 640),
                  made_report_clip("/a/longer.avi", 11, 320), made_report_clip("/a/other.avi", 5)};
  const std::vector segments{made_segment(0, 10, 0, 10)};
  report.pairs = {made_pair(0, 1, segments), made_pair(1, 2, segments, 0.95, 0.5), made_pair(0, 2, segments, 0.2, 0.2)};
  return report;
}

std::vector<std::string> actions(const std::vector<KeptFile>& files) {
  std::vector<std::string> texts;
  for (const KeptFile& one : files) texts.push_back((one.is_kept ? "+" : "-") + one.file.filename().string());
  return texts;
}

TEST(KeptFiles, AreThoseWithMostPixels) {
  VideoReport report = made();
  EXPECT_TRUE(kept_files(report, false).empty());
  EXPECT_EQ(actions(kept_files(report, true)), (std::vector<std::string>{"+large.avi", "-small.avi"}));
  report.pairs[1].verdict = said(Judgement::same);
  const std::vector<KeptFile> files = kept_files(report, false);
  EXPECT_EQ(actions(files), (std::vector<std::string>{"+large.avi", "-longer.avi"}));
  EXPECT_EQ(files[1].pair, 1u);
  EXPECT_EQ(files[1].reason, "judged the same as 'large.avi'");
  EXPECT_EQ(actions(kept_files(report, true)), (std::vector<std::string>{"+large.avi", "-longer.avi", "-small.avi"}));
}

TEST(KeptFiles, OfEqualPixelsAreTheLongestAndThenTheLargest) {
  VideoReport report = made();
  report.clips[1].clip.facts.width = 320;
  report.clips[1].clip.facts.height = 160;
  for (ReportPair& pair : report.pairs) pair.verdict = said(Judgement::same);
  EXPECT_EQ(actions(kept_files(report, false)).front(), "+longer.avi");
  report.clips[2].clip.facts.seconds = 10;
  report.clips[0].clip.size = 2000;
  EXPECT_EQ(actions(kept_files(report, false)).front(), "+small.avi");
}

TEST(KeptFiles, AreAllWhereVerdictsContradictEachOther) {
  VideoReport report = made();
  report.pairs[0].verdict = report.pairs[1].verdict = said(Judgement::same);
  report.pairs[2].verdict = said(Judgement::different);
  const std::vector<KeptFile> files = kept_files(report, false);
  EXPECT_EQ(actions(files), (std::vector<std::string>{"+large.avi", "+longer.avi", "+small.avi"}));
  EXPECT_EQ(files[0].pair, 2u);
}

TEST(KeptFiles, AreOneOfThoseWithTheSameBytes) {
  VideoReport report = made();
  report.clips[3].clip.files.emplace_back("/b/twin.avi");
  const std::vector<KeptFile> files = kept_files(report, false);
  EXPECT_EQ(actions(files), (std::vector<std::string>{"+other.avi", "-twin.avi"}));
  EXPECT_EQ(files[1].reason, "the same bytes as '/a/other.avi'");
  EXPECT_FALSE(files[1].pair);
}

TEST(KeptFiles, AreATable) {
  const std::vector<KeptFile> files{{true, "/a/b, \"c\".avi", 5, "best", std::nullopt}, {false, "/d", 6, "why", 2}};
  EXPECT_EQ(csv_of(files),
            "action,path,size,reason,pair\r\nkeep,\"/a/b, \"\"c\"\".avi\",5,best,\r\ndrop,/d,6,why,3\r\n");
}

TEST(KeptFiles, AreWordsOfAShellOnOneLine) {
  EXPECT_EQ(shell_word("/a/it's $HOME.avi"), "'/a/it'\\''s $HOME.avi'");
  EXPECT_EQ(shell_word("/a/\nrm -rf ~\n'\\.avi"), "$'/a/\\012rm -rf ~\\012\\'\\\\.avi'");
  const std::string script = script_of({{true, "/a", 1, "", {}}, {false, "/b\ntouch /c", 1, "", {}}}, "/archive\nls");
  std::size_t lines = 0;
  for (std::size_t at = 0; at < script.size(); at = script.find('\n', at) + 1, ++lines) {
    EXPECT_TRUE(script[at] == '#' || script[at] == '\n') << script.substr(at);
  }
  EXPECT_GT(lines, 5u);
  EXPECT_NE(script.find("# rm -- $'/b\\012touch /c'\n"), std::string::npos);
}

}  // namespace
}  // namespace octavo::review
