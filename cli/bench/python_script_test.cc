#include "cli/bench/python_script.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace octavo::cli {
namespace {

constexpr auto sums = R"(
import json, sys
for line in sys.stdin:
  print(json.dumps({'sum': sum(json.loads(line))}), flush=True)
)";

TEST(PythonScript, NeedsAPython) {
  const auto failure = [](const char* python) -> std::string {
    try {
      PythonScript(python, "sums", sums).ask({1});
    } catch (const PythonFailure& why) {
      return why.what();
    }
    return {};
  };
  EXPECT_EQ(failure("no-such-python"), "there is no program no-such-python on the PATH");
  EXPECT_NE(failure("/no/such/python").find("/no/such/python cannot be started"), std::string::npos);
  EXPECT_EQ(failure("false"), "the Python script for sums did not answer");
  EXPECT_EQ(failure("true"), "the Python script for sums did not answer");
}

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
