#include "video/report/report_files.h"

#include <gtest/gtest.h>

#include "io/json/json.h"
#include "video/report/made_report.h"

namespace octavo {
namespace {

// A clip of 10 seconds, of which two parts are in a clip of 60 seconds: one as it is, one mirrored and twice as fast.
VideoReport made_report() {
  VideoReport report;
  report.archive = "/archive";
  report.same_coverage = 0.9;
  report.clips = {made_report_clip("/films/a, \"b\".avi", 10), made_report_clip("/films/c d.avi", 60)};
  report.clips[1].clip.facts.time_code = "10:00:00:00";
  CopySegment fast = made_segment(6, 8, 40, 44);
  fast.mirrored = true;
  fast.other_from_query = {.a = 0, .b = 2, .tx = 3, .ty = -4.5};
  report.pairs = {made_pair(0, 1, {made_segment(0, 4, 20, 24), fast}, 0.6, 0.13)};
  report.failures = {{"/films/a</script>.avi", 7, "it is empty"}};
  report.groups = groups_of(report);
  return report;
}

TEST(ReportCsv, HasARowForEachSegment) {
  EXPECT_EQ(csv_of(made_report()),
            "pair,segment,clip_a,clip_b,in_a,out_a,in_b,out_b,in_frame_a,out_frame_a,in_frame_b,out_frame_b,"
            "in_time_code_a,out_time_code_a,in_time_code_b,out_time_code_b,still,exact_ends,ends_within,"
            "speed,mirrored,negative,scale,stretch,degrees,"
            "shift_x,shift_y,"
            "frame_count,inlier_count,score,coverage_a,coverage_b,verdict\r\n"
            "1,1,\"/films/a, \"\"b\"\".avi\",/films/c d.avi,0.000000,4.000000,20.000000,24.000000,0,100,500,600,"
            "00:00:00:00,00:00:04:00,10:00:20:00,10:00:24:00,false,true,0.020000,1,false,false,1,1,0,0,0,"
            "12,345,50,0.6,0.13,\r\n"
            "1,2,\"/films/a, \"\"b\"\".avi\",/films/c d.avi,6.000000,8.000000,40.000000,44.000000,150,200,1000,1100,"
            "00:00:06:00,00:00:08:00,10:00:40:00,10:00:44:00,false,true,0.020000,2,true,false,2,1,90,3,"
            "-4.5,12,345,50,0.6,0.13,\r\n");
  const VideoReport nothing;
  EXPECT_EQ(csv_of(nothing).find("\r\n"), csv_of(nothing).size() - 2) << "the names of the columns alone";
}

TEST(ReportJson, HasAllButImages) {
  VideoReport report = made_report();
  report.pairs[0].verdict = Verdict{.a = "a", .b = "b", .judgement = Judgement::ignore, .note = "a \xff note"};
  const Json json = parse_json(json_of(report));
  EXPECT_EQ(json["archive"], "/archive");
  EXPECT_EQ(json["of"], "archive");
  EXPECT_TRUE(json["queries"].is_null());
  EXPECT_EQ(json["settings"]["min_seconds"], 2);
  EXPECT_EQ(json["clips"][1]["facts"]["frame_rate"], "25/1");
  EXPECT_EQ(json["clips"][1]["facts"]["codec"], "mpeg4");
  EXPECT_EQ(json["clips"][1]["facts"]["time_code"], "10:00:00:00");
  EXPECT_TRUE(json["clips"][0]["facts"]["time_code"].is_null());
  EXPECT_EQ(json["failed_clips"][0]["problems"], Json::array({"it is empty"}));
  const Json& pair = json["pairs"][0];
  EXPECT_EQ(pair["index_b"], 1);
  EXPECT_EQ(pair["clip_b"], "/films/c d.avi");
  EXPECT_EQ(pair["verdict"], "ignore");
  EXPECT_EQ(pair["note"], "a \uFFFD note");
  EXPECT_EQ(pair["verdict_call"], Json({"octavo", "video", "verdict", "/films/a, \"b\".avi", "/films/c d.avi",
                                        "different", "--index", "/archive"}));
  EXPECT_EQ(pair["segments"][1]["in_b"], 40);
  EXPECT_EQ(pair["segments"][1]["in_frame_b"], 1000);
  EXPECT_EQ(pair["segments"][1]["out_time_code_b"], "10:00:44:00");
  EXPECT_EQ(pair["segments"][1]["scale"], 2);
  EXPECT_EQ(pair["segments"][1]["degrees"], 90);
  EXPECT_EQ(json_text(pair["segments"][0]["similarity"]), "[[1.0,0.0,0.0],[0.0,1.0,0.0]]");
  EXPECT_EQ(pair["segments"][1]["similarity"], Json({{0, -2, 3}, {2, 0, -4.5}}));
}

TEST(ReportJson, HasNoVerdictCallForAClipThatTheArchiveLacks) {
  VideoReport report = made_report();
  report.is_search = true;
  report.clips[0].clip.id = 0;
  const Json json = parse_json(json_of(report));
  EXPECT_EQ(json["of"], "search");
  EXPECT_TRUE(json["pairs"][0]["verdict_call"].is_null());
  EXPECT_FALSE(json["clips"][0]["in_archive"].get<bool>());
}

// Start and duration in seconds.
std::pair<double, double> seconds_of(const Json& range) {
  const auto seconds = [](const Json& time) { return time["value"].get<double>() / time["rate"].get<double>(); };
  return {seconds(range["start_time"]), seconds(range["duration"])};
}

TEST(ReportOtio, HasAStackForEachClipOfAPair) {
  const Json stacks = parse_json(otio_of(timelines_of(made_report())))["tracks"]["children"][0]["children"];
  ASSERT_EQ(stacks.size(), 2u);
  const Json& tracks = stacks[0]["children"];
  ASSERT_EQ(tracks.size(), 2u);
  EXPECT_EQ(seconds_of(tracks[0]["children"][0]["source_range"]), std::pair(0.0, 10.0));
  const Json& found = tracks[1]["children"];
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0]["OTIO_SCHEMA"], "Clip.2");
  EXPECT_EQ(seconds_of(found[0]["source_range"]), std::pair(36020.0, 4.0)) << "from its time code on";
  EXPECT_TRUE(found[0]["effects"].empty());
  EXPECT_EQ(found[0]["media_references"]["DEFAULT_MEDIA"]["target_url"], "file:///films/c%20d.avi");
  EXPECT_EQ(found[1]["OTIO_SCHEMA"], "Gap.1");
  EXPECT_EQ(seconds_of(found[1]["source_range"]), std::pair(0.0, 2.0));
  EXPECT_EQ(seconds_of(found[2]["source_range"]), std::pair(36040.0, 2.0))
      << "it lasts as long as it does in this clip";
  EXPECT_EQ(found[2]["effects"][0]["time_scalar"], 2);
  EXPECT_EQ(found[2]["metadata"]["octavo"]["mirrored"], true);
  EXPECT_EQ(seconds_of(found[3]["source_range"]), std::pair(0.0, 2.0)) << "up to the end of the clip";

