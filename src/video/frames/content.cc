// Black, flat and barred frames, by counts of grey levels in the frame, its rows and its columns.

#include <algorithm>
#include <array>
#include <cstddef>

#include "octavo/error.h"
#include "video/frames/cards.h"
#include "video/frames/content.h"
#include "video/frames/grey_frame.h"

namespace octavo {
namespace {

constexpr int dark = 25;            // above black, for a black frame
constexpr int dark_line = 24;       // above black, in the mean, for a bar
constexpr int bright_in_line = 40;  // above black
constexpr int flat_levels = 16;

// The pixels of a row or column of a rectangle, for the test of bars.
struct LineSum {
  std::uint64_t sum = 0, bright = 0, count = 0;
  void add(int grey, int black) {
    sum += static_cast<std::uint64_t>(std::max(grey - black, 0));
    bright += grey > black + bright_in_line ? 1 : 0;
    ++count;
  }
  [[nodiscard]] bool is_bar() const { return sum <= dark_line * count && 50 * bright <= count; }
};

LineSum row_of(const ImageView& grey, const PixelRectangle& inside, int y, int black) {
  LineSum line;
  const std::uint8_t* const row = video::grey_row(grey, y);
  for (int x = inside.x; x < inside.x + inside.width; ++x) line.add(row[x], black);
  return line;
}

LineSum column_of(const ImageView& grey, const PixelRectangle& inside, int x, int black) {
  LineSum line;
  for (int y = inside.y; y < inside.y + inside.height; ++y) line.add(video::grey_row(grey, y)[x], black);
  return line;
}

// Rows first, then columns between the remaining rows.
PixelRectangle active_of(const ImageView& grey, int black) {
  const PixelRectangle whole{0, 0, grey.width, grey.height};
  PixelRectangle active = whole;
  const auto row_is_bar = [&](int y) { return row_of(grey, active, y, black).is_bar(); };
  const auto column_is_bar = [&](int x) { return column_of(grey, active, x, black).is_bar(); };
  while (active.height > 0 && row_is_bar(active.y)) ++active.y, --active.height;
  while (active.height > 0 && row_is_bar(active.y + active.height - 1)) --active.height;
  if (active.height == 0) return whole;
  while (active.width > 0 && column_is_bar(active.x)) ++active.x, --active.width;
  while (active.width > 0 && column_is_bar(active.x + active.width - 1)) --active.width;
  return active.width == 0 ? whole : active;
}

}  // namespace

std::string_view name_of(Junk junk) {
  constexpr std::array<std::string_view, 5> names{"none", "black", "flat", "title", "bars"};
  return names[static_cast<std::size_t>(junk)];
}

FrameContent content_of(const ImageView& grey, int black) {
  video::require_grey(grey);
  std::array<std::uint64_t, 256> histogram{};
  for (int y = 0; y < grey.height; ++y) {
    const std::uint8_t* const row = video::grey_row(grey, y);
    for (int x = 0; x < grey.width; ++x) ++histogram[row[x]];
  }
  const std::uint64_t all = static_cast<std::uint64_t>(grey.width) * static_cast<std::uint64_t>(grey.height);
  std::uint64_t below = 0, most = 0, within = 0;
  int lowest = 0;  // of the levels that hold most pixels
  for (int level = 0; level < 256; ++level) {
    if (level <= black + dark) below += histogram[static_cast<std::size_t>(level)];
    within += histogram[static_cast<std::size_t>(level)];
    if (level >= flat_levels) within -= histogram[static_cast<std::size_t>(level - flat_levels)];
    if (within <= most) continue;
    most = within;
    lowest = std::max(level - flat_levels + 1, 0);
  }
  FrameContent content;
  content.active = {0, 0, grey.width, grey.height};
  if (100 * below >= 98 * all) {
    content.junk = Junk::black;
    return content;
  }
  if (100 * most >= 98 * all) {
    content.junk = Junk::flat;
  } else if (100 * most >= 70 * all && video::is_title(grey, lowest)) {
    content.junk = Junk::title;
  } else if (video::is_bars(grey)) {
    content.junk = Junk::bars;
  }
  content.active = active_of(grey, black);
  return content;
}

}  // namespace octavo
