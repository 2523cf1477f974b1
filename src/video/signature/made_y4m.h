// Grey clips of made frames, as the text of files of YUV4MPEG2, for tests.

#pragma once

#include <cmath>
#include <functional>
#include <string>

namespace octavo {

constexpr int made_width = 160, made_height = 120, made_rate = 25;

/// `grey_at`: the grey value at a column and row, at a time. [second] `rate`: frames a second.
inline std::string made_y4m(double seconds, const std::function<double(int, int, double)>& grey_at,
                            int rate = made_rate) {
  std::string text = "YUV4MPEG2 W160 H120 F" + std::to_string(rate) + ":1 Ip Cmono\n";
  for (int i = 0; i < seconds * rate; ++i) {
    text += "FRAME\n";
    for (int row = 0; row < made_height; ++row) {
      for (int column = 0; column < made_width; ++column)
        text += static_cast<char>(std::lround(grey_at(column, row, static_cast<double>(i) / rate)));
    }
  }
  return text;
}

}  // namespace octavo
