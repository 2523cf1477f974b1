#pragma once

#include <functional>
#include <string>
#include <vector>

namespace octavo::cli {

class Command;
class CommandOption;

/// Adds an option that takes entries separated by commas, such as 10,20, and passes them to `take`. An empty entry, as
/// in 10,,20, is a wrong call: something was left out there.
CommandOption& add_list(Command& command, const std::string& name,
                        const std::function<void(const std::vector<std::string>&)>& take);

/// The same of numbers between -10^9 and 10^9.
CommandOption& add_numbers(Command& command, const std::string& name,
                           const std::function<void(const std::vector<double>&)>& take);

}  // namespace octavo::cli
