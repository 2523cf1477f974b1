// Pages are put together as text; browsers do the rest.

#include "cli/report/html_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

namespace octavo::cli {
namespace {

constexpr auto style =
    R"(body{font:15px/1.5 system-ui,sans-serif;color:#222;background:#fff;max-width:76rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem;border-bottom:1px solid #ddd}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .7rem;border-bottom:1px solid #e5e5e5;text-align:right;white-space:nowrap}
th.word,td.word{text-align:left}thead th{border-bottom:2px solid #888}tbody tr:hover{background:#f5f8fb}
figure{display:inline-block;width:min(100%,35rem);margin:1.2rem 1rem 0 0;vertical-align:top}figure svg{max-width:100%;height:auto}figcaption{color:#666;font-size:.9rem}
pre{background:#f6f6f6;padding:.8rem;overflow-x:auto;font-size:.85rem}summary{cursor:pointer})";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string row(const std::vector<std::string>& cells, std::string_view tag, std::size_t words) {
  std::string out = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    out += fmt::format("<{0}{1}>{2}</{0}>", tag, i < words ? " class=\"word\"" : "", escaped(cells[i]));
  }
  return out + "</tr>\n";
}

// Letters, not bytes, so that columns stay in line.
std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

HtmlPage::HtmlPage(std::string_view title) : title_(escaped(title)) { body_ = fmt::format("<h1>{}</h1>\n", title_); }

void HtmlPage::heading(std::string_view text) { body_ += fmt::format("<h2>{}</h2>\n", escaped(text)); }

void HtmlPage::paragraph(std::string_view text) { body_ += fmt::format("<p>{}</p>\n", escaped(text)); }

void HtmlPage::table(const Table& table) {
  body_ += "<div class=\"wide\"><table>\n<thead>" + row(table.header, "th", table.words) + "</thead>\n<tbody>\n";
  for (const std::vector<std::string>& cells : table.rows) body_ += row(cells, "td", table.words);
  body_ += "</tbody>\n</table></div>\n";
}

void HtmlPage::figure(std::string_view svg, std::string_view caption) {
  // What a file of its own has before the picture has no place inside a page.
  const std::size_t begin = svg.find("<svg");
  body_ += fmt::format("<figure>\n{}\n<figcaption>{}</figcaption>\n</figure>\n",
                       begin == std::string_view::npos ? std::string_view() : svg.substr(begin), escaped(caption));
}

void HtmlPage::details(std::string_view summary, std::string_view text) {
  body_ += fmt::format("<details><summary>{}</summary>\n<pre>{}</pre>\n</details>\n", escaped(summary), escaped(text));
}

std::string HtmlPage::text() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>\n{}\n</style>\n</head>\n"
      "<body>\n{}</body>\n</html>\n",
      title_, style, body_);
}

std::string text_of(const Table& table) {
  std::vector<std::vector<std::string>> rows{table.header};
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  std::vector<std::size_t> widths(table.header.size(), 0);
  for (const auto& cells : rows) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], letters(cells[i]));
  }
  std::string out;
  for (const auto& cells : rows) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string padding(widths[i] - letters(cells[i]), ' ');
      line += (i == 0 ? "" : "  ") + (i < table.words ? cells[i] + padding : padding + cells[i]);
    }
    out += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

}  // namespace octavo::cli
