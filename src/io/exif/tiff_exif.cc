// A TIFF file is what an EXIF block imitates: its first directory has the camera's name, and names the directories of
// the photograph and of GPS (EXIF 2.32, §4.6). But they may stand anywhere in a large file, or in a BigTIFF, which
// libexif does not know. So their entries are copied into a small block of classic TIFF, in the byte order of the
// file:
//
//   header (8 bytes); for each directory the number of entries (2), entries (12 each), 4 zeros; the longer contents
//
// Entries of a TIFF: tag (2), type (2), count (4; BigTIFF 8), the content, or its offset if it is longer (4; 8).

#include "io/exif/tiff_exif.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "io/exif/copied_tags.h"

namespace octavo::io {
namespace {

using Bytes = std::span<const std::byte>;

using Tags = std::span<const std::uint16_t>;

constexpr std::uint16_t photograph_directory = 34665, gps_directory = 34853;

constexpr std::uint64_t most_entries = 4096;  // of a directory; a damaged file may claim any number

struct Damaged : std::runtime_error {
  Damaged() : std::runtime_error("damaged TIFF") {}
};

// [byte] The size of a value of a type; 0 if it is none of an EXIF block.
std::uint64_t size_of_type(std::uint64_t type) {
  constexpr std::array<std::uint8_t, 14> sizes{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};
  return type < sizes.size() ? sizes[type] : 0;
}

struct DirectoryEntry {
  std::uint16_t tag = 0, type = 0;
  std::uint32_t count = 0;
  Bytes content;
};

class TiffEntries {
 public:
  explicit TiffEntries(Bytes file) : file_(file) {
    const std::string_view start = text(0, 2);
    if (start != "II" && start != "MM") throw Damaged();
    is_big_endian_ = start == "MM";
    const std::uint64_t version = number(2, 2);
    if (version != 42 && version != 43) throw Damaged();
    is_big_tiff_ = version == 43;
  }

  [[nodiscard]] bool is_big_endian() const { return is_big_endian_; }
  [[nodiscard]] std::uint64_t first_directory() const { return is_big_tiff_ ? number(8, 8) : number(4, 4); }

  /// Calls found(tag, type, count, where the content is) for each entry of a directory.
  template <class Found>
  void read(std::uint64_t directory, const Found& found) const {
    const std::uint64_t count_size = is_big_tiff_ ? 8 : 2, entry_size = is_big_tiff_ ? 20 : 12;
    const std::uint64_t count = std::min(number(directory, count_size), most_entries);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t at = directory + count_size + i * entry_size;
      found(number(at, 2), number(at + 2, 2), number(at + 4, is_big_tiff_ ? 8 : 4), at + (is_big_tiff_ ? 12 : 8));
    }
  }

  /// The first entry of each of these tags.
  [[nodiscard]] std::vector<DirectoryEntry> entries(std::uint64_t directory, Tags tags) const {
    std::vector<DirectoryEntry> list;
    read(directory, [&](std::uint64_t tag, std::uint64_t type, std::uint64_t count, std::uint64_t at) {
      const std::uint64_t size = size_of_type(type);
      if (size == 0 || count > most_content / size) return;
      if (std::find(tags.begin(), tags.end(), tag) == tags.end()) return;
      if (std::any_of(list.begin(), list.end(), [&](const DirectoryEntry& known) { return known.tag == tag; })) return;
      const std::uint64_t place = size * count <= offset_size() ? at : number(at, offset_size());
      if (place > file_.size() || size * count > file_.size() - place) return;
      list.push_back({static_cast<std::uint16_t>(tag), static_cast<std::uint16_t>(type),
                      static_cast<std::uint32_t>(count), file_.subspan(place, size * count)});
    });
    return list;
  }

  /// The place of the directory that an entry names.
  [[nodiscard]] std::optional<std::uint64_t> named_directory(std::uint64_t wanted) const {
    std::optional<std::uint64_t> place;
    read(first_directory(), [&](std::uint64_t tag, std::uint64_t type, std::uint64_t count, std::uint64_t at) {
      if (tag != wanted || count != 1) return;
      const bool is_long = type == 16 || type == 18;  // of BigTIFF
      if (is_long || type == 4 || type == 13) place = number(at, is_long ? offset_size() : 4);
    });
    return place;
  }

 private:
  [[nodiscard]] std::uint64_t offset_size() const { return is_big_tiff_ ? 8 : 4; }

  [[nodiscard]] std::string_view text(std::uint64_t at, std::uint64_t size) const {
    if (at > file_.size() || size > file_.size() - at) throw Damaged();
    return {reinterpret_cast<const char*>(file_.data()) + at, size};
  }

  [[nodiscard]] std::uint64_t number(std::uint64_t at, std::uint64_t size) const {
    const std::string_view bytes = text(at, size);
    std::uint64_t value = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
      value = value << 8 | static_cast<unsigned char>(bytes[is_big_endian_ ? i : size - 1 - i]);
    }
    return value;
  }

