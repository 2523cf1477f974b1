#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"

// Pages that report measurements. A page is one HTML file. It needs a browser and no network. It contains its text and
// tables as HTML and its numbers as JSON. Its script draws the plots from the JSON.

namespace OCTAVO_INTERNAL_API octavo {

/// A cell of a table, by its row and its column.
struct TableCell {
  std::size_t row = 0, column = 0;
  friend bool operator==(const TableCell&, const TableCell&) = default;
};

/// Rows of text under a header. All rows have the length of the header. The first columns are words and are aligned to
/// the left. The others are numbers and are aligned to the right.
struct Table {
  std::string title{};  ///< the title of the table on a page; empty: none
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::size_t words = 1;          ///< the number of columns of words
  std::vector<TableCell> best{};  ///< the cells that a page shows in bold, with a star
  /// The ids of the rows on a page, and the ids to which their first cells link. Empty texts: none. Rows behind the end
  /// of a list have none.
  std::vector<std::string> ids{}, links{};
};

/// The table as lines for a terminal, with aligned columns and without its title, marks and links.
std::string text_of(const Table& table);

/// Which of two numbers is the better one.
enum class Better : std::uint8_t { higher, lower };

/// Adds the best cells of a column, or of the columns `first` to `end` (excluded) of a row, to Table::best. Cells that
/// are no numbers do not count. Cells that read the same are equally good, and all of them are marked, unless all
/// numbers are equal: then none is the best.
void mark_best_of_column(Table& table, std::size_t column, Better better);
void mark_best_of_row(Table& table, std::size_t row, std::size_t first, std::size_t end, Better better);

/// A plot that the script of the page draws from the page's JSON.
struct PagePlot {
  std::string plot;     ///< the name of the plot in pages/report/evaluation.js, robustness.js, crops.js, corners.js or
                        ///< benchmark.js
  std::string subject;  ///< what the plot shows, in the form that this script expects
  std::string title, caption;
};

/// Small plots side by side, one for each subject, with the same scale of y. The reader chooses the number that all of
/// them show. At first it is the first.
struct PagePlotGrid {
  struct Choice {
    std::string plot, label;
  };
  struct Subject {
    std::string subject, title;
  };
  std::vector<Choice> choices{};
  std::vector<Subject> subjects{};
  std::string caption{};
};

/// An image as a JPEG file.
struct PageImage {
  std::vector<std::byte> jpeg{};
  int width = 0, height = 0;  ///< [pixel]
  std::string caption{};
};

/// A line from a place in the left image to a place in the right one. (0, 0) is the centre of the first pixel.
struct PageLine {
  enum class Kind : std::uint8_t { right, wrong, unknown };
  Kind kind = Kind::unknown;
  double left_x = 0, left_y = 0, right_x = 0, right_y = 0;  ///< [pixel of the image on the page]
  std::string hover{};                                      ///< what is shown while the pointer is on the line
};

/// Two images side by side, once for each list of lines between them.
struct PageImagePair {
  struct Layer {
    std::string caption;
    std::vector<PageLine> lines{};
  };
  std::string id;          ///< for links to the pair
  std::string title, why;  ///< what it is, and why it is shown
  std::string back{};      ///< the id to which the title links; empty: none
  PageImage left, right;
  std::vector<Layer> layers{};
};

/// The meaning of a word.
struct PageDefinition {
  std::string term, text;
};

/// Preformatted text, tables and plots that are folded: a click on the line `summary` shows them.
struct PageDetails {
  std::string summary, text{};
  std::vector<Table> tables{};
  std::vector<PagePlot> plots{};
};

/// A part of a page. The members appear in this order. Empty members are left out.
struct PageSection {
  std::string heading{};
  std::string id{};                        ///< a word for links; a section that has one is in the list of contents
  std::vector<std::string> conclusions{};  ///< what the reader must know first, in larger letters
  std::vector<std::string> paragraphs{};
  std::vector<std::string> notes{};  ///< highlighted paragraphs: problems
  std::vector<PageImage> images{};
  std::vector<PagePlotGrid> grids{};
  std::vector<Table> tables{};
  std::vector<PagePlot> plots{};
  std::vector<PageImagePair> pairs{};
  std::vector<PageDetails> details{};
  std::vector<PageDefinition> definitions{};
};

/// What was measured. It selects the script that draws the plots, of which a page of places has none.
enum class PageSubject { evaluation, robustness, crops, corners, benchmark, places };

/// A page. All members are plain text. html_of escapes the characters that HTML reserves.
struct ReportPage {
  PageSubject subject;
  std::string title;
  std::vector<PageSection> sections{};
  /// One JSON object, in UTF-8: the output of `octavo evaluate --json` or `octavo bench report --json`.
  std::string json;
};

/// The whole page as HTML. Paths in it begin with the last part of those of `places` that are in them
/// (io/pages/shared_text.h).
std::string html_of(const ReportPage& page, std::span<const std::string> places = {});

}  // namespace octavo
