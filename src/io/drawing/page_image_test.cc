// Images of pages can be read again, and what JPEG cannot hold is an error that the makers of pages handle.

#include "io/drawing/page_image.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo::io {
namespace {

TEST(PageImages, ShowTheirImage) {
  Image image(40, 30, 3, PixelType::u8);
  for (int y = 0; y < 30; ++y) {
    for (int x = 0; x < 40; ++x) {
      const std::array pixel{std::byte{200}, std::byte{100}, std::byte{50}};
      std::copy(pixel.begin(), pixel.end(), image.row(y) + 3 * x);
    }
  }
  const PageImage shown = page_image(image.view(), "a caption");
  EXPECT_EQ(shown.width, 40);
  EXPECT_EQ(shown.height, 30);
  EXPECT_EQ(shown.caption, "a caption");
  const Image back = decode_image(shown.jpeg, "the image");
  ASSERT_EQ(back.channels(), 3);
  EXPECT_NEAR(std::to_integer<int>(back.row(15)[60]), 200, 4);
  EXPECT_NEAR(std::to_integer<int>(back.row(15)[61]), 100, 4);
  EXPECT_NEAR(std::to_integer<int>(back.row(15)[62]), 50, 4);
}

TEST(PageImages, WhatJpegCannotHoldIsAnError) {
  Image image(65501, 1, 1, PixelType::u8);
  std::fill(image.row(0), image.row(0) + image.width(), std::byte{});
  try {
    page_image(image.view(), "");
    ADD_FAILURE() << "it was made";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_NE(std::string(error.what()).find("at most 65500 pixels a side"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace octavo::io
