// The references between the items of a HEIF file (ISO/IEC 14496-12, §8.11.12). The file is a sequence of boxes: a size
// of 32 bits, a type of four letters, and the content. The box "meta" contains "iref", which contains a box for each
// item that refers to others: its number, their count, and their numbers.

#include "imageio/heif_references.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <vector>

namespace octavo::imageio {
namespace {

using Item = std::uint64_t;
using References = std::map<Item, std::vector<Item>>;

// Takes a number of `size` bytes from the front, the highest byte first. What is missing counts as 0.
std::uint64_t take(Bytes& bytes, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size && i < bytes.size(); ++i) number = number << 8 | std::to_integer<unsigned>(bytes[i]);
  bytes = bytes.subspan(std::min(size, bytes.size()));
  return number;
}

void for_each_box(Bytes bytes, const std::function<void(std::string_view type, Bytes content)>& visit) {
  while (bytes.size() >= 8) {
    Bytes box = bytes;
    std::uint64_t size = take(box, 4);
    const std::string_view type(reinterpret_cast<const char*>(box.data()), 4);
    take(box, 4);
    if (size == 1) size = take(box, 8);
    const std::size_t head = bytes.size() - box.size();
    if (size == 0 || size > bytes.size()) size = bytes.size();  // 0: to the end
    if (size < head) return;
    visit(type, box.first(static_cast<std::size_t>(size) - head));
    bytes = bytes.subspan(static_cast<std::size_t>(size));
  }
}

References derivations_of(Bytes file) {
  References found;
  for_each_box(file, [&](std::string_view type, Bytes meta) {
    if (type != "meta") return;
    take(meta, 4);  // version and flags
    for_each_box(meta, [&](std::string_view kind, Bytes references) {
      if (kind != "iref") return;
      const std::size_t bytes_of_item = take(references, 1) == 0 ? 2 : 4;
      take(references, 3);
      for_each_box(references, [&](std::string_view reference, Bytes items) {
        if (reference != "dimg") return;
        std::vector<Item>& to = found[take(items, bytes_of_item)];
        for (std::uint64_t left = take(items, 2); left > 0 && !items.empty(); --left) {
          to.push_back(take(items, bytes_of_item));
        }
      });
    });
  });
  return found;
}

}  // namespace

bool has_circular_pictures(Bytes file) {
  constexpr int most_steps = 16;
  References left = derivations_of(file);
  // Items that refer to no item that is left are taken away. What stays is circular.
  for (int step = 0; step < most_steps; ++step) {
    std::erase_if(left, [&](const auto& item) {
      return std::none_of(item.second.begin(), item.second.end(), [&](Item to) { return left.contains(to); });
    });
  }
  return !left.empty();
}

}  // namespace octavo::imageio
