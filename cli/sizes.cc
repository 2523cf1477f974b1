// Sizes on the command line.

#include "cli/sizes.h"

#include <algorithm>
#include <regex>

#include "cli/command_line.h"
#include "cli/list.h"
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

CommandOption& add_sizes(Command& command, const std::string& name, std::vector<ImageSize>& sizes) {
  const auto take = [name, &sizes](const std::vector<std::string>& texts) {
    sizes.clear();
    for (const std::string& text : texts) {
      const ImageSize size = parse_size(name, text);
      if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
    }
  };
  return add_list(command, name, take).type_name("WxH,...");
}

}  // namespace octavo::cli
