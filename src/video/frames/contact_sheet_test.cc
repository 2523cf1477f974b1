#include "video/frames/contact_sheet.h"

#include <gtest/gtest.h>

#include <cstring>

#include "octavo/error.h"
#include "octavo/image.h"

namespace octavo {
namespace {

// The pixels of the sheet that have this colour.
int count(const Image& sheet, int red, int green, int blue) {
  int found = 0;
  for (int y = 0; y < sheet.height(); ++y) {
    for (int x = 0; x < sheet.width(); ++x) {
      const auto* const p = reinterpret_cast<const std::uint8_t*>(sheet.row(y) + 3 * x);
      found += p[0] == red && p[1] == green && p[2] == blue ? 1 : 0;
    }
  }
  return found;
}

Image grey(int width, int height, int value) {
  Image made(width, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) std::memset(made.row(y), value, static_cast<std::size_t>(width));
  return made;
}

TEST(ContactSheet, TimeText) {
  EXPECT_EQ(time_text(0), "0:00:00.000");
  EXPECT_EQ(time_text(3723.4567), "1:02:03.457");
  EXPECT_EQ(time_text(-0.25), "-0:00:00.250");
  EXPECT_EQ(time_text(359999.9999), "100:00:00.000");
}

TEST(ContactSheet, ShowsThumbnailsAndMarks) {
  const Image frame = grey(384, 216, 133);
  const FrameContent plain{Junk::none, {0, 0, 384, 216}};
  const auto sheet_with = [&](const FrameContent& content, bool repeats) {
    ContactSheet sheet;
    sheet.add(frame.view(), 1.5, content, repeats);
    return sheet.draw("clip.mp4");
  };
  const Image none = sheet_with(plain, false);
  EXPECT_GE(count(none, 133, 133, 133), 192 * 108);
  constexpr int border = 2 * 3 * (192 + 108 + 2 * 3);  // [pixel]
  EXPECT_GE(count(sheet_with({Junk::black, plain.active}, false), 230, 60, 50), count(none, 230, 60, 50) + border);
  EXPECT_GE(count(sheet_with(plain, true), 70, 140, 255), count(none, 70, 140, 255) + border);
  EXPECT_EQ(count(sheet_with({Junk::none, {0, 40, 384, 136}}, false), 255, 170, 30),
            count(none, 255, 170, 30) + 2 * (192 + 68) - 4);
}

TEST(ContactSheet, HoldsAtMost400) {
  ContactSheet sheet;
  EXPECT_THROW(static_cast<void>(sheet.draw("empty")), Error);
  const Image frame = grey(8, 8, 90);
  for (int i = 0; i < 1700; ++i) sheet.add(frame.view(), i, {Junk::none, {0, 0, 8, 8}}, false);
  EXPECT_EQ(sheet.size(), 213u);  // every eighth of 1700
}

}  // namespace
}  // namespace octavo
