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

TEST(SharedText, HasPathsBelowTheFolderThatAllShare) {
  const auto shared = [](const std::vector<std::filesystem::path>& files) {
    std::vector<std::string> names;
    for (const auto& file : files) names.push_back(without_folders(file.string(), places_below_all(files)));
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(shared({"/home/me/a/x.avi", "/home/me/a/b/y.avi"}), (Names{"x.avi", "b/y.avi"}));
  EXPECT_EQ(shared({"/home/me/ab/x.avi", "/home/me/a/y.avi"}), (Names{"ab/x.avi", "a/y.avi"}));
  EXPECT_EQ(shared({"/home/me/x.avi", "/mnt/disk/y.avi"}), (Names{"x.avi", "y.avi"}));
  EXPECT_EQ(shared({"/home/me/x.avi", "films/y.avi"}), (Names{"x.avi", "films/y.avi"}));
  EXPECT_EQ(shared({}), Names());
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
