#include "io/features/quoted_words.h"

#include <utility>

namespace octavo {
namespace {

bool is_blank(char letter) { return blanks.find(letter) != std::string_view::npos; }

// The word of a line that begins at `at`, which becomes its end. None: a quote has no end.
std::optional<std::string> next_word(std::string_view line, std::size_t& at) {
  const auto is_end = [&] { return at == line.size() || is_blank(line[at]); };
  std::string word;
  if (line[at] != '"') {
    while (!is_end()) word += line[at++];
    return word;
  }
  for (++at; at < line.size() && line[at] != '"'; ++at) {
    if (line[at] == '\\' && at + 1 < line.size()) ++at;
    word += line[at];
  }
  if (at++ >= line.size() || !is_end()) return std::nullopt;
  return word;
}

}  // namespace

std::optional<std::vector<std::string>> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(blanks, at)) != std::string_view::npos;) {
    std::optional<std::string> word = next_word(line, at);
    if (!word) return std::nullopt;
    words.push_back(std::move(*word));
  }
  return words;
}

}  // namespace octavo
