// Jobs on archives of clips: what is lost is told once and costs nothing else.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/test_folder.h"
#include "io/json/json.h"
#include "jobs/archive_list.h"
#include "jobs/readable_clips.h"
#include "octavo/error.h"
#include "octavo/jobs/archive_jobs.h"
#include "octavo/jobs/video_jobs.h"

namespace octavo {
namespace {

JobContext listing(std::vector<std::string>& failures) {
  JobContext context;
  context.fail = [&](const std::string& sentence) { failures.push_back(sentence); };
  return context;
}

TEST(VideoJobs, AFailureIsToldOnce) {
  std::vector<std::string> failures;
  std::set<std::string> told;
  const JobContext caller = listing(failures), once = jobs::telling_once(caller, told);
  for (const char* sentence : {"a", "b", "a"}) report_failure(once, sentence);
  EXPECT_EQ(failures, (std::vector<std::string>{"a", "b"}));
}

TEST(VideoJobs, OnlyFilesThatCannotBeReadAreNoErrorOfTheJob) {
  std::vector<std::string> failures;
  const JobContext context = listing(failures);
  EXPECT_TRUE(jobs::does_read([] {}, context));
  EXPECT_FALSE(jobs::does_read([] { throw Error(ErrorCode::file_error, "gone"); }, context));
  EXPECT_EQ(failures, std::vector<std::string>{"gone"});
  EXPECT_THROW(jobs::does_read([] { throw Error(ErrorCode::out_of_memory, "full"); }, context), Error);
}

TEST(VideoJobs, QueriesAndClipsThatCannotBeReadCostNoOther) {
  const TestFolder folder;
  const VideoArchive archive(folder / "archive", SignatureOptions{});
  std::vector<std::string> failures;
  SearchJob job;
  job.queries = {folder / "a.mp4", folder / "b.mp4"};
  job.archives = std::span(&archive, 1);
  search_clips(job, listing(failures));
  ASSERT_EQ(failures.size(), 2u);
  EXPECT_NE(failures[1].find("b.mp4"), std::string::npos);
  failures.clear();
  EXPECT_TRUE(find_takes({.clips = job.queries}, listing(failures)).files.empty());
  EXPECT_EQ(failures.size(), 2u);
  job.images = folder / "images";
  job.queries = {folder / "a.mp4", folder / "x" / "a.mp4"};
  EXPECT_THROW(search_clips(job), Error);  // their images would have one name
}

TEST(VideoJobs, AnArchiveTellsTheClipsInWork) {
  const TestFolder folder;
  VideoArchive archive(folder / "archive", SignatureOptions{});
  ArchiveJob job;
  for (const char* name : {"a.mp4", "b.mp4"}) {
    job.found.files.emplace_back(folder / name);
    job.found.names.emplace_back(name);
  }
  job.index.read = [](const auto&, const auto&) -> std::optional<ClipFacts> {
    throw Error(ErrorCode::file_error, "gone");
  };
  JobContext context;
  std::set<std::string> items;
  std::size_t done = 0;
  context.progress = [&](const ProgressStep& step) {
    items.emplace(step.item);
    done = step.done;
    EXPECT_EQ(step.total, 2u);
  };
  fill_archive(archive, job, context);
  EXPECT_TRUE(items.contains(folder / "a.mp4") && items.contains(folder / "b.mp4"));
  EXPECT_EQ(done, 2u);
}

TEST(VideoJobs, FramesOfClipsThatCannotBeReadCostNoOther) {
  const TestFolder folder;
  const std::string a = folder / "a.mp4", b = folder / "x" / "b.mp4";
  std::vector<std::string> failures;
  std::string list;
  FramesJob job{.clips = {a, b}};
  job.list = [&](std::string_view piece) {
    list += piece;
    return true;
  };
  take_frames(job, listing(failures));
  EXPECT_EQ(failures.size(), 2u);
  EXPECT_EQ(list, "[]\n");
  job.contact_sheet = folder / "sheet.png";
  EXPECT_THROW(take_frames(job), Error);  // it shows one video
  job = {.clips = {a, folder / "x" / "a.mp4"}, .output = folder / "frames"};
  EXPECT_THROW(take_frames(job), Error);  // their images would have one name
  EXPECT_FALSE(std::filesystem::exists(folder / "frames"));
}

TEST(VideoJobs, AReportHasFittingNames) {
  const TestFolder folder;
  const VideoArchive archive(folder / "archive", SignatureOptions{});
  ReportJob job{.archive = folder / "archive"};
  EXPECT_THROW(write_report(job), Error);  // it has no file
  for (const char* name : {"a.csv", "a.html"}) {
    job.json_output = folder / name;
    EXPECT_THROW(write_report(job), Error) << name;
  }
  job.json_output = folder / "a.json";
  write_report(job);
  std::filesystem::create_symlink("a.json", folder / "a.otio");
  job.otio = folder / "a.otio";
  EXPECT_THROW(write_report(job), Error);  // both are one file
}

TEST(VideoJobs, AListHasTheTotals) {
  const TestFolder folder;
  const VideoArchive archive(folder / "archive", {.max_features = 99});
  const Json json = parse_json(json_of(archive, list_of(archive)));
  EXPECT_EQ(json["settings"]["max_features"], 99);
  EXPECT_EQ(json["totals"]["clip_count"], 0);
  EXPECT_EQ(verdicts_json(archive), "[]");
}

}  // namespace
}  // namespace octavo
