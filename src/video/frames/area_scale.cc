// First the rows of the source are summed up for each row of the result, then these sums along the row.

#include "video/frames/area_scale.h"

#include <algorithm>
#include <cstring>

namespace octavo::video {
namespace {

// The source pixels below a pixel of the result, and the covered length of each.
struct Cover {
  int first = 0;
  std::vector<std::uint32_t> lengths;
};

// `from` source pixels become `to`.
std::vector<Cover> covers_of(int from, int to) {
  std::vector<Cover> covers(static_cast<std::size_t>(to));
  for (int x = 0; x < to; ++x) {
    const std::int64_t begin = std::int64_t{x} * from, end = begin + from;
    Cover& cover = covers[static_cast<std::size_t>(x)];
    cover.first = static_cast<int>(begin / to);
    for (std::int64_t i = cover.first; i * to < end; ++i) {
      cover.lengths.push_back(static_cast<std::uint32_t>(std::min(end, (i + 1) * to) - std::max(begin, i * to)));
    }
  }
  return covers;
}

}  // namespace

std::vector<std::uint8_t> scale_area(const BytePlane& source, ImageSize size) {
  const auto width = static_cast<std::size_t>(size.width), height = static_cast<std::size_t>(size.height);
  std::vector<std::uint8_t> result(width * height);
  if (size == ImageSize{source.width, source.height}) {
    for (int y = 0; y < size.height; ++y) {
      std::memcpy(result.data() + static_cast<std::size_t>(y) * width, source.data + y * source.stride, width);
    }
    return result;
  }
  const std::vector<Cover> columns = covers_of(source.width, size.width), rows = covers_of(source.height, size.height);
  const std::uint64_t area = static_cast<std::uint64_t>(source.width) * static_cast<std::uint64_t>(source.height);
  std::vector<std::uint32_t> sums(static_cast<std::size_t>(source.width));  // at most 255 · 65535
  std::uint8_t* out = result.data();
  for (const Cover& row : rows) {
    std::fill(sums.begin(), sums.end(), 0u);
    const std::uint8_t* in = source.data + row.first * source.stride;
    for (const std::uint32_t length : row.lengths) {
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += length * in[i];
      in += source.stride;
    }
    for (const Cover& column : columns) {
      const std::uint32_t* sum = sums.data() + column.first;
      std::uint64_t total = area / 2;
      for (const std::uint32_t length : column.lengths) total += std::uint64_t{length} * *sum++;
      *out++ = static_cast<std::uint8_t>(total / area);
    }
  }
  return result;
}

}  // namespace octavo::video