  const Json& of_other = stacks[1]["children"][1]["children"];
  ASSERT_EQ(of_other.size(), 5u);
  EXPECT_EQ(seconds_of(of_other[3]["source_range"]), std::pair(6.0, 4.0));
  EXPECT_EQ(of_other[3]["effects"][0]["time_scalar"], 0.5);
}

TEST(ReportOtio, HasATrackMoreForSegmentsThatOverlap) {
  VideoReport report = made_report();
  report.is_search = true;
  report.pairs[0].segments = {made_segment(0, 4, 20, 24), made_segment(2, 6, 40, 44), made_segment(4, 6, 50, 52)};
  Json stacks = parse_json(otio_of(timelines_of(report)))["tracks"]["children"][0]["children"];
  ASSERT_EQ(stacks.size(), 1u) << "of a search queries alone have stacks";
  report.clips[0].clip.facts.time_code = "01:00:00:00";
  EXPECT_EQ(parse_json(otio_of(timelines_of(report)))["global_start_time"]["value"], 90000);
  ASSERT_EQ(stacks[0]["children"].size(), 3u);
  EXPECT_EQ(stacks[0]["children"][1]["children"].size(), 3u);

  report.pairs[0].verdict = Verdict{.a = "a", .b = "b", .judgement = Judgement::different, .note = ""};
  EXPECT_TRUE(parse_json(otio_of(timelines_of(report)))["tracks"]["children"][0]["children"].empty());
}

