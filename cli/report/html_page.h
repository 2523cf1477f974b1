#pragma once

// Pages that tell what a command measured. A page is one file that needs nothing but a browser: style, tables and
// pictures are in it.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace octavo::cli {

/// Rows of text under a header; all of the header's length. The first columns are words and start at the left, the
/// others are numbers and end at the right.
struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::size_t words = 1;  ///< columns of words
};

/// A page under construction, from top to bottom. What it is given is plain text, and is escaped, unless said
/// otherwise.
class HtmlPage {
 public:
  explicit HtmlPage(std::string_view title);

  void heading(std::string_view text);
  void paragraph(std::string_view text);
  void table(const Table& table);
  /// An SVG picture, as a file of its own would hold it, with a line below it.
  void figure(std::string_view svg, std::string_view caption);
  /// Preformatted text behind a line that opens it.
  void details(std::string_view summary, std::string_view text);

  /// The whole page.
  [[nodiscard]] std::string text() const;

 private:
  std::string title_, body_;
};

/// The table as lines for a terminal: columns in line.
std::string text_of(const Table& table);

}  // namespace octavo::cli
