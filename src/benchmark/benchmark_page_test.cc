// The page is written even where every contender failed, and says why.

#include "octavo/benchmark_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace octavo {
namespace {

TEST(BenchmarkPage, SaysWhyNothingWasMeasured) {
  const BenchmarkCircumstances circumstances{.version = "1",
                                             .date = "today",
                                             .machine = "a machine",
                                             .pictures = {{"a.png", "1 channel"}, {"b.png", "1 channel"}},
                                             .contenders = {{"cpu, 1 thread", "a processor"}},
                                             .absent = {"cpu, 1 thread at 64x64: out of memory"}};
  const ReportPage page = benchmark_page(circumstances, {});
  const PageSection& result = page.sections.at(0);
  EXPECT_TRUE(result.conclusions.empty());
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("out of memory"), std::string::npos);
  EXPECT_TRUE(std::ranges::all_of(page.sections, [](const PageSection& section) { return section.plots.empty(); }));
  EXPECT_NE(html_of(page).find("out of memory"), std::string::npos);
}

}  // namespace
}  // namespace octavo
