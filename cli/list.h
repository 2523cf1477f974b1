#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "octavo/image_view.h"

namespace octavo::cli {

/// Adds an option that takes entries separated by commas, such as 10,20, and passes them to `take`. An empty entry, as
/// in 10,,20, is a wrong call: something was left out there.
CommandOption& add_list(Command& command, const std::string& name,
                        const std::function<void(const std::vector<std::string>&)>& take);

/// The same, where the entries replace those in `values`.
inline CommandOption& add_list(Command& command, const std::string& name, std::vector<std::string>& values) {
  return add_list(command, name, [&values](const std::vector<std::string>& entries) { values = entries; });
}

/// The same of what `parse` makes of each entry, each once.
template <class Value, class Parse>
CommandOption& add_list(Command& command, const std::string& name, std::vector<Value>& values, const Parse& parse) {
  return add_list(command, name, [&values, parse](const std::vector<std::string>& entries) {
    values.clear();
    for (const std::string& entry : entries) {
      const Value value = parse(entry);
      if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    }
  });
}

/// Adds an option that takes numbers between -10^9 and 10^9.
CommandOption& add_numbers(Command& command, const std::string& name,
                           const std::function<void(const std::vector<double>&)>& take);

/// Adds an option that takes sizes, such as 640x480,1920x1080, with sides of 1 to 65535.
CommandOption& add_sizes(Command& command, const std::string& name, std::vector<ImageSize>& sizes);

}  // namespace octavo::cli
