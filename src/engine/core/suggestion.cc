// The nearest of the known words, by the optimal string alignment distance: the fewest insertions, deletions,
// replacements and swaps of neighbours that turn one word into the other, where no letter is changed twice.

#include "octavo/error.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace octavo {

namespace {

// Of ASCII: tolower goes by the locale of the process.
char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

bool same(char a, char b) { return lower(a) == lower(b); }

std::size_t distance(std::string_view a, std::string_view b) {
  // Three rows of the table whose entry (i, j) is the distance of the first i letters of a from the first j of b.
  std::vector<std::size_t> older(b.size() + 1), old(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) old[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({old[j] + 1, row[j - 1] + 1, old[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], older[j - 2] + 1);
    }
    older.swap(old);
    old.swap(row);
  }
  return old[b.size()];
}

}  // namespace

std::optional<std::string_view> nearest_word(std::string_view word, std::span<const std::string_view> known) {
  constexpr std::size_t longest = 100;  // of names; the time grows with the product of both lengths
  if (word.size() > longest) return {};
  std::optional<std::string_view> nearest, beginning;
  std::size_t fewest = 0, beginnings = 0;
  for (const std::string_view one : known) {
    if (!word.empty() && one.starts_with(word)) {
      beginning = one;
      ++beginnings;
    }
    const std::size_t changes = distance(word, one), allowed = std::max(word.size(), one.size()) * 2 / 5;
    if (changes > allowed || (nearest && changes >= fewest)) continue;
    nearest = one;
    fewest = changes;
  }
  return nearest || beginnings != 1 ? nearest : beginning;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::optional<std::string_view> nearest = nearest_word(word, known);
  return nearest ? "; did you mean " + std::string(*nearest) + "?" : "";
}

}  // namespace octavo
