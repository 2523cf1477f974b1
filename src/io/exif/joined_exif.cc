// The EXIF data of an image that is made of several, with libexif. Entries are compared and written in the byte order
// of this machine.

#include "io/exif/joined_exif.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "io/exif/copied_tags.h"
#include "io/exif/exif_notes.h"

namespace octavo::io {
namespace {

using Bytes = std::span<const std::byte>;
using Tags = std::span<const std::uint16_t>;

constexpr ExifByteOrder native_order =
    std::endian::native == std::endian::little ? EXIF_BYTE_ORDER_INTEL : EXIF_BYTE_ORDER_MOTOROLA;

// Dates, their offsets and fractions of seconds.
constexpr std::array<std::uint16_t, 9> tags_of_time{306, 36867, 36868, 36880, 36881, 36882, 37520, 37521, 37522};
// What tells of the pixels of the camera, or of its angle of view: the orientation, the size, the resolution of the
// sensor, and the focal length on film.
constexpr std::array<std::uint16_t, 7> tags_of_pixels{274, 40962, 40963, 41486, 41487, 41488, 41989};

bool is_in(Tags tags, int tag) { return std::find(tags.begin(), tags.end(), tag) != tags.end(); }

void add(const Notes& notes, ExifIfd directory, int tag, ExifFormat format, unsigned long count, Bytes content) {
  struct Unreference {
    void operator()(ExifEntry* entry) const { exif_entry_unref(entry); }
  };
  const std::unique_ptr<ExifEntry, Unreference> entry(exif_entry_new());
  if (!entry) throw std::bad_alloc();
  entry->data = static_cast<unsigned char*>(std::malloc(content.size()));  // libexif frees it
  if (!entry->data) throw std::bad_alloc();
  std::memcpy(entry->data, content.data(), content.size());
  entry->size = static_cast<unsigned>(content.size());
  entry->tag = static_cast<ExifTag>(tag);
  entry->format = format;
  entry->components = count;
  exif_content_add_entry(notes->ifd[directory], entry.get());
}

void add_number(const Notes& notes, ExifIfd directory, int tag, ExifFormat format, std::uint32_t value) {
  const auto small = static_cast<std::uint16_t>(value);
  add(notes, directory, tag, format, 1,
      format == EXIF_FORMAT_SHORT ? std::as_bytes(std::span(&small, 1)) : std::as_bytes(std::span(&value, 1)));
}

const ExifEntry* entry_of(const Notes& notes, ExifIfd directory, int tag) {
  const ExifEntry* const found = exif_content_get_entry(notes->ifd[directory], static_cast<ExifTag>(tag));
  return found && found->size > 0 && found->size <= most_content ? found : nullptr;
}

bool is_alike(const ExifEntry& a, const ExifEntry& b) {
  return a.format == b.format && a.size == b.size && std::memcmp(a.data, b.data, a.size) == 0;
}

// Copies the first notes' entries of a directory that no others contradict.
void copy(const Notes& made, std::span<const Notes> all, ExifIfd directory, Tags tags) {
  for (const int tag : tags) {
    const ExifEntry* const first = entry_of(all.front(), directory, tag);
    if (!first) continue;
    const bool is_of_first = directory == EXIF_IFD_GPS || is_in(tags_of_time, tag);
    const bool is_contradicted = std::ranges::any_of(all.subspan(1), [&](const Notes& notes) {
      const ExifEntry* const other = entry_of(notes, directory, tag);
      return other && !is_alike(*first, *other);
    });
    if (is_contradicted && !is_of_first) continue;
    add(made, directory, tag, first->format, first->components, std::as_bytes(std::span(first->data, first->size)));
  }
}

// Leaves out what tells of the pixels of one image, and tells of those of the whole.
void set_size(const Notes& made, ImageSize size) {
  for (const ExifIfd directory : {EXIF_IFD_0, EXIF_IFD_EXIF}) {
    for (const int tag : tags_of_pixels) {
      ExifContent* const content = made->ifd[directory];
      exif_content_remove_entry(content, exif_content_get_entry(content, static_cast<ExifTag>(tag)));
    }
  }
  add_number(made, EXIF_IFD_0, EXIF_TAG_ORIENTATION, EXIF_FORMAT_SHORT, 1);
  add_number(made, EXIF_IFD_EXIF, EXIF_TAG_PIXEL_X_DIMENSION, EXIF_FORMAT_LONG, static_cast<std::uint32_t>(size.width));
  add_number(made, EXIF_IFD_EXIF, EXIF_TAG_PIXEL_Y_DIMENSION, EXIF_FORMAT_LONG,
             static_cast<std::uint32_t>(size.height));
}

std::vector<std::byte> block_of(const Notes& notes) {
  unsigned char* data = nullptr;
  unsigned size = 0;
  exif_data_save_data(notes.get(), &data, &size);
  const std::unique_ptr<unsigned char, void (*)(void*)> owner(data, std::free);
  constexpr std::size_t name = 6;  // as a JPEG's segment begins
  if (!data || size < name) throw std::bad_alloc();
  const Bytes block = std::as_bytes(std::span(data, size)).subspan(name);
  return {block.begin(), block.end()};
}

}  // namespace

std::vector<std::byte> joined_exif(std::span<const std::vector<std::byte>> blocks, std::optional<ImageSize> size) {
  if (blocks.empty()) return {};
  std::vector<Notes> all;
  for (const auto& block : blocks) {
    all.push_back(read_notes(block));
    exif_data_set_byte_order(all.back().get(), native_order);
  }
  const Notes made = new_notes();
  exif_data_set_byte_order(made.get(), native_order);
  copy(made, all, EXIF_IFD_0, camera_tags);
  copy(made, all, EXIF_IFD_EXIF, photograph_tags);
  copy(made, all, EXIF_IFD_GPS, gps_tags);
  const auto is_empty = [&](ExifIfd directory) { return made->ifd[directory]->count == 0; };
  if (is_empty(EXIF_IFD_0) && is_empty(EXIF_IFD_EXIF) && is_empty(EXIF_IFD_GPS)) return {};
  if (size) set_size(made, *size);
  return block_of(made);
}

}  // namespace octavo::io
