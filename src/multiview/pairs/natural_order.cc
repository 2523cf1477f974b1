#include "multiview/pairs/natural_order.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace octavo {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes the first piece of a name away: a whole run of digits, without zeros before it, or one byte.
std::string_view take_piece(std::string_view& name) {
  if (!is_digit(name.front())) {
    const std::string_view byte = name.substr(0, 1);
    name.remove_prefix(1);
    return byte;
  }
  const std::size_t end = std::min(name.find_first_not_of("0123456789"), name.size());
  std::string_view digits = name.substr(0, end);
  name.remove_prefix(end);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return digits;
}

// What orders pieces: among bytes that of the byte, with digits at the place of '0'; among numbers their length first.
auto rank_of(std::string_view piece) {
  const bool is_number = is_digit(piece.front());
  const int byte = piece.front() == '/' ? -1 : static_cast<unsigned char>(is_number ? '0' : piece.front());
  return std::tuple(byte, is_number ? piece.size() : 0, is_number ? piece : std::string_view());
}

}  // namespace

bool is_naturally_before(std::string_view one, std::string_view other) {
  std::string_view a = one, b = other;
  while (!a.empty() && !b.empty()) {
    const auto first = rank_of(take_piece(a)), second = rank_of(take_piece(b));
    if (first != second) return first < second;
  }
  if (a.empty() != b.empty()) return a.empty();
  return one < other;
}

}  // namespace octavo
