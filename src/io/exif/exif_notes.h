#pragma once

#include <libexif/exif-data.h>

#include <cstddef>
#include <memory>
#include <span>

namespace octavo::io {

struct UnreferenceNotes {
  void operator()(ExifData* notes) const { exif_data_unref(notes); }
};
/// EXIF data as libexif holds them.
using Notes = std::unique_ptr<ExifData, UnreferenceNotes>;

/// Without entries. Throws std::bad_alloc.
Notes new_notes();

/// Those of a block, and none if it is damaged. libexif copies what it keeps.
Notes read_notes(std::span<const std::byte> block);

}  // namespace octavo::io
