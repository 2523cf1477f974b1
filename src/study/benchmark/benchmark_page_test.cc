// The page is written even where every implementation failed, and says why.

#include "study/benchmark/benchmark_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace octavo {
namespace {

TEST(BenchmarkPage, SaysWhyNothingWasMeasured) {
  const BenchmarkCircumstances circumstances{.version = "1",
                                             .date = "today",
                                             .machine = "a machine",
                                             .images = {{"a.png", "1 channel"}, {"b.png", "1 channel"}},
                                             .implementations = {{"cpu, 1 thread", "a processor"}},
                                             .absent = {{"cpu, 1 thread at 64x64", "out of memory"}}};
  const ReportPage page = benchmark_page(circumstances, {});
  const PageSection& result = page.sections.at(0);
  EXPECT_TRUE(result.conclusions.empty());
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("out of memory"), std::string::npos);
  EXPECT_TRUE(std::ranges::all_of(page.sections, [](const PageSection& section) { return section.plots.empty(); }));
  EXPECT_NE(html_of(page).find("out of memory"), std::string::npos);
}

TEST(BenchmarkPage, ComparesByKindsNotByNames) {
  const BenchmarkCircumstances circumstances{
      .version = "1",
      .date = "today",
      .machine = "a machine",
      .images = {{"a.png", "1 channel"}},
      .implementations = {{"plain", "", ImplementationKind::reference, 1},
                          {"single", "", ImplementationKind::cpu, 1},
                          {"few", "", ImplementationKind::cpu, 2},
                          {"many", "", ImplementationKind::cpu, 16},
                          {"OpenCV, as it is called", "", ImplementationKind::gpu, 16},
                          {"cpu, 99 threads", "", ImplementationKind::opencv, 4}},
      .absent = {}};
  std::vector<GridResult> results;
  double milliseconds = 70;
  for (const ImplementationFacts& implementation : circumstances.implementations) {
    milliseconds -= 10;
    results.push_back({.implementation = implementation.name,
                       .kind = implementation.kind,
                       .image = "a.png",
                       .size = {640, 480},
                       .budget = 100,
                       .keypoints = 100,
                       .milliseconds = std::vector<double>(5, milliseconds),
                       .stages = {},
                       .memory = {}});
  }
  const Table table = speed_table(circumstances, results);
  EXPECT_EQ(table.header, (std::vector<std::string>{"size", "keypoints", "fastest", "ms", "compared with single",
                                                    "compared with many", "compared with cpu, 99 threads"}));
  EXPECT_EQ(table.rows.at(0).at(2), "OpenCV, as it is called");
  const ReportPage page = benchmark_page(circumstances, results);
  EXPECT_EQ(page.sections.at(0).tables.at(0).header, (std::vector<std::string>{"size", "keypoints", "fastest", "ms"}));
  EXPECT_EQ(page.sections.at(0).tables.at(0).rows.at(0).size(), 4);
  EXPECT_NE(
      page.sections.at(0).conclusions.at(0).find("on OpenCV, as it is called is 2.0× slower than cpu, 99 threads"),
      std::string::npos)
      << page.sections.at(0).conclusions.at(0);
  EXPECT_EQ(std::ranges::count_if(page.sections,
                                  [](const PageSection& section) { return section.heading.starts_with("Compared"); }),
            5);
  for (GridResult& result : results) result.milliseconds.pop_back();
  const std::string few = benchmark_page(circumstances, results).sections.at(0).conclusions.at(0);
  EXPECT_EQ(few, "4 runs are too few to say which implementation is faster: at least 5 are needed (--rounds).");
}

TEST(BenchmarkPage, ComparesTwoImplementationsOnce) {
  const BenchmarkCircumstances circumstances{.version = "1",
                                             .date = "today",
                                             .machine = "a machine",
                                             .images = {{"a.png", "1 channel"}},
                                             .implementations = {{"plain", "", ImplementationKind::reference, 1},
                                                                 {"gpu", "", ImplementationKind::gpu, 1},
                                                                 {"cpu", "", ImplementationKind::cpu, 1},
                                                                 {"opencv", "", ImplementationKind::opencv, 1}},
                                             .absent = {}};
  std::vector<std::vector<std::string>> headers;
  for (const PageSection& section : benchmark_page(circumstances, {}).sections) {
    if (section.heading.starts_with("Compared")) headers.push_back(section.tables.at(0).header);
  }
  EXPECT_EQ(headers, (std::vector<std::vector<std::string>>{{"size, keypoints", "gpu", "cpu", "opencv"},
                                                            {"size, keypoints", "gpu", "opencv"},
                                                            {"size, keypoints", "gpu"}}));
}

}  // namespace
}  // namespace octavo
