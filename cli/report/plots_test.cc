#include "cli/report/plots.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "cli/report/python_script.h"

namespace octavo::cli {
namespace {

const std::vector<Plot> plots{
    {.title = "time & size",
     .x_label = "size [pixel]",
     .y_label = "time [ms]",
     .series = {{.label = "cpu", .x = {1, 10, 100}, .y = {2, NAN, 200}, .low = {1, 10, 100}, .high = {3, 30, 300}},
                {.label = "dots", .x = {1, 2}, .y = {5, 6}, .marks_only = true}},
     .log_x = true,
     .log_y = true},
    {.title = "second", .x_label = "", .y_label = "", .series = {}, .x_ticks = {"a", "b"}},
    {.title = "share",
     .x_label = "",
     .y_label = "",
     .series = {{.label = "few", .x = {0, 37.5, 80}, .y = {0, 51, 51}, .steps = true}},
     .x_tick_values = {0, 37.5, 80},
     .y_top = 100}};

TEST(Plots, AreDrawnOrSayWhyNot) {
  const DrawnPlots drawn = draw_plots(plots, "python3");
  if (!drawn.problem.empty()) {
    EXPECT_TRUE(drawn.svg.empty());
    GTEST_SKIP() << drawn.problem;
  }
  ASSERT_EQ(drawn.svg.size(), 3u);
  for (const char* word : {"<svg", "time &amp; size", "size [pixel]", "time [ms]", "cpu", "dots"}) {
    EXPECT_NE(drawn.svg[0].find(word), std::string::npos) << word;
  }
  EXPECT_NE(drawn.svg[1].find(">second<"), std::string::npos);
  for (const char* word : {">37.5<", ">80<", ">100<"}) EXPECT_NE(drawn.svg[2].find(word), std::string::npos) << word;
  EXPECT_EQ(draw_plots(plots, "python3").svg, drawn.svg);
}

TEST(Plots, NeedAPython) {
  EXPECT_EQ(draw_plots(plots, "no-such-python").problem, "there is no program no-such-python on the PATH");
  EXPECT_NE(draw_plots(plots, "/no/such/python").problem.find("/no/such/python cannot be started"), std::string::npos);
  EXPECT_EQ(draw_plots(plots, "false").problem, "the Python script for plots did not answer");
  EXPECT_EQ(draw_plots(plots, "true").problem, "the Python script for plots did not answer");
}

constexpr auto sums = R"(
import json, sys
for line in sys.stdin:
  print(json.dumps({'sum': sum(json.loads(line))}), flush=True)
)";

TEST(PythonScript, AnswersQuestionByQuestion) {
  try {
    PythonScript script("python3", "sums", sums);
    EXPECT_EQ(script.ask({1, 2, 3}).at("sum"), 6);
    EXPECT_EQ(script.ask({4}).at("sum"), 4);
    EXPECT_THROW(script.ask("text"), PythonFailure);  // the script ends by an exception …
    EXPECT_THROW(script.ask({1}), PythonFailure);     // … and stays ended
  } catch (const PythonFailure& failure) {
    GTEST_SKIP() << failure.what();
  }
}

TEST(PythonScript, EndsWhileALaterOneGoesOn) {
  try {
    auto first = std::make_unique<PythonScript>("python3", "sums", sums);
    PythonScript second("python3", "sums", sums);
    first.reset();
    EXPECT_EQ(second.ask({5}).at("sum"), 5);
  } catch (const PythonFailure& failure) {
    GTEST_SKIP() << failure.what();
  }
}

}  // namespace
}  // namespace octavo::cli
