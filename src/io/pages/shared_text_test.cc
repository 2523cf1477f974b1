// Pages name what lies in a folder, and not where the folder lies.

#include "io/pages/shared_text.h"

#include <gtest/gtest.h>

#include <vector>

#include "io/pages/report_page.h"

namespace octavo {
namespace {

TEST(SharedText, NamesPathsFromTheLastPartOfAPlace) {
  const std::vector<std::string> places{"/home/me/set/", "/home/you/a b/c.jpg", "photos", "/", "/top"};
  const auto shared = [&](const std::string& text) { return without_folders(text, places); };
  EXPECT_EQ(shared("/home/me/set"), "set");
  EXPECT_EQ(shared("of '/home/me/set/x.jpg': cannot read /home/me/set/x.jpg"), "of 'set/x.jpg': cannot read set/x.jpg");
  EXPECT_EQ(shared("<b>/home/you/a b/c.jpg</b>"), "<b>c.jpg</b>");
  EXPECT_EQ(shared("(/top/x)"), "(top/x)");
  for (const char* const kept :
       {"", "photos/x.jpg", "a / b", "jpeg;base64,/home/me/set", "x/home/me/set", "/else/set"}) {
    EXPECT_EQ(shared(kept), kept);
  }
}

TEST(SharedText, KnowsHowJsonAndPagesWritePaths) {
  const std::vector<std::string> places{"/home/\"m\" & me/set"};
  EXPECT_EQ(json_without_folders(R"({"root":"/home/\"m\" & me/set"})", places), R"({"root":"set"})");
  const ReportPage page{.subject = PageSubject::benchmark,
                        .title = "Of " + places.front(),
                        .sections = {{.heading = "In " + places.front(), .notes = {places.front() + "/x.jpg: failed"}}},
                        .json = R"({"root":"/home/\"m\" & me/set"})"};
  EXPECT_NE(html_of(page).find("/home/"), std::string::npos);
  EXPECT_EQ(html_of(page, places).find("/home/"), std::string::npos);
  EXPECT_NE(html_of(page, places).find("set/x.jpg: failed"), std::string::npos);
}

}  // namespace
}  // namespace octavo
