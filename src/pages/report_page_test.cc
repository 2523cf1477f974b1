#include "octavo/report_page.h"

#include <gtest/gtest.h>

namespace octavo {
namespace {

TEST(ReportPage, EscapesWhatItIsGiven) {
  const std::string html =
      html_of({.subject = PageSubject::evaluation,
               .title = "a < b",
               .sections = {{.heading = "<h1>",
                             .paragraphs = {"<script>alert(1)</script>"},
                             .notes = {"{{title}} & co."},
                             .tables = {{.title = "t > 0", .header = {"x"}, .rows = {{"1 > 0"}}}},
                             .plots = {{.plot = "p", .subject = "\"s\"", .title = "i", .caption = "A < B"}},
                             .details = {{.summary = "more", .text = "</pre>"}}}},
               .json = "{}"});
  for (const char* part : {"<h1>a &lt; b</h1>", "<h2>&lt;h1&gt;</h2>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
                           "<p class=\"note\">{{title}} &amp; co.</p>", "<h3>t &gt; 0</h3>",
                           "<td class=\"word\">1 &gt; 0</td>", "data-plot=\"p\" data-subject=\"&quot;s&quot;\"",
                           "<figcaption>A &lt; B</figcaption>", "<pre>&lt;/pre&gt;</pre>"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
}

TEST(ReportPage, LeavesOutWhatIsEmpty) {
  const std::string html = html_of({.subject = PageSubject::benchmark,
                                    .title = "t",
                                    .sections = {{.tables = {{.header = {"x"}, .rows = {{"1"}}}}}},
                                    .json = "{}"});
  const std::string section = html.substr(html.find("<section>"), html.find("</section>") - html.find("<section>"));
  for (const char* part : {"<h2>", "<h3>", "<p", "<figure", "<details"}) {
    EXPECT_EQ(section.find(part), std::string::npos) << part;
  }
  EXPECT_NE(section.find("<td class=\"word\">1</td>"), std::string::npos);
}

TEST(ReportPage, CarriesChartJsAndTheScriptOfItsSubject) {
  const auto html = [](PageSubject subject) { return html_of({.subject = subject, .title = "t", .json = "{}"}); };
  for (const PageSubject subject : {PageSubject::evaluation, PageSubject::robustness, PageSubject::benchmark}) {
    EXPECT_NE(html(subject).find("Released under the MIT License"), std::string::npos);
  }
  EXPECT_NE(html(PageSubject::robustness).find("over_strength"), std::string::npos);
  EXPECT_EQ(html(PageSubject::benchmark).find("over_strength"), std::string::npos);
}

TEST(Table, HasItsColumnsAligned) {
  const Table table{.header = {"setting", "matches"}, .rows = {{"größe", "12"}, {"b", "3456789"}}};
  EXPECT_EQ(text_of(table), "setting  matches\ngröße         12\nb        3456789\n");
}

}  // namespace
}  // namespace octavo
