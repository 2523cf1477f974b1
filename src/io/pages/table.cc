// Writes a table as lines of text, in which every column is as wide as its widest cell, and finds the best cells of a
// table. Cells are compared as they read: a difference that the table does not show makes no cell the better one.

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>

#include "io/pages/report_page.h"

namespace octavo {
namespace {

// The number of characters, by which columns are aligned. Bytes that continue a UTF-8 sequence do not count.
std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return {};
  return number;
}

void mark_best(Table& table, std::span<const TableCell> cells, Better better) {
  std::vector<std::pair<double, TableCell>> numbers;
  for (const TableCell& cell : cells) {
    if (const auto number = number_in(table.rows[cell.row][cell.column])) numbers.emplace_back(*number, cell);
  }
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end(),
                                                 [](const auto& a, const auto& b) { return a.first < b.first; });
  if (numbers.empty() || least->first == most->first) return;
  const double best = better == Better::higher ? most->first : least->first;
  for (const auto& [number, cell] : numbers) {
    if (number == best) table.best.push_back(cell);
  }
}

}  // namespace

void mark_best_of_column(Table& table, std::size_t column, Better better) {
  std::vector<TableCell> cells;
  for (std::size_t row = 0; row < table.rows.size(); ++row) cells.push_back({row, column});
  mark_best(table, cells, better);
}

void mark_best_of_row(Table& table, std::size_t row, std::size_t first, std::size_t end, Better better) {
  std::vector<TableCell> cells;
  for (std::size_t column = first; column < end; ++column) cells.push_back({row, column});
  mark_best(table, cells, better);
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

}  // namespace octavo
