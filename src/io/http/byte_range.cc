#include "io/http/byte_range.h"

#include <algorithm>
#include <charconv>

namespace octavo::io {
namespace {

// The number that the text is, or none.
std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end) return std::nullopt;
  return number;
}

}  // namespace

std::optional<ByteRange> byte_range_of(std::string_view header, std::uint64_t size) {
  constexpr std::string_view unit = "bytes=";
  if (!header.starts_with(unit)) return std::nullopt;
  header.remove_prefix(unit.size());
  const std::size_t dash = header.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view first = header.substr(0, dash), last = header.substr(dash + 1);
  const std::optional<std::uint64_t> from = number_in(first), to = number_in(last);
  if (first.empty()) {
    if (!to || *to == 0 || size == 0) return std::nullopt;
    return ByteRange{size - std::min(*to, size), size};
  }
  if (!from || *from >= size || (!last.empty() && (!to || *to < *from))) return std::nullopt;
  return ByteRange{*from, to ? std::min(*to, size - 1) + 1 : size};
}

}  // namespace octavo::io
