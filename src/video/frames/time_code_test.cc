// Labels of frames: those of SMPTE ST 12-1 at the ends of minutes, and every label of ten minutes there and back.

#include "video/frames/time_code.h"

#include <gtest/gtest.h>

#include <set>

namespace octavo {
namespace {

constexpr Ratio pal{25, 1}, ntsc{30000, 1001}, double_ntsc{60000, 1001};

TEST(TimeCode, CountsFrames) {
  const auto code = TimeCode::of("10:00:00:00", pal);
  ASSERT_TRUE(code);
  EXPECT_EQ(code->first(), 36000 * 25);
  EXPECT_EQ(code->label(0), "10:00:00:00");
  EXPECT_EQ(code->label(26), "10:00:01:01");
  EXPECT_EQ(code->label(-1), "09:59:59:24");
  EXPECT_EQ(TimeCode::of("23:59:59:24", pal)->label(1), "00:00:00:00");
  EXPECT_EQ(TimeCode::of("", pal)->label(75), "00:00:03:00");
  EXPECT_EQ(TimeCode::of("00:00:00:119", {120, 1})->label(1), "00:00:01:00");
}

TEST(TimeCode, DropsTheFirstLabelsOfMostMinutes) {
  const auto code = TimeCode::of("00:00:59;29", ntsc);
  ASSERT_TRUE(code && code->drops());
  EXPECT_EQ(code->label(1), "00:01:00;02");
  EXPECT_EQ(TimeCode::of("00:09:59;29", ntsc)->label(1), "00:10:00;00");
  EXPECT_EQ(TimeCode::of("01:00:00;00", ntsc)->first(), 107892);
  EXPECT_EQ(TimeCode::of("00:00:59.59", double_ntsc)->label(1), "00:01:00;04");
  // Without drops labels are complete.
  EXPECT_EQ(TimeCode::of("00:00:59:29", ntsc)->label(1), "00:01:00:00");
}

TEST(TimeCode, EachFrameHasOneLabel) {
  for (const Ratio rate : {ntsc, double_ntsc}) {
    const auto code = TimeCode::of("00:00:00;00", rate);
    std::set<std::string> labels;
    const std::int64_t twenty_minutes = 2 * (600 * std::llround(29.97) - 18) * (rate == ntsc ? 1 : 2);
    for (std::int64_t frame = 0; frame < twenty_minutes; ++frame) {
      const std::string label = code->label(frame);
      EXPECT_TRUE(labels.insert(label).second) << label;
      const auto back = TimeCode::of(label, rate);
      ASSERT_TRUE(back) << label;
      ASSERT_EQ(back->first(), frame) << label;
    }
    EXPECT_EQ(code->label(twenty_minutes), "00:20:00;00");
  }
}

TEST(TimeCode, WhatIsNoLabelGivesNone) {
  for (const char* const label : {"1:00:00:00", "01:00:00", "01:00:00:25", "24:00:00:00", "00:60:00:00", "00:00:60:00",
                                  "00;00:00:00", "00:00:00:0x", "00:00:00:00 ", "-1:00:00:00", "00:00:00;00"}) {
    EXPECT_FALSE(TimeCode::of(label, pal)) << label;
  }
  EXPECT_FALSE(TimeCode::of("00:01:00;00", ntsc)) << "it is dropped";
  EXPECT_FALSE(TimeCode::of("", {0, 1}));
}

}  // namespace
}  // namespace octavo