TEST(ReportOtio, CountsMillisecondsWhereTheRateIsUnknown) {
  VideoReport report = made_report();
  report.clips[0].clip.facts.frame_rate = {0, 1};
  const Json stack = parse_json(otio_of(timelines_of(report)))["tracks"]["children"][0]["children"][0];
  const Json range = stack["children"][0]["children"][0]["source_range"];
  EXPECT_EQ(range["duration"]["rate"], 1000);
  EXPECT_EQ(range["duration"]["value"], 10000);
}

TEST(VideoReportPage, HoldsTheReportAndItsImages) {
  VideoReport report = made_report();
  report.archive = "/films/archive";
  ReportImages images;
  PairImages pair{.pair = 0, .best = 0, .segments = {}, .why = {}, .affinity = {}};
  pair.segments.resize(2);
  pair.segments[0].a[1] = ReportFrame{{.jpeg = {std::byte{'f'}, std::byte{'o'}}, .width = 4, .height = 2}, 2.5};
  images.pairs.push_back(pair);
  images.lacking[1] = "there is no such file";
  const std::string page = page_of(report, images);
  EXPECT_NE(page.find("<title>Duplicates in archive</title>"), std::string::npos);
  EXPECT_NE(page.find(R"({"jpeg":"Zm8=","width":4,"height":2,"seconds":2.5})"), std::string::npos);
  EXPECT_NE(page.find(R"("lacking":{"1":"there is no such file"})"), std::string::npos);
  EXPECT_NE(page.find(R"("a\u003c/script>.avi")"), std::string::npos) << "no name ends the script";
  for (const char* word : {"https://", "@import", "<img", "<link rel=\"stylesheet\"", "url("}) {
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  }
}

// The page of a report on these clips, with this archive.
std::string page_with(const std::string& archive, const std::string& a, const std::string& b) {
  VideoReport report = made_report();
  report.archive = archive;
  report.clips = {made_report_clip(a, 10), made_report_clip(b, 60)};
  report.failures.clear();
  return page_of(report, {});
}

TEST(VideoReportPage, JudgesByContentWhereOnlyTheRootHoldsAllFiles) {
  EXPECT_NE(page_with("/archive", "/a.avi", "/films/b.avi").find(R"("verdict","content of a.avi","content of b.avi",)"),
            std::string::npos);
  EXPECT_NE(page_with("/films/archive", "/films/a.avi", "/films/b.avi").find(R"("verdict","a.avi","b.avi",)"),
            std::string::npos);
}

TEST(VideoReportPage, NamesFilesBelowTheFolderThatAllShare) {
  const std::string page = page_with("/home/me/all/archive", "/home/me/all/films/a.avi", "/home/me/all/b.avi");
  EXPECT_NE(page.find(R"("clip":"films/a.avi")"), std::string::npos);
  EXPECT_NE(page.find(R"("archive":"archive")"), std::string::npos);
  EXPECT_EQ(page.find("/home/"), std::string::npos);
}

TEST(VideoReportPage, NamesFilesAloneThatShareNoFolder) {
  const std::string page = page_with("/archive", "/home/me/a.avi", "/mnt/disk/b.avi");
  EXPECT_NE(page.find(R"("clip":"a.avi")"), std::string::npos);
  EXPECT_EQ(page.find("/home/"), std::string::npos);
  EXPECT_EQ(page.find("/mnt/"), std::string::npos);
}

}  // namespace
}  // namespace octavo
