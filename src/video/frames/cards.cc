// A title is a frame of which nearly every pixel is ground, letter, or the soft edge between them. Ground: a window of
// few levels, dark, that holds most of the frame. Letters: connected groups of far brighter pixels, of one brightness,
// about the same height, no full boxes, each beside another one. Night scenes fail by the halos beside their lights, by
// lights of different brightness, or by lights that stand alone; lit windows by their full shape; drawings by large
// groups.
//
// Colour bars are upright stripes: inside a stripe all pixels are alike from the top to the end of the bars, and from
// stripe to stripe luma falls.

#include "video/frames/cards.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "video/frames/grey_frame.h"

namespace octavo::video {
namespace {

constexpr int ground_levels = 16;  // of compression and grain
constexpr int brightest_ground = 64;
constexpr int contrast = 108;      // of letters above the lowest level of the ground
constexpr int peak_levels = 64;    // between the brightest levels of letters
constexpr int smallest_side = 64;  // [pixel] below it text cannot be read
constexpr int softness = 7;        // [pixel] the side of the square that edges of letters reach
constexpr std::size_t fewest_letters = 8, most_letters = 2000;  // letters

struct Letter {
  cv::Rect box;
  int pixels = 0, peak = 0;  // its brightest level
};

// Points, dots and crumbs of letters, of less than 4 rows, are left out.
std::vector<Letter> letters_of(const cv::Mat& grey, const cv::Mat& bright) {
  cv::Mat labels, numbers, centres;
  const int count = cv::connectedComponentsWithStats(bright, labels, numbers, centres);
  std::vector<Letter> all(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const int* const number = numbers.ptr<int>(i);
    all[static_cast<std::size_t>(i)] = {
        {number[cv::CC_STAT_LEFT], number[cv::CC_STAT_TOP], number[cv::CC_STAT_WIDTH], number[cv::CC_STAT_HEIGHT]},
        number[cv::CC_STAT_AREA]};
  }
  for (int y = 0; y < grey.rows; ++y) {
    for (int x = 0; x < grey.cols; ++x) {
      Letter& letter = all[static_cast<std::size_t>(labels.at<int>(y, x))];
      letter.peak = std::max<int>(letter.peak, grey.at<std::uint8_t>(y, x));
    }
  }
  all.erase(all.begin());  // what is not bright
  std::erase_if(all, [](const Letter& letter) { return letter.box.height < 4; });
  return all;
}

// Whether so many of ten letters have the property.
template <class Property>
bool most_of(const std::vector<Letter>& letters, std::ptrdiff_t of_ten, const Property& property) {
  return 10 * std::count_if(letters.begin(), letters.end(), property) >=
         of_ten * static_cast<std::ptrdiff_t>(letters.size());
}

template <class Value>
int value_at(const std::vector<Letter>& letters, double share, const Value& value) {
  std::vector<int> values;
  for (const Letter& letter : letters) values.push_back(value(letter));
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

bool are_side_by_side(const cv::Rect& a, const cv::Rect& b, int most_apart) {
  const int overlap = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  const int apart = std::max(a.x, b.x) - std::min(a.x + a.width, b.x + b.width);
  return 2 * overlap >= std::min(a.height, b.height) && apart <= most_apart;
}

bool are_text(const std::vector<Letter>& letters, cv::Size frame) {
  if (letters.size() < fewest_letters || letters.size() > most_letters) return false;
  const int height = value_at(letters, 0.5, [](const Letter& letter) { return letter.box.height; });
  const int peak = value_at(letters, 0.9, [](const Letter& letter) { return letter.peak; });
  const auto has_size = [&](const Letter& letter) {
    return 6 * letter.box.width <= frame.width && 4 * letter.box.height <= frame.height;
  };
  const auto has_usual_height = [&](const Letter& letter) {
    return 10 * letter.box.height >= 6 * height && 10 * letter.box.height <= 17 * height;
  };
  const auto has_shape = [](const Letter& letter) { return 10 * letter.pixels <= 8 * letter.box.area(); };
  const auto has_peak = [&](const Letter& letter) { return letter.peak > peak - peak_levels; };
  const auto has_neighbour = [&](const Letter& letter) {
    return std::any_of(letters.begin(), letters.end(), [&](const Letter& other) {
      return &other != &letter && are_side_by_side(letter.box, other.box, height);
    });
  };
  return most_of(letters, 10, has_size) && most_of(letters, 7, has_usual_height) && most_of(letters, 5, has_shape) &&
         most_of(letters, 8, has_peak) && most_of(letters, 9, has_neighbour);
}

// The number of pixels that are neither ground nor near something bright.
int others(const cv::Mat& grey, const cv::Mat& bright, int lowest) {
  cv::Mat near, ground;
  cv::dilate(bright, near, cv::getStructuringElement(cv::MORPH_RECT, {softness, softness}));
  cv::inRange(grey, cv::Scalar(lowest - ground_levels), cv::Scalar(lowest + 2 * ground_levels), ground);
  return static_cast<int>(grey.total()) - cv::countNonZero(near | ground);
}

// Stripes side by side, from `left` to `right`, as shares of the width, down to `bottom`, a share of the height.
struct Stripes {
  int count;
  double left, right, bottom;
};

// Whether each stripe, without its edges, is of one level and darker than the one before.
bool shows(const ImageView& grey, const Stripes& stripes) {
  constexpr int levels = 12;
  const double step = (stripes.right - stripes.left) * grey.width / stripes.count;
  const int bottom = static_cast<int>(stripes.bottom * grey.height);
  double before = 512;
  for (int i = 0; i < stripes.count; ++i) {
    const double begin = stripes.left * grey.width + i * step;
    const int left = static_cast<int>(begin + 0.2 * step), right = static_cast<int>(begin + 0.8 * step);
    if (right - left < 2) return false;
    std::uint64_t sum = 0;
    int least = 255, most = 0;
    for (int y = 1; y < bottom && most - least <= levels; ++y) {
      const std::uint8_t* const row = grey_row(grey, y);
      for (int x = left; x < right; ++x) {
        sum += row[x];
        least = std::min<int>(least, row[x]);
        most = std::max<int>(most, row[x]);
      }
    }
    const double mean = static_cast<double>(sum) / (static_cast<double>(right - left) * (bottom - 1));
    if (most - least > levels || mean > before - 8) return false;
    before = mean;
  }
  return true;
}

}  // namespace

bool is_title(const ImageView& grey, int ground) try {
  if (grey.width < smallest_side || grey.height < smallest_side || ground > brightest_ground) return false;
  const auto all = static_cast<std::uint64_t>(grey.width) * static_cast<std::uint64_t>(grey.height);
  const cv::Mat image = io::to_mat(grey), bright = image >= ground + contrast;
  return 500 * static_cast<std::uint64_t>(others(image, bright, ground)) <= all &&
         are_text(letters_of(image, bright), image.size());
} catch (const cv::Exception& error) {
  throw_error_of(error, "a frame cannot be searched for text");
}

bool is_bars(const ImageView& grey) {
  constexpr std::array<Stripes, 3> forms{
      {{7, 0, 1, 0.62}, {8, 0, 1, 0.9}, {7, 0.125, 0.875, 0.55}}};  // SMPTE, EBU, SMPTE RP 219 of HD
  return grey.width >= smallest_side && grey.height >= smallest_side &&
         std::any_of(forms.begin(), forms.end(), [&](const Stripes& form) { return shows(grey, form); });
}

}  // namespace octavo::video
