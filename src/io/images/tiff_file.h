#pragma once

// Writes the TIFF files that no encoder would write, for tests.

#include <cstdint>
#include <string>
#include <vector>

namespace octavo::io::test {

/// A grey, little-endian TIFF of one page. Its strips (or tiles) are written as they are, however they are compressed.
struct TiffFile {
  std::uint32_t width = 1, height = 1, rows_per_strip = 1;
  std::uint16_t compression = 1;  ///< 1: none
  std::uint16_t channels = 1, bits = 8;
  std::uint16_t format = 1;                       ///< of samples: 1 without sign, 2 with sign, 3 float
  std::uint32_t tile_width = 0, tile_height = 0;  ///< 0: strips
  std::uint32_t kind = 0;                         ///< 1: a reduced version of another page
  std::vector<std::string> strips{};
  std::string shared{};  ///< what every strip holds, where it is not empty

  [[nodiscard]] std::string bytes() const { return "II*" + std::string(1, '\0') + number(8, 4) + page(8, 0); }

  /// The directory and the data of the page, which begins at an offset of the file. `next`: whether a page follows.
  [[nodiscard]] std::string page(std::size_t offset, bool next) const {
    std::vector<Entry> entries = this->entries();
    const std::size_t lists_at = offset + 2 + 12 * entries.size() + 4;
    const std::size_t data_at = lists_at + 8 * strips.size();
    std::string offsets, sizes, data = shared;
    for (const std::string& strip : strips) {
      offsets += number(shared.empty() ? data_at + data.size() : data_at, 4);
      sizes += number(shared.empty() ? strip.size() : shared.size(), 4);
      data += strip;
    }
    for (Entry& entry : entries) {
      const bool is_offsets = entry.tag == 273 || entry.tag == 324, is_sizes = entry.tag == 279 || entry.tag == 325;
      if (!is_offsets && !is_sizes) continue;
      const std::size_t at = is_offsets ? lists_at : lists_at + offsets.size();
      entry.value = static_cast<std::uint32_t>(at);
      if (strips.size() == 1)
        entry.value = first_number(is_offsets ? offsets : sizes);  // it stands in the entry itself
    }
    std::string text = number(entries.size(), 2);
    for (const Entry& entry : entries) {
      text += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4) + number(entry.value, 4);
    }
    return text + number(next ? data_at + data.size() : 0, 4) + offsets + sizes + data;
  }

 private:
  struct Entry {
    std::uint16_t tag, type;
    std::uint32_t count, value;
  };

  // Those of the lists have no value yet.
  [[nodiscard]] std::vector<Entry> entries() const {
    constexpr std::uint16_t u16 = 3, u32 = 4;
    const auto count = static_cast<std::uint32_t>(strips.size());
    std::vector<Entry> entries = {{254, u32, 1, kind}, {256, u32, 1, width},       {257, u32, 1, height},
                                  {258, u16, 1, bits}, {259, u16, 1, compression}, {262, u16, 1, 1}};
    if (tile_width == 0) {
      entries.insert(
          entries.end(),
          {{273, u32, count, 0}, {277, u16, 1, channels}, {278, u32, 1, rows_per_strip}, {279, u32, count, 0}});
    } else {
      entries.insert(entries.end(), {{277, u16, 1, channels},
                                     {322, u32, 1, tile_width},
                                     {323, u32, 1, tile_height},
                                     {324, u32, count, 0},
                                     {325, u32, count, 0}});
    }
    entries.push_back({339, u16, 1, format});
    return entries;
  }

  static std::uint32_t first_number(const std::string& list) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<unsigned char>(list[i])} << 8 * i;
    return value;
  }

  static std::string number(std::size_t value, std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(value >> 8 * i & 255);
    return text;
  }
};

}  // namespace octavo::io::test
