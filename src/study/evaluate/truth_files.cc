// Reads the text files that hold the ground truth of data sets.

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/output_file.h"
#include "io/files/read_bytes.h"
#include "octavo/error.h"
#include "study/evaluate/corner_truth.h"
#include "study/evaluate/dataset.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

using io::refuse;

std::string text_of_truth(const fs::path& file) {
  std::error_code problem;
  // Opening a pipe blocks if no program writes to it.
  if (fs::is_fifo(file, problem)) refuse(file.string(), "it is a pipe, not a file");
  return io::read_text(file);
}

// The numbers of a text, separated by spaces and commas. `wrong` receives the first word that is not a number.
std::vector<double> numbers_in(std::string_view text, std::string& wrong) {
  constexpr std::string_view separators = " \t\r\n\v\f,;";
  std::vector<double> numbers;
  for (std::size_t at = 0; (at = text.find_first_not_of(separators, at)) != std::string_view::npos;) {
    const std::string_view word = text.substr(at, text.find_first_of(separators, at) - at);
    const std::string_view digits = word.substr(word.front() == '+' ? 1 : 0);
    double number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(number)) {
      wrong = word.substr(0, 40);
      return numbers;
    }
    numbers.push_back(number);
    at += word.size();
  }
  return numbers;
}

// The numbers of each line, but those of empty lines and of lines that begin with #. `what` are the `count` numbers
// that a line must hold.
std::vector<std::vector<double>> rows_of(const fs::path& file, std::size_t count, std::string_view what) {
  const std::string text = text_of_truth(file);
  std::vector<std::vector<double>> rows;
  std::size_t line_number = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end;
    ++line_number;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '#') continue;
    std::string wrong;
    rows.push_back(numbers_in(line, wrong));
    if (!wrong.empty()) refuse(file.string(), fmt::format("line {}: '{}' is not a number", line_number, wrong));
    if (rows.back().size() != count) {
      refuse(file.string(),
             fmt::format("line {} holds {} numbers, {} are needed", line_number, rows.back().size(), what));
    }
  }
  return rows;
}

}  // namespace

std::array<double, 9> read_homography(const fs::path& file) {
  std::string wrong;
  const std::vector<double> numbers = numbers_in(text_of_truth(file), wrong);
  if (!wrong.empty()) refuse(file.string(), fmt::format("'{}' is not a number", wrong));
  if (numbers.size() != 9)
    refuse(file.string(), fmt::format("it holds {} numbers, a homography has 9", numbers.size()));
  std::array<double, 9> matrix{};
  std::copy(numbers.begin(), numbers.end(), matrix.begin());
  return matrix;
}

void write_homography(const fs::path& file, const std::array<double, 9>& m) {
  std::string text;
  for (std::size_t row = 0; row < 9; row += 3) text += fmt::format("{} {} {}\n", m[row], m[row + 1], m[row + 2]);
  write_file(file, text);
}

Correspondences read_correspondences(const fs::path& file) {
  Correspondences found;
  for (const std::vector<double>& row : rows_of(file, 4, "x and y in A and in B")) {
    found.a.push_back({row[0], row[1]});
    found.b.push_back({row[2], row[3]});
  }
  if (found.a.empty()) refuse(file.string(), "it holds no correspondences");
  return found;
}

std::vector<Point> read_corners(const fs::path& file) {
  std::vector<Point> corners;
  for (const std::vector<double>& row : rows_of(file, 2, "x and y")) corners.push_back({row[0], row[1]});
  return corners;
}

}  // namespace octavo
