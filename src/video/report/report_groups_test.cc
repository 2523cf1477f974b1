#include <gtest/gtest.h>

#include "video/report/made_report.h"

namespace octavo {
namespace {

using Groups = std::vector<std::vector<std::size_t>>;

VideoReport made_report(std::vector<ReportPair> pairs) {
  VideoReport report;
  report.same_coverage = 0.9;
  for (int i = 0; i < 5; ++i) report.clips.push_back(made_report_clip("/f/" + std::to_string(i), 10, 640 - 10 * i));
  report.pairs = std::move(pairs);
  return report;
}

TEST(ReportGroups, ArePairsThatCoverEachOtherAndWhatTheyConnect) {
  const CopySegment whole = made_segment(0, 10, 0, 10);
  EXPECT_EQ(groups_of(made_report(
                {made_pair(3, 1, {whole}), made_pair(1, 4, {whole}, 0.9, 0.95), made_pair(0, 2, {whole}, 1, 0.89)})),
            (Groups{{1, 3, 4}}))
      << "with the largest image first; a part of a longer clip is not the same thing";
  EXPECT_TRUE(groups_of(made_report({})).empty());
}

TEST(ReportGroups, HonourVerdicts) {
  ReportPair different = made_pair(0, 1, {made_segment(0, 10, 0, 10)}), same = made_pair(2, 3, {}, 0.1, 0.2);
  different.verdict = Verdict{.a = "a", .b = "b", .judgement = Judgement::different, .note = ""};
  same.verdict = Verdict{.a = "a", .b = "b", .judgement = Judgement::same, .note = ""};
  EXPECT_EQ(groups_of(made_report({different, same})), (Groups{{2, 3}}));
}

TEST(ReportGroups, AreOfClipsOrOfImages) {
  const CopySegment whole = made_segment(0, 10, 0, 10);
  VideoReport report = made_report({made_pair(0, 1, {whole}), made_pair(1, 2, {whole})});
  for (const std::size_t i : {1, 2}) report.clips[i].clip.facts.container = "image";
  EXPECT_EQ(groups_of(report), (Groups{{1, 2}}));
  report.pairs[0].verdict = Verdict{.a = "a", .b = "b", .judgement = Judgement::same, .note = ""};
  EXPECT_EQ(groups_of(report), (Groups{{0, 1, 2}})) << "a person says so";
}

TEST(ReportGroups, AreFilesOfTheSameBytesToo) {
  VideoReport report = made_report({});
  report.clips[3].clip.files.emplace_back("/f/copy");
  report.clips[4].clip.files.emplace_back("/f/other copy");
  report.clips[4].clip.size = 5000;
  EXPECT_EQ(groups_of(report), (Groups{{4}, {3}})) << "those with most bytes first";
}

}  // namespace
}  // namespace octavo
