// Reads the parts of a manual from its text.

#include "cli/manual_text.h"

#include <octavo_manuals.h>

#include <algorithm>
#include <utility>

namespace octavo::cli {
namespace {

// The first line of the text, which loses it.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// Adds the line, or the section that it stands for.
void add_line(std::string& text, std::string_view line) {
  if (line == "[metrics]") {
    text += metrics_txt;
  } else if (line == "[json of benchmarks]") {
    text += json_of_benchmarks_txt;
  } else {
    text.append(line).append("\n");
  }
}

std::string without_blank_end(std::string text) {
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

std::map<std::string, OptionText, std::less<>> parse_options(std::string_view& text) {
  std::map<std::string, OptionText, std::less<>> options;
  std::string group = "Options";
  OptionText* option = nullptr;
  while (!text.empty() && !text.starts_with("[footer]\n")) {
    const std::string_view line = take_line(text);
    if (line.empty()) continue;
    if (line.starts_with(' ')) {
      const std::string_view words = line.substr(line.find_first_not_of(' '));
      option->sentence.append(option->sentence.empty() ? "" : " ").append(words);
    } else if (line.ends_with(':')) {
      group = line.substr(0, line.size() - 1);
    } else {
      const std::size_t blank = std::min(line.find(' '), line.size());
      option = &options[std::string(line.substr(0, blank))];
      *option = {.value = std::string(line.substr(std::min(blank + 1, line.size()))), .group = group, .sentence = ""};
    }
  }
  return options;
}

}  // namespace

ManualText parse_manual(std::string_view text) {
  ManualText manual;
  std::string* part = &manual.description;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line == "[options]") {
      manual.options = parse_options(text);
    } else if (line == "[footer]") {
      part = &manual.footer;
    } else {
      add_line(*part, line);
    }
  }
  manual.description = without_blank_end(std::move(manual.description));
  manual.footer = without_blank_end(std::move(manual.footer));
  return manual;
}

}  // namespace octavo::cli
