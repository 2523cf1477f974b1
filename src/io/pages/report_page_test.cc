#include "io/pages/report_page.h"

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
  for (const PageSubject subject : {PageSubject::evaluation, PageSubject::robustness, PageSubject::crops,
                                    PageSubject::corners, PageSubject::benchmark}) {
    EXPECT_NE(html(subject).find("Released under the MIT License"), std::string::npos);
  }
  EXPECT_NE(html(PageSubject::robustness).find("over_strength"), std::string::npos);
  EXPECT_EQ(html(PageSubject::benchmark).find("over_strength"), std::string::npos);
}

TEST(ReportPage, LinksRowsAndPairs) {
  const PageImage image{.jpeg = {std::byte{'f'}, std::byte{'o'}}, .width = 200, .height = 100};
  PageImagePair pair{.id = "image-1", .title = "a < b", .why = "why", .back = "pair-1", .left = image, .right = image};
  const PageLine wrong{.kind = PageLine::Kind::wrong, .left_x = 9.5, .right_x = 19.5, .hover = "error 4 px"};
  const PageLine right{.kind = PageLine::Kind::right, .left_x = 4.5, .right_x = 4.5, .hover = "error 0 px"};
  pair.layers = {{"one", {wrong, right}}, {"two", {}}};
  const std::string html =
      html_of({.subject = PageSubject::evaluation,
               .title = "t",
               .sections = {{.tables = {{.header = {"x"}, .rows = {{"p"}}, .ids = {"pair-1"}, .links = {"image-1"}}},
                             .pairs = {pair}}},
               .json = "{}"});
  for (const char* part :
       {"<tr id=\"pair-1\">", "<a href=\"#image-1\">p</a>", "id=\"image-1\"", "<a href=\"#pair-1\">a &lt; b</a>",
        "viewBox=\"0 0 406 100\"", "href=\"data:image/jpeg;base64,Zm8=\"", "<use href=\"#image-1-right\"/>",
        "<line class=\"wrong\" x1=\"10.0\" y1=\"0.5\" x2=\"226.0\" y2=\"0.5\"><title>error 4 px</title></line>"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
  EXPECT_LT(html.find("class=\"right\""), html.find("class=\"wrong\""));  // wrong lines lie above the others
  const std::size_t first = html.find("base64,Zm8=", html.find("image-1-left"));
  EXPECT_EQ(html.find("base64,Zm8=", html.find("base64,Zm8=", first + 1) + 1), std::string::npos);  // each image once
}

TEST(ReportPage, ListsItsContents) {
  ReportPage page{.subject = PageSubject::evaluation, .title = "t", .json = "{}"};
  page.sections = {{.heading = "One", .id = "one"}, {.heading = "No id"}, {.heading = "Two", .id = "two"}};
  EXPECT_EQ(html_of(page).find("<nav"), std::string::npos);
  page.sections.push_back({.heading = "A & B", .id = "three"});
  const std::string html = html_of(page);
  EXPECT_NE(html.find("<li><a href=\"#three\">A &amp; B</a></li>"), std::string::npos);
  EXPECT_NE(html.find("<section id=\"three\">"), std::string::npos);
  EXPECT_EQ(html.find("No id</a>"), std::string::npos);
}

TEST(Table, MarksTheBest) {
  Table table{
      .header = {"setting", "share", "error", "same"},
      .rows = {{"a", "9.0", "0.5", "1"}, {"b", "10.0", "-", "1"}, {"c", "10.0", "0.4", "1"}, {"d", "-", "2", "1"}}};
  mark_best_of_column(table, 1, Better::higher);
  mark_best_of_column(table, 2, Better::lower);
  mark_best_of_column(table, 3, Better::higher);
  EXPECT_EQ(table.best, (std::vector<TableCell>{{1, 1}, {2, 1}, {2, 2}}));
  table.best.clear();
  mark_best_of_row(table, 0, 1, 3, Better::higher);
  EXPECT_EQ(table.best, (std::vector<TableCell>{{0, 1}}));
  const std::string html =
      html_of({.subject = PageSubject::evaluation, .title = "t", .sections = {{.tables = {table}}}, .json = "{}"});
  EXPECT_NE(html.find("<td class=\"best\"><span title=\"the best of these\">★</span> 9.0</td>"), std::string::npos);
  EXPECT_EQ(text_of(table).find("★"), std::string::npos);
}

TEST(Table, HasItsColumnsAligned) {
  const Table table{.header = {"setting", "matches"}, .rows = {{"größe", "12"}, {"b", "3456789"}}};
  EXPECT_EQ(text_of(table), "setting  matches\ngröße         12\nb        3456789\n");
}

}  // namespace
}  // namespace octavo
