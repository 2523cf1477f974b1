// Writes a table as lines of text. Every column is as wide as its widest cell.

#include <algorithm>
#include <cstddef>

#include "octavo/report_page.h"

namespace octavo {
namespace {

// The number of characters, by which columns are aligned. Bytes that continue a UTF-8 sequence do not count.
std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

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

}  // namespace octavo
