// Metadata of a TIFF: the profile and XMP are tags, and the EXIF data are directories of their own, which the first
// directory names. libtiff can write such directories too, but makes quotients anew from doubles, and writes the first
// directory twice. So they are written as bytes, before the pixels.

#include "io/images/tiff_metadata.h"

#include <algorithm>
#include <vector>

#include "io/exif/exif.h"
#include "io/exif/joined_exif.h"
#include "io/exif/tiff_exif.h"

namespace octavo::io {
namespace {

bool set_exif(TIFF* tiff, const std::vector<std::byte>& stored) {
  // In the byte order of this machine, as libtiff writes.
  const std::vector<std::byte> block = joined_exif({&stored, 1}, {});
  if (block.empty()) return true;
  const thandle_t file = TIFFClientdata(tiff);
  const auto end = static_cast<std::uint64_t>(TIFFGetSeekProc(tiff)(file, 0, SEEK_END));  // behind the header
  TiffExif exif = tiff_exif_of_block(block, end, TIFFIsBigTIFF(tiff) != 0);
  const auto size = static_cast<tmsize_t>(exif.directories.size());
  if (size > 0 && TIFFGetWriteProc(tiff)(file, exif.directories.data(), size) != size) return false;
  const int orientation = exif_facts(block).orientation;
  return std::ranges::all_of(
             exif.texts, [&](const auto& text) { return TIFFSetField(tiff, text.first, text.second.c_str()) != 0; }) &&
         TIFFSetField(tiff, TIFFTAG_ORIENTATION, orientation) != 0 &&
         (exif.photograph == 0 || TIFFSetField(tiff, TIFFTAG_EXIFIFD, exif.photograph) != 0) &&
         (exif.gps == 0 || TIFFSetField(tiff, TIFFTAG_GPSIFD, exif.gps) != 0);
}

}  // namespace

bool set_tiff_metadata(TIFF* tiff, const ImageMetadata& metadata) {
  const auto set = [&](std::uint32_t tag, const auto& content) {
    return content.empty() || TIFFSetField(tiff, tag, static_cast<std::uint32_t>(content.size()), content.data()) != 0;
  };
  return set(TIFFTAG_ICCPROFILE, metadata.icc) && set(TIFFTAG_XMLPACKET, metadata.xmp) &&
         (metadata.exif.empty() || set_exif(tiff, metadata.exif));
}

}  // namespace octavo::io
