// Fills reports into the template pages/report/report.html, which escapes every text.

#include "octavo/report_page.h"

#include <array>
#include <kainjow/mustache.hpp>
#include <span>
#include <string_view>

#include "pages/page.h"

namespace octavo {

extern const std::string_view report_html;
extern const std::string_view report_css;
extern const std::string_view report_js;
extern const std::string_view charts_js;
extern const std::string_view chart_min_js;
extern const std::string_view evaluation_js;
extern const std::string_view robustness_js;
extern const std::string_view benchmark_js;

namespace {

using kainjow::mustache::data;

template <typename Items, typename AsData>
data list_of(const Items& items, AsData as_data) {
  data list(data::type::list);
  for (const auto& item : items) list.push_back(as_data(item));
  return list;
}

data as_text(const std::string& text) { return data(text); }

data cells_of(const std::vector<std::string>& texts, std::size_t words) {
  data cells(data::type::list);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    data cell;
    cell.set("text", texts[i]);
    cell.set("word", i < words);
    cells.push_back(cell);
  }
  return cells;
}

data as_data(const Table& table) {
  data values;
  if (!table.title.empty()) values.set("name", table.title);
  values.set("header", cells_of(table.header, table.words));
  values.set("rows", list_of(table.rows, [&](const std::vector<std::string>& texts) {
               data row;
               row.set("cells", cells_of(texts, table.words));
               return row;
             }));
  return values;
}

data as_data(const PagePlot& plot) {
  data values;
  values.set("plot", plot.plot);
  values.set("subject", plot.subject);
  values.set("title", plot.title);
  values.set("caption", plot.caption);
  return values;
}

data as_data(const PageDetails& details) {
  data values;
  values.set("summary", details.summary);
  values.set("text", details.text);
  return values;
}

data as_data(const PageSection& section) {
  data values;
  if (!section.heading.empty()) values.set("heading", section.heading);
  values.set("paragraphs", list_of(section.paragraphs, as_text));
  values.set("notes", list_of(section.notes, as_text));
  values.set("tables", list_of(section.tables, [](const Table& table) { return as_data(table); }));
  values.set("plots", list_of(section.plots, [](const PagePlot& plot) { return as_data(plot); }));
  values.set("details", list_of(section.details, [](const PageDetails& details) { return as_data(details); }));
  return values;
}

std::string_view plots_of(PageSubject subject) {
  switch (subject) {
    case PageSubject::evaluation:
      return evaluation_js;
    case PageSubject::robustness:
      return robustness_js;
    case PageSubject::benchmark:
      return benchmark_js;
  }
  return {};
}

}  // namespace

std::string html_of(const ReportPage& page) {
  data values;
  values.set("title", page.title);
  values.set("sections", list_of(page.sections, [](const PageSection& section) { return as_data(section); }));
  const std::string body = kainjow::mustache::mustache(std::string(report_html)).render(values);
  const std::array styles{report_css};
  const std::array scripts{chart_min_js, charts_js, plots_of(page.subject), report_js};
  return assemble_page({.title = page.title, .body = body, .styles = styles, .scripts = scripts, .json = page.json});
}

}  // namespace octavo
