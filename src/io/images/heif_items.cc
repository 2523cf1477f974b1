// HEIF's container (ISO/IEC 14496-12, §8.11, and 23008-12). The file is a sequence of boxes: a size of 32 bits, a type
// of four letters, and the content. The box "meta" holds the number of the primary item ("pitm"), the types of all
// items
// ("iinf"), the places of their bytes ("iloc", "idat"), their properties ("iprp"), and what each refers to ("iref"):
// "dimg" from a derived image to those that it shows, "auxl" from an alpha channel to its image.

#include "io/images/heif_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

namespace octavo::io {
namespace {

constexpr std::size_t most_references = 1 << 14;  // libheif goes through all of them for every item

/// Throws DecodeError if a table asks for more entries than the rest of its box holds, of `size` bytes at least each.
/// One entry may have no bytes: that is a whole file.
void require_entries(std::string_view table, std::uint64_t count, std::size_t size, Bytes rest) {
  if (count <= (size == 0 ? 1 : rest.size() / size)) return;
  throw DecodeError(
      fmt::format("the HEIC or AVIF data are truncated or damaged: the table '{}' asks for {} entries of {} bytes, but "
                  "has {} bytes",
                  table, count, size, rest.size()));
}

/// The item of a number, which may be new.
HeifItem& item_of(HeifItems& found, std::uint64_t number) {
  HeifItem& item = found.items[number];
  if (found.items.size() <= most_heif_items) return item;
  throw DecodeError(
      fmt::format("the HEIC or AVIF data ask for more than {} items, the most that are read", most_heif_items));
}

void for_each_box(Bytes bytes, const std::function<void(std::string_view type, Bytes content)>& visit) {
  while (bytes.size() >= 8) {
    Bytes box = bytes;
    std::uint64_t size = take_number(box, 4);
    const std::string_view type(reinterpret_cast<const char*>(box.data()), 4);
    take_number(box, 4);
    if (size == 1) size = take_number(box, 8);
    const std::size_t head = bytes.size() - box.size();
    if (size == 0 || size > bytes.size()) size = bytes.size();  // 0: to the end
    if (size < head) return;
    visit(type, box.first(static_cast<std::size_t>(size) - head));
    bytes = bytes.subspan(static_cast<std::size_t>(size));
  }
}

/// The first box of that type; empty if there is none.
Bytes find_box(Bytes bytes, std::string_view wanted) {
  std::optional<Bytes> found;
  for_each_box(bytes, [&](std::string_view type, Bytes content) {
    if (type == wanted && !found) found = content;
  });
  return found.value_or(Bytes{});
}

/// The number before the flags of a box, all of which are taken.
std::uint64_t take_version(Bytes& box, std::uint64_t* flags = nullptr) {
  const std::uint64_t version = take_number(box, 1), bits = take_number(box, 3);
  if (flags != nullptr) *flags = bits;
  return version;
}

void add_types(Bytes box, HeifItems& found) {
  constexpr std::size_t head_of_box = 8;
  const std::uint64_t count = take_number(box, take_version(box) == 0 ? 2 : 4);
  require_entries("iinf", count, head_of_box, box);
  for_each_box(box, [&](std::string_view type, Bytes entry) {
    if (type != "infe") return;
    const std::uint64_t version = take_version(entry);
    if (version < 2) return;  // has no type
    const std::uint64_t number = take_number(entry, version == 2 ? 2 : 4);
    take_number(entry, 2);  // protection
    std::string& known = item_of(found, number).type;
    if (known.empty()) known = {reinterpret_cast<const char*>(entry.data()), std::min<std::size_t>(entry.size(), 4)};
  });
}

void add_places(Bytes box, Bytes file, Bytes idat, HeifItems& found) {
  const std::uint64_t version = take_version(box), sizes = take_number(box, 2);
  const auto size = [&](int shift) { return static_cast<std::size_t>(sizes >> shift & 15); };
  const std::size_t offset_size = size(12), length_size = size(8), base_size = size(4), index_size = size(0);
  for (const std::size_t one : {offset_size, length_size, base_size, index_size}) {
    if (one != 0 && one != 4 && one != 8) throw DecodeError("the HEIC or AVIF data are damaged: numbers of odd sizes");
  }
  const std::size_t number_size = version < 2 ? 2 : 4, method_size = version == 0 ? 0 : 2;
  const std::size_t extent_size = (version == 0 ? 0 : index_size) + offset_size + length_size;
  std::uint64_t left = take_number(box, number_size);
  require_entries("iloc", left, number_size + method_size + 2 + base_size + 2, box);
  for (; left > 0; --left) {
    HeifItem& item = item_of(found, take_number(box, number_size));
    const bool is_known = !item.data.empty();
    const std::uint64_t method = take_number(box, method_size) & 15;
    take_number(box, 2);  // the file, which is this one
    const std::uint64_t base = take_number(box, base_size);
    const Bytes from = method == 0 ? file : method == 1 ? idat : Bytes{};
    std::uint64_t extents = take_number(box, 2);
    require_entries("iloc", extents, extent_size, box);
    for (; extents > 0; --extents) {
      if (version > 0) take_number(box, index_size);
      const std::uint64_t offset = base + take_number(box, offset_size), length = take_number(box, length_size);
      if (is_known || offset >= from.size()) continue;
      item.data.push_back(from.subspan(offset, std::min<std::uint64_t>(length, from.size() - offset)));
    }
  }
}

void add_properties(Bytes box, HeifItems& found) {
  std::vector<std::pair<std::string_view, Bytes>> properties;
  for_each_box(find_box(box, "ipco"),
               [&](std::string_view type, Bytes content) { properties.emplace_back(type, content); });
  Bytes links = find_box(box, "ipma");
  std::uint64_t flags = 0;
  const std::uint64_t version = take_version(links, &flags);
  const std::size_t index_size = (flags & 1) == 0 ? 1 : 2, number_size = version < 1 ? 2 : 4;
  std::uint64_t left = take_number(links, 4);
  require_entries("ipma", left, number_size + 1, links);
  for (; left > 0; --left) {
    HeifItem& item = item_of(found, take_number(links, number_size));
    std::uint64_t count = take_number(links, 1);
    require_entries("ipma", count, index_size, links);
    for (; count > 0; --count) {
      const std::uint64_t index = take_number(links, index_size) & (index_size == 1 ? 0x7F : 0x7FFF);
      if (index == 0 || index > properties.size()) continue;
      const auto& [type, content] = properties[index - 1];
      if (type == "hvcC" && item.hevc.empty()) item.hevc = content;
      if (type == "av1C" && item.av1.empty()) item.av1 = content;
    }
  }
}

void add_references(Bytes box, HeifItems& found) {
  const std::size_t size = take_version(box) == 0 ? 2 : 4;
  std::size_t references = 0;
  for_each_box(box, [&](std::string_view type, Bytes entry) {
    if (++references > most_references) {
      throw DecodeError(
          fmt::format("the HEIC or AVIF data have more than {} lists of references, the most that are "
                      "read",
                      most_references));
    }
    const std::uint64_t from = take_number(entry, size);
    std::uint64_t left = take_number(entry, 2);
    require_entries("iref", left, size, entry);
    for (; left > 0; --left) {
      const std::uint64_t to = take_number(entry, size);
      if (type == "dimg") item_of(found, from).made_from.push_back(to);
      if (type == "auxl") item_of(found, to).auxiliary.push_back(from);
    }
  });
}

}  // namespace

std::uint64_t take_number(Bytes& bytes, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i) {
    number = number << 8 | (i < bytes.size() ? std::to_integer<std::uint64_t>(bytes[i]) : 0);
  }
  bytes = bytes.subspan(std::min(size, bytes.size()));
  return number;
}

HeifItems heif_items(Bytes file) {
  std::optional<Bytes> meta;
  for_each_box(file, [&](std::string_view type, Bytes content) {
    if (type != "meta") return;
    if (meta) throw DecodeError("the HEIC or AVIF data are damaged: two lists of images");
    meta = content;
  });
  HeifItems found;
  if (!meta) return found;
  take_version(*meta);
  Bytes primary = find_box(*meta, "pitm");
  found.primary = take_number(primary, take_version(primary) == 0 ? 2 : 4);
  add_types(find_box(*meta, "iinf"), found);
  add_places(find_box(*meta, "iloc"), file, find_box(*meta, "idat"), found);
  add_properties(find_box(*meta, "iprp"), found);
  add_references(find_box(*meta, "iref"), found);
  return found;
}

}  // namespace octavo::io
