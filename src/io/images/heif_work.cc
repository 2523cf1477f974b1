// How much work a HEIF file describes. An image is coded, or is made from others: a grid or an overlay of them, or a
// copy. The same tile may appear thousands of times, tiles may be grids of tiles, and an image may be made from
// itself. The work of an image is its own pixels, those of the images that it is made from, as often as they appear,
// and those of its alpha channel.

#include "io/images/heif_work.h"

#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

#include "io/images/coded_pixels.h"
#include "io/images/heif_items.h"

namespace octavo::io {
namespace {

/// The pixels of the canvas of a grid or an overlay. Its data begin with a version, flags, and what lies before the
/// size.
double canvas_pixels(Bytes data, std::size_t before_size) {
  take_number(data, 1);
  const std::size_t size = (take_number(data, 1) & 1) == 0 ? 2 : 4;
  for (std::size_t i = 0; i < before_size; ++i) take_number(data, 1);
  const auto width = static_cast<double>(take_number(data, size));
  return width * static_cast<double>(take_number(data, size));
}

class Work {
 public:
  explicit Work(HeifItems found) : found_(std::move(found)) {}

  /// [pixel] of an item. `depth` tells how many others it is a part of.
  double of(std::uint64_t number, int depth = 0) {
    constexpr int deepest = 16;
    if (depth > deepest) throw DecodeError("the HEIC or AVIF data are damaged: an image is made from itself");
    if (const auto known = known_.find(number); known != known_.end()) return known->second;
    const auto item = found_.items.find(number);
    if (item == found_.items.end()) return 0;
    double pixels = own_pixels(item->second);
    for (const std::uint64_t part : item->second.made_from) pixels += of(part, depth + 1);
    for (const std::uint64_t channel : item->second.auxiliary) pixels += of(channel, depth + 1);
    return known_[number] = pixels;
  }

 private:
  static double own_pixels(const HeifItem& item) {
    constexpr std::size_t rows_and_columns = 2, background = 8;
    const std::vector<std::byte> data = joined(item.data);
    if (item.type == "grid") return canvas_pixels(data, rows_and_columns);
    if (item.type == "iovl") return canvas_pixels(data, background);
    if (item.type == "hvc1") return hevc_pixels(item.hevc, data);
    if (item.type == "av01") return av1_pixels(item.av1, data);
    return 0;
  }

  static std::vector<std::byte> joined(const std::vector<Bytes>& parts) {
    std::vector<std::byte> bytes;
    for (const Bytes part : parts) bytes.insert(bytes.end(), part.begin(), part.end());
    return bytes;
  }

  HeifItems found_;
  std::map<std::uint64_t, double> known_;
};

/// Throws DecodeError if the parts of all items together are many times the file. libheif joins those of EXIF data and
/// other metadata too.
void check_parts(const HeifItems& found, std::size_t file_size) {
  constexpr std::uint64_t most_uses = 8;
  std::uint64_t bytes_left = most_uses * file_size;
  for (const auto& [number, item] : found.items) {
    for (const Bytes part : item.data) {
      if (part.size() > bytes_left) throw DecodeError("the HEIC or AVIF data are damaged: its parts overlap");
      bytes_left -= part.size();
    }
  }
}

}  // namespace

void check_heif_work(Bytes file, std::uint64_t max_pixels) {
  HeifItems found = heif_items(file);
  check_parts(found, file.size());
  const std::uint64_t primary = found.primary;
  const double pixels = Work(std::move(found)).of(primary);
  if (pixels <= static_cast<double>(most_heif_pixels(max_pixels))) return;
  throw DecodeError(fmt::format("its parts have {:.0f} pixels, more than `max_pixels` allows, {}", pixels, max_pixels));
}

}  // namespace octavo::io
