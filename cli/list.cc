// Lists on the command line.

#include "cli/list.h"

#include <algorithm>
#include <regex>
#include <variant>

#include "cli/options.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

ImageSize parse_size(const std::string& option, const std::string& text) {
  static const std::regex form("([0-9]{1,5})x([0-9]{1,5})");
  std::smatch parts;
  if (std::regex_match(text, parts, form)) {
    const ImageSize size{std::stoi(parts[1]), std::stoi(parts[2])};
    if (std::min(size.width, size.height) >= 1 && std::max(size.width, size.height) <= 65535) return size;
  }
  throw Error(ErrorCode::invalid_option, InvalidOption{option.substr(2), "\"" + text + "\"",
                                                       "must be WxH with sides of 1 to 65535 pixels, such as 640x480"});
}

}  // namespace

CommandOption& add_list(Command& command, const std::string& name,
                        const std::function<void(const std::vector<std::string>&)>& take) {
  const auto take_text = [name, take](const std::string& text) {
    const std::vector<std::string> entries = split(text);
    if (std::ranges::find(entries, "") != entries.end()) {
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

CommandOption& add_sizes(Command& command, const std::string& name, std::vector<ImageSize>& sizes) {
  CommandOption& added =
      add_list(command, name, sizes, [name](const std::string& text) { return parse_size(name, text); });
  added.type_name = "WxH,...";
  return added;
}

}  // namespace octavo::cli
