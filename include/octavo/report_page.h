#pragma once

#include <cstddef>
#include <string>
#include <vector>

// Pages that report measurements. A page is one HTML file. It needs a browser and no network. It contains its text and
// tables as HTML and its numbers as JSON. Its script draws the plots from the JSON.

namespace octavo {

/// Rows of text under a header. All rows have the length of the header. The first columns are words and are aligned to
/// the left. The others are numbers and are aligned to the right.
struct Table {
  std::string title{};  ///< the title of the table on a page; empty: none
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::size_t words = 1;  ///< the number of columns of words
};

/// The table as lines for a terminal, with aligned columns and without its title.
std::string text_of(const Table& table);

/// A plot that the script of the page draws from the page's JSON.
struct PagePlot {
  std::string plot;     ///< the name of the plot in pages/report/evaluation.js, robustness.js or benchmark.js
  std::string subject;  ///< what the plot shows, in the form that this script expects
  std::string title, caption;
};

/// Preformatted text that is folded: a click on the line `summary` shows it.
struct PageDetails {
  std::string summary, text;
};

/// A part of a page. The members appear in this order. Empty members are left out.
struct PageSection {
  std::string heading{};
  std::vector<std::string> paragraphs{};
  std::vector<std::string> notes{};  ///< highlighted paragraphs: problems
  std::vector<Table> tables{};
  std::vector<PagePlot> plots{};
  std::vector<PageDetails> details{};
};

/// What was measured. It selects the script that draws the plots.
enum class PageSubject { evaluation, robustness, benchmark };

/// A page. All members are plain text. html_of escapes the characters that HTML reserves.
struct ReportPage {
  PageSubject subject;
  std::string title;
  std::vector<PageSection> sections{};
  /// One JSON object, in UTF-8: the output of `octavo evaluate --json` or `octavo bench report --json`.
  std::string json;
};

/// The whole page as HTML.
std::string html_of(const ReportPage& page);

}  // namespace octavo