  Bytes file_;
  bool is_big_endian_ = false, is_big_tiff_ = false;
};

/// Writes directories, and what belongs to them, as they stand in a file from an offset on.
class DirectoryWriter {
 public:
  DirectoryWriter(bool is_big_endian, bool is_big_tiff, std::uint64_t offset)
      : is_big_endian_(is_big_endian), is_big_tiff_(is_big_tiff), offset_(offset) {}

  /// The offset of what is appended next.
  [[nodiscard]] std::uint64_t place() const { return offset_ + bytes_.size(); }

  void append(std::uint64_t value, std::size_t size) {
    bytes_.resize(bytes_.size() + size);
    put(place() - size, value, size);
  }

  void put(std::uint64_t place, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      bytes_[place - offset_ + (is_big_endian_ ? size - 1 - i : i)] = static_cast<std::byte>(value >> 8 * i);
    }
  }

  /// Appends a directory and its contents, which begin at even offsets.
  void append(const std::vector<DirectoryEntry>& entries) {
    const std::size_t number = is_big_tiff_ ? 8 : 4, entry_size = is_big_tiff_ ? 20 : 12;
    append(entries.size(), is_big_tiff_ ? 8 : 2);
    std::uint64_t at = place();
    bytes_.resize(bytes_.size() + entry_size * entries.size() + number);
    for (const DirectoryEntry& entry : entries) {
      put(at, entry.tag, 2);
      put(at + 2, entry.type, 2);
      put(at + 4, entry.count, number);
      std::uint64_t content = at + 4 + number;
      at += entry_size;
      if (entry.content.size() > number) {
        put(content, place(), number);
        content = place();
        bytes_.resize(bytes_.size() + entry.content.size() + entry.content.size() % 2);
      }
      std::copy(entry.content.begin(), entry.content.end(),
                bytes_.begin() + static_cast<std::ptrdiff_t>(content - offset_));
    }
  }

  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  bool is_big_endian_, is_big_tiff_;
  std::uint64_t offset_;
  std::vector<std::byte> bytes_;
};

std::vector<std::byte> copied_entries(const TiffEntries& tiff) {
  struct Directory {
    std::uint16_t tag;
    Tags tags;
  };
  std::vector<DirectoryEntry> first = tiff.entries(tiff.first_directory(), camera_tags);
  std::vector<std::vector<DirectoryEntry>> named;
  constexpr std::array<std::byte, 4> later{};
  for (const Directory& directory :
       {Directory{photograph_directory, photograph_tags}, Directory{gps_directory, gps_tags}}) {
    const std::optional<std::uint64_t> place = tiff.named_directory(directory.tag);
    if (!place) continue;
    named.push_back(tiff.entries(*place, directory.tags));
    first.push_back({directory.tag, 4, 1, later});
  }
  DirectoryWriter block(tiff.is_big_endian(), false, 0);
  const std::string_view order = tiff.is_big_endian() ? "MM" : "II";
  for (const char letter : order) block.append(static_cast<unsigned char>(letter), 1);
  block.append(42, 2);
  block.append(8, 4);
  block.append(first);
  for (std::size_t i = 0; i < named.size(); ++i) {
    const std::size_t entry = first.size() - named.size() + i;
    block.put(8 + 2 + 12 * entry + 8, block.place(), 4);
    block.append(named[i]);
  }
  return block.take();
}

}  // namespace

std::vector<std::byte> exif_block_of_tiff(std::span<const std::byte> file) {
  try {
    return copied_entries(TiffEntries(file));
  } catch (const Damaged&) {
    return {};
  }
}

TiffExif tiff_exif_of_block(std::span<const std::byte> block, std::uint64_t place, bool is_big_tiff) try {
  const TiffEntries source(block);
  TiffExif made;
  for (const DirectoryEntry& entry : source.entries(source.first_directory(), camera_tags)) {
    constexpr std::uint16_t text_type = 2;
    if (entry.type != text_type) continue;
    const std::string_view text(reinterpret_cast<const char*>(entry.content.data()), entry.content.size());
    made.texts.emplace_back(entry.tag, text.substr(0, text.find('\0')));
  }
  DirectoryWriter writer(source.is_big_endian(), is_big_tiff, place);
  const auto copied = [&](std::uint16_t directory, Tags tags) {
    const std::optional<std::uint64_t> found = source.named_directory(directory);
    if (!found) return std::uint64_t{0};
    const std::uint64_t start = writer.place();
    writer.append(source.entries(*found, tags));
    return start;
  };
  made.photograph = copied(photograph_directory, photograph_tags);
  made.gps = copied(gps_directory, gps_tags);
  made.directories = writer.take();
  return made;
} catch (const Damaged&) {
  return {};
}

}  // namespace octavo::io
