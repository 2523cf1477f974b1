#include <gtest/gtest.h>

#include <array>

#include "jobs/figures_text.h"
#include "jobs/machine_report.h"
#include "jobs/memory_report.h"
#include "jobs/segments_text.h"
#include "octavo/jobs/image_jobs.h"

namespace octavo {
namespace {

TEST(FiguresText, CountsTimesAndSizes) {
  EXPECT_EQ(count_text(1, "pair"), "1 pair");
  EXPECT_EQ(count_text(0, "pair"), "0 pairs");
  EXPECT_EQ(clock_text(3722.6), "1:02:03");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(8.1e6), "8.1 MB");
  EXPECT_EQ(bytes_text(999960), "1.0 MB");
  EXPECT_EQ(rows_text("t", std::array<double, 3>{1, 2.5, -3}),
            "t                                1            2.5             -3\n");
}

TEST(TextOfExtraction, TellsWhatIsLeftOut) {
  ExtractJob job;
  EXPECT_EQ(text_of(job, {.done = 3}), "");
  EXPECT_EQ(text_of(job, {.up_to_date = 1, .left_out = 2}),
            "1 image is up to date\n2 images are results of an earlier run and left out\n");
  job.are_videos = true;
  EXPECT_EQ(text_of(job, {.up_to_date = 2}), "2 frames are up to date\n");
}

TEST(TextOfSelftest, CountsDevicesAndMismatches) {
  const DeviceOptions cpu{.name = "cpu"}, gpu{.name = "cuda:0"};
  const SelftestResult right{.image = "i", .stage = "s", .digest = "0", .expected = "0", .ok = true};
  const SelftestResult wrong{.image = "i", .stage = "s", .digest = "1", .expected = "0", .ok = false};
  EXPECT_EQ(conclusion_of({{cpu, right}, {gpu, right}}),
            "This machine gives the recorded bytes: 2 digests on 2 devices.");
  EXPECT_EQ(conclusion_of({{cpu, right}, {gpu, wrong}}),
            "This machine does not give the recorded bytes: 1 of 2 digests differ.");
}

TEST(TextOfSegments, TellsHowTheImageIsTurned) {
  const auto image_of = [](double a, double b, bool mirrored) {
    CopySegment segment;
    segment.other_from_query = {.a = a, .b = b};
    segment.mirrored = mirrored;
    segment.exact_ends = true;
    const std::string text = jobs::segments_text({segment}, "query", "clip");
    return text.substr(text.rfind("  ") + 2);
  };
  EXPECT_EQ(image_of(1, 0, false), "1.00 x\n");
  EXPECT_EQ(image_of(2, 0.01, false), "2.00 x\n");  // film shakes
  EXPECT_EQ(image_of(0, -0.5, false), "0.50 x, turned by -90°\n");
  EXPECT_EQ(image_of(-1, 0, true), "1.00 x, mirrored, turned by 180°\n");
}

TEST(MemoryOfWork, FitsIfThePixelsDoToo) {
  MemoryEstimate estimate;
  estimate.host.bytes = 100;
  MemoryReport report{.image = "a", .shape = {}, .pixels = 100, .devices = {estimate}};
  EXPECT_TRUE(report.fits());
  report.pixels = 101;
  EXPECT_FALSE(report.fits());
  EXPECT_NE(text_of(report).find(": it does not fit\n"), std::string::npos);
}

}  // namespace
}  // namespace octavo
