// A sample stands for the set: reading all images twice would cost as much as the work itself, and a range that grew
// with each image would depend on the order, the shards and the runs.

#include "io/images/set_range.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_images = 16;

// The same files for every order of the list.
std::vector<fs::path> sample_of(std::vector<fs::path> files) {
  std::ranges::sort(files);
  const std::size_t count = std::min(most_images, files.size());
  std::vector<fs::path> sample;
  for (std::size_t i = 0; i < count; ++i) sample.push_back(std::move(files[i * files.size() / count]));
  return sample;
}

// What the images that were added use, all of one type.
struct UsedBySet {
  fs::path first;
  PixelType type{};
  std::optional<ValueRange> values;

  void add(const fs::path& file, const Photograph& photograph) {
    const PixelType its_type = photograph.image.type();
    if (its_type == PixelType::u8) return;
    if (first.empty()) {
      first = file;
      type = its_type;
    } else if (type != its_type) {
      throw Error(ErrorCode::file_error,
                  fmt::format("'{}' and '{}' cannot have one range of values: one has 16 bits, the other floats",
                              first.string(), file.string()));
    }
    const std::optional<ValueRange> used = values_used(photograph.image.view(), photograph.no_data);
    if (used) values = values ? joined(*values, *used) : *used;
  }
};

}  // namespace

std::optional<ValueRange> range_of_set(std::vector<fs::path> files, const ReadOptions& options) {
  UsedBySet used;
  for (const fs::path& file : sample_of(std::move(files))) {
    std::optional<Photograph> photograph;
    try {
      photograph = read_stored(file, {.max_pixels = options.max_pixels});
    } catch (const Error&) {  // its job tells of it
      continue;
    }
    used.add(file, *photograph);
  }
  if (!used.values) return std::nullopt;
  return full_scale(used.type, *used.values);
}

}  // namespace octavo
