// Lists on the command line.

#include "cli/list.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "cli/command_line.h"
#include "cli/options.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> entries;
  for (;;) {
    const std::size_t comma = std::min(text.find(','), text.size());
    entries.emplace_back(text.substr(0, comma));
    if (comma == text.size()) return entries;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

CommandOption& add_list(Command& command, const std::string& name,
                        const std::function<void(const std::vector<std::string>&)>& take) {
  const auto take_text = [name, take](const std::string& text) {
    const std::vector<std::string> entries = split(text);
    if (std::find(entries.begin(), entries.end(), "") != entries.end()) {
      throw Error(ErrorCode::invalid_option,
                  InvalidOption{name.substr(2), "\"" + text + "\"", "must have an entry before and after each comma"});
    }
    take(entries);
  };
  return command.add_option(name, take_text);
}

CommandOption& add_numbers(Command& command, const std::string& name,
                           const std::function<void(const std::vector<double>&)>& take) {
  const auto take_texts = [flag = name.substr(2), take](const std::vector<std::string>& texts) {
    const OptionFacts number{.name = flag, .low = -1e9, .high = 1e9, .kind = OptionKind::number, .is_bounded = true};
    std::vector<double> numbers;
    for (const std::string& text : texts) {
      const OptionValue value = value_of(number, text);
      check_value(number, value);
      numbers.push_back(std::get<double>(value));
    }
    take(numbers);
  };
  return add_list(command, name, take_texts);
}

}  // namespace octavo::cli
