// Lists of pairs, and COLMAP's text of matches (colmap.github.io/tutorial.html, "custom matching"). Names in quotes
// hold what COLMAP's list cannot: blanks, and '#' in front. COLMAP and hloc take the quotes for a part of the name.

#include "octavo/io/collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "io/features/quoted_words.h"
#include "io/files/read_bytes.h"
#include "octavo/error.h"

namespace octavo {
namespace {

// Why no line can hold a pair; empty: one can.
std::string lack_of_line(const std::string& a, const std::string& b, NamesInList form) {
  if (form == NamesInList::quoted) {
    for (const std::string& name : {a, b}) {
      if (has_line_break(name)) {
        return fmt::format("the name '{}' contains a line break, which a list of pairs cannot hold", name);
      }
    }
    return {};
  }
  for (const std::string& name : {a, b}) {
    if (has_blank(name))
      return fmt::format("the name '{}' contains a blank, which COLMAP's lists cannot hold; JSON and hloc's files can",
                         name);
  }
  if (!a.starts_with('#') || !b.starts_with('#')) return {};
  return fmt::format("the names '{}' and '{}' begin with #, so that their pair would be a comment in a list", a, b);
}

std::string in_quotes(std::string_view name) {
  std::string text = "\"";
  for (const char letter : name) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += letter;
  }
  return text + '"';
}

}  // namespace

std::vector<ImagePair> all_pairs(std::size_t count) { return sequential_pairs(count, count); }

std::vector<ImagePair> sequential_pairs(std::size_t count, std::size_t reach, bool quadratic) {
  std::vector<ImagePair> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count && j - i <= reach; ++j) pairs.emplace_back(i, j);
    if (!quadratic) continue;
    for (std::size_t k = 0, step = 1; k < reach && i + step < count; ++k, step *= 2) {
      if (step > reach) pairs.emplace_back(i, i + step);
    }
  }
  return pairs;
}

PairList read_pair_list(const std::filesystem::path& file, std::span<const std::string> names) {
  std::istringstream text(io::read_text(file));
  std::map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < names.size(); ++i) index.emplace(names[i], i);

  PairList list;
  std::set<ImagePair> known;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    if (const std::size_t first = line.find_first_not_of(blanks); first == std::string::npos || line[first] == '#')
      continue;
    const auto problem = [&](const std::string& why) {
      list.problems.push_back(fmt::format("line {} of '{}' {}", number, file.string(), why));
    };
    const auto known_words = words_of(line);
    if (!known_words) {
      problem("has a quote without an end, or something right behind one");
      continue;
    }
    const std::vector<std::string>& words = *known_words;
    if (words.size() != 2) {
      problem(words.size() < 2 ? "has one word, but must have the names of two images"
                               : fmt::format("has {} words, but must have the names of two images; one with a blank "
                                             "stands in quotes",
                                             words.size()));
      continue;
    }
    const auto a = index.find(words[0]), b = index.find(words[1]);
    if (a == index.end() || b == index.end()) {
      problem(fmt::format("names '{}', which is not one of the images", words[a == index.end() ? 0 : 1]));
    } else if (a == b) {
      problem(fmt::format("names '{}' twice, but must name two images", words[0]));
    } else if (!known.contains({b->second, a->second}) && known.emplace(a->second, b->second).second) {
      list.pairs.emplace_back(a->second, b->second);
    }
  }
  std::sort(list.pairs.begin(), list.pairs.end());
  return list;
}

bool has_blank(std::string_view name) { return name.find_first_of(blanks) != std::string_view::npos; }

bool has_line_break(std::string_view name) { return name.find_first_of("\n\r") != std::string_view::npos; }

bool is_listable(std::string_view name) { return !has_blank(name) && !name.starts_with('#'); }

std::string pair_line(const std::string& a, const std::string& b, NamesInList form) {
  if (const std::string lack = lack_of_line(a, b, form); !lack.empty()) throw Error(ErrorCode::invalid_argument, lack);
  const bool is_quoted = form == NamesInList::quoted;
  const bool are_comments = a.starts_with('#') && b.starts_with('#');
  const auto word = [&](const std::string& name) {
    return is_quoted && (has_blank(name) || name.starts_with('"') || are_comments) ? in_quotes(name) : name;
  };
  const bool swapped = a.starts_with('#') && !are_comments;
  return swapped ? fmt::format("{} {}\n", word(b), word(a)) : fmt::format("{} {}\n", word(a), word(b));
}

std::vector<std::string> take_out_unlistable(std::vector<ImagePair>& pairs, std::span<const std::string> names,
                                             NamesInList form) {
  std::vector<std::string> problems;
  std::erase_if(pairs, [&](const ImagePair& pair) {
    std::string lack = lack_of_line(names[pair.first], names[pair.second], form);
    if (lack.empty()) return false;
    if (std::ranges::find(problems, lack) == problems.end()) problems.push_back(std::move(lack));
    return true;
  });
  return problems;
}

std::string colmap_matches(const std::string& name_a, const std::string& name_b, std::span<const Match> matches,
                           std::span<const std::uint8_t> inliers) {
  if (!inliers.empty() && inliers.size() != matches.size()) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the inlier mask has {} entries for {} matches", inliers.size(), matches.size()));
  }
  std::string text = pair_line(name_a, name_b, NamesInList::plain);
  const bool swapped = name_a.starts_with('#');  // as the line
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (inliers.empty() || inliers[i] != 0) {
      const auto [a, b] = swapped ? std::pair(matches[i].b, matches[i].a) : std::pair(matches[i].a, matches[i].b);
      fmt::format_to(std::back_inserter(text), "{} {}\n", a, b);
    }
  }
  return text + "\n";
}

}  // namespace octavo
