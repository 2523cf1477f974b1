#include "engine/core/check.h"

#include "octavo/option_table.h"

namespace octavo {

void check_range(std::string_view option, double value, double low, double high, std::string_view subject) {
  check_value({.name = option, .low = low, .high = high, .kind = OptionKind::number}, value, subject);
}

std::string list_of(std::span<const std::string_view> words) {
  std::string list;
  for (const std::string_view word : words) list += (list.empty() ? "" : ", ") + std::string(word);
  return list;
}

}  // namespace octavo
