#include "cli/report/html_page.h"

#include <gtest/gtest.h>

namespace octavo::cli {
namespace {

const Table table{{"setting", "matches"}, {{"größe", "12"}, {"b", "3456789"}}};

TEST(HtmlPage, EscapesWhatItIsGiven) {
  HtmlPage page("a < b & \"c\"");
  page.paragraph("<script>alert(1)</script>");
  page.table({{"x"}, {{"1 > 0"}}});
  page.details("more", "</pre>");
  const std::string text = page.text();
  EXPECT_NE(text.find("<title>a &lt; b &amp; &quot;c&quot;</title>"), std::string::npos);
  EXPECT_NE(text.find("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"), std::string::npos);
  EXPECT_NE(text.find("<td class=\"word\">1 &gt; 0</td>"), std::string::npos);
  EXPECT_NE(text.find("<pre>&lt;/pre&gt;</pre>"), std::string::npos);
}

TEST(HtmlPage, TakesThePictureOutOfItsFile) {
  HtmlPage page("t");
  page.figure("<?xml version=\"1.0\"?><!DOCTYPE svg><svg width=\"1\"/>", "A < B");
  EXPECT_NE(page.text().find("<figure>\n<svg width=\"1\"/>\n<figcaption>A &lt; B</figcaption>"), std::string::npos);
  EXPECT_EQ(page.text().find("<?xml"), std::string::npos);
}

TEST(Table, HasItsColumnsInLine) {
  EXPECT_EQ(text_of(table), "setting  matches\ngröße         12\nb        3456789\n");
}

}  // namespace
}  // namespace octavo::cli
