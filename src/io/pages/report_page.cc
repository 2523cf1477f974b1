// Fills reports into the templates pages/report/*.html, which escape every text.

#include "io/pages/report_page.h"

#include <algorithm>
#include <array>
#include <kainjow/mustache.hpp>
#include <span>
#include <string_view>

#include "io/pages/base64.h"
#include "io/pages/image_pair.h"
#include "io/pages/page.h"
#include "io/pages/shared_text.h"

namespace octavo {

extern const std::string_view report_html;
extern const std::string_view table_html;
extern const std::string_view plot_html;
extern const std::string_view report_css;
extern const std::string_view report_js;
extern const std::string_view charts_js;
extern const std::string_view matches_js;
extern const std::string_view tables_js;
extern const std::string_view chart_min_js;
extern const std::string_view evaluation_js;
extern const std::string_view robustness_js;
extern const std::string_view crops_js;
extern const std::string_view corners_js;
extern const std::string_view benchmark_js;

namespace {

using kainjow::mustache::data;

template <typename Items, typename AsData>
data list_of(const Items& items, AsData as_data) {
  data list(data::type::list);
  for (const auto& item : items) list.push_back(as_data(item));
  return list;
}

std::string filled(std::string_view template_text, const data& values) {
  return kainjow::mustache::mustache(std::string(template_text)).render(values);
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

// Sets a value that the template leaves out if the text is empty.
void set_unless_empty(data& values, const std::string& name, const std::string& text) {
  if (!text.empty()) values.set(name, text);
}

data row_of(const Table& table, std::size_t row) {
  data cells(data::type::list);
  for (std::size_t i = 0; i < table.rows[row].size(); ++i) {
    data cell;
    cell.set("text", table.rows[row][i]);
    cell.set("word", i < table.words);
    cell.set("best", std::find(table.best.begin(), table.best.end(), TableCell{row, i}) != table.best.end());
    if (i == 0 && row < table.links.size()) set_unless_empty(cell, "link", table.links[row]);
    cells.push_back(cell);
  }
  data values;
  values.set("cells", cells);
  if (row < table.ids.size()) set_unless_empty(values, "id", table.ids[row]);
  return values;
}

data as_data(const Table& table) {
  data values, rows(data::type::list);
  set_unless_empty(values, "name", table.title);
  values.set("header", cells_of(table.header, table.words));
  for (std::size_t row = 0; row < table.rows.size(); ++row) rows.push_back(row_of(table, row));
  values.set("rows", rows);
  return data(filled(table_html, values));
}

data as_data(const PagePlot& plot) {
  data values;
  values.set("plot", plot.plot);
  values.set("subject", plot.subject);
  values.set("title", plot.title);
  set_unless_empty(values, "caption", plot.caption);
  return data(filled(plot_html, values));
}

data as_data(const PagePlotGrid& grid) {
  data values;
  values.set("choices", list_of(grid.choices, [](const PagePlotGrid::Choice& choice) {
               data one;
               one.set("plot", choice.plot);
               one.set("label", choice.label);
               return one;
             }));
  values.set("plots", list_of(grid.subjects, [&](const PagePlotGrid::Subject& subject) {
               return as_data(PagePlot{grid.choices.front().plot, subject.subject, subject.title, ""});
             }));
  values.set("caption", grid.caption);
  return values;
}

data as_data(const PageImage& image) {
  data values;
  values.set("jpeg", base64(image.jpeg));
  values.set("width", std::to_string(image.width));
  values.set("height", std::to_string(image.height));
  values.set("caption", image.caption);
  return values;
}

data as_data(const PageDetails& details) {
  data values;
  values.set("summary", details.summary);
  set_unless_empty(values, "text", details.text);
  values.set("tables", list_of(details.tables, [](const Table& table) { return as_data(table); }));
  values.set("plots", list_of(details.plots, [](const PagePlot& plot) { return as_data(plot); }));
  return values;
}

data as_data(const PageDefinition& definition) {
  data values;
  values.set("term", definition.term);
  values.set("text", definition.text);
  return values;
}

data as_data(const PageSection& section) {
  data values;
  set_unless_empty(values, "heading", section.heading);
  set_unless_empty(values, "id", section.id);
  values.set("conclusions", list_of(section.conclusions, as_text));
  values.set("paragraphs", list_of(section.paragraphs, as_text));
  values.set("notes", list_of(section.notes, as_text));
  values.set("has_images", !section.images.empty());
  values.set("images", list_of(section.images, [](const PageImage& image) { return as_data(image); }));
  values.set("grids", list_of(section.grids, [](const PagePlotGrid& grid) { return as_data(grid); }));
  values.set("tables", list_of(section.tables, [](const Table& table) { return as_data(table); }));
  values.set("plots", list_of(section.plots, [](const PagePlot& plot) { return as_data(plot); }));
  values.set("pairs", list_of(section.pairs, [](const PageImagePair& pair) { return data(html_of(pair)); }));
  values.set("details", list_of(section.details, [](const PageDetails& details) { return as_data(details); }));
  values.set("has_definitions", !section.definitions.empty());
  values.set("definitions", list_of(section.definitions, [](const PageDefinition& word) { return as_data(word); }));
  return values;
}

// The list of contents. A page of few sections needs none.
data contents_of(const ReportPage& page) {
  data entries(data::type::list);
  std::size_t count = 0;
  for (const PageSection& section : page.sections) {
    if (section.id.empty()) continue;
    data entry;
    entry.set("id", section.id);
    entry.set("heading", section.heading);
    entries.push_back(entry);
    ++count;
  }
  if (count < 3) return data(false);
  data contents;
  contents.set("entries", entries);
  return contents;
}

std::string_view plots_of(PageSubject subject) {
  switch (subject) {
    case PageSubject::evaluation:
      return evaluation_js;
    case PageSubject::robustness:
      return robustness_js;
    case PageSubject::crops:
      return crops_js;
    case PageSubject::corners:
      return corners_js;
    case PageSubject::benchmark:
      return benchmark_js;
    case PageSubject::places:
      break;
  }
  return {};
}

}  // namespace

std::string html_of(const ReportPage& page, std::span<const std::string> places) {
  const Escape as_html = [](const std::string& path) { return kainjow::mustache::html_escape(path); };
  data values;
  values.set("title", page.title);
  values.set("sections", list_of(page.sections, [](const PageSection& section) { return as_data(section); }));
  values.set("contents", contents_of(page));
  const std::string body = without_folders(filled(report_html, values), places, as_html);
  const std::string title = without_folders(page.title, places), json = json_without_folders(page.json, places);
  const std::array styles{report_css};
  const std::array scripts{chart_min_js, charts_js, matches_js, tables_js, plots_of(page.subject), report_js};
  return assemble_page({.title = title, .body = body, .styles = styles, .scripts = scripts, .json = json});
}

}  // namespace octavo
