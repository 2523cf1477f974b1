// Thumbnails in rows of equal cells. OpenCV reduces and writes the letters.

#include "video/frames/contact_sheet.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "octavo/error.h"
#include "octavo/image.h"

namespace octavo {
namespace {

constexpr std::size_t most_thumbnails = 400;
constexpr int cell = 192;                             // [pixel] the longest side of a thumbnail
constexpr int border = 3, gap = 8, line_height = 18;  // [pixel]
constexpr int font = cv::FONT_HERSHEY_SIMPLEX;
constexpr double letter_size = 0.42;

const cv::Scalar paper(24, 24, 24), ink(225, 225, 225), plain(70, 70, 70);
const cv::Scalar red(230, 60, 50), blue(70, 140, 255), orange(255, 170, 30);

struct Thumbnail {
  cv::Mat image;
  double seconds = 0;
  FrameContent content;
  bool repeats = false;
  bool has_bars = false;
};

void write_text(cv::Mat& canvas, const std::string& text, cv::Point at, const cv::Scalar& colour) {
  cv::putText(canvas, text, at, font, letter_size, colour, 1, cv::LINE_AA);
}

// The thumbnail with its border and marks, at the top left of its cell.
void draw(cv::Mat& canvas, const Thumbnail& one, cv::Point at) {
  const bool is_junk = one.content.junk != Junk::none;
  const cv::Scalar colour = is_junk ? red : one.repeats ? blue : plain;
  const cv::Size size = one.image.size();
  cv::rectangle(canvas, cv::Rect(at, size + cv::Size(2 * border, 2 * border)), colour, cv::FILLED);
  one.image.copyTo(canvas(cv::Rect(at + cv::Point(border, border), size)));
  if (one.has_bars) {
    const PixelRectangle& active = one.content.active;
    cv::rectangle(canvas, cv::Rect(at.x + border + active.x, at.y + border + active.y, active.width, active.height),
                  orange);
  }
  const std::string_view note = is_junk ? name_of(one.content.junk) : one.repeats ? "repeats" : "";
  write_text(canvas, fmt::format("{} {}", time_text(one.seconds), note),
             {at.x, at.y + size.height + 2 * border + line_height - 5}, is_junk || one.repeats ? colour : ink);
}

}  // namespace

std::string time_text(double seconds) {
  const auto total = static_cast<std::int64_t>(std::llround(std::abs(seconds) * 1000));
  return fmt::format("{}{}:{:02}:{:02}.{:03}", seconds < 0 && total > 0 ? "-" : "", total / 3'600'000,
                     total / 60'000 % 60, total / 1000 % 60, total % 1000);
}

class ContactSheet::Impl {
 public:
  void add(const ImageView& frame, double seconds, const FrameContent& content, bool repeats) {
    if (frame.type != PixelType::u8) throw Error(ErrorCode::invalid_argument, "a frame must have 8 bits");
    if (seen_++ % step_ != 0) return;
    if (thumbnails_.size() == most_thumbnails) {
      for (std::size_t i = 0; 2 * i < most_thumbnails; ++i) thumbnails_[i] = std::move(thumbnails_[2 * i]);
      thumbnails_.resize(most_thumbnails / 2);
      step_ *= 2;
      if ((seen_ - 1) % step_ != 0) return;
    }
    const cv::Mat image = io::to_display(frame);
    const double scale = std::min(1.0, static_cast<double>(cell) / std::max(frame.width, frame.height));
    const auto side = [&](int pixels) { return std::max(1, static_cast<int>(std::lround(pixels * scale))); };
    Thumbnail one{{}, seconds, content, repeats, false};
    cv::resize(image, one.image, {side(frame.width), side(frame.height)}, 0, 0, cv::INTER_AREA);
    const PixelRectangle& active = content.active;
    one.has_bars = active.width > 0 && (active.width < frame.width || active.height < frame.height);
    one.content.active = {static_cast<int>(active.x * scale), static_cast<int>(active.y * scale), side(active.width),
                          side(active.height)};
    thumbnails_.push_back(std::move(one));
  }

  [[nodiscard]] std::size_t size() const { return thumbnails_.size(); }

  [[nodiscard]] Image draw(const std::string& heading) const {
    if (thumbnails_.empty()) throw Error(ErrorCode::invalid_argument, "a contact sheet needs a frame");
    cv::Size largest;
    for (const Thumbnail& one : thumbnails_) {
      largest = {std::max(largest.width, one.image.cols), std::max(largest.height, one.image.rows)};
    }
    // Cells are at least as wide as their text.
    const int width = std::max(largest.width + 2 * border, 148) + gap,
              height = largest.height + 2 * border + line_height + gap;
    const int count = static_cast<int>(thumbnails_.size());
    // About as wide as a screen, that is 16:9.
    const int columns = std::clamp(static_cast<int>(std::lround(std::sqrt(count * 16.0 / 9 * height / width))), 3, 20);
    const int rows = (count + columns - 1) / columns;
    const int top = 3 * line_height;
    cv::Mat canvas(top + rows * height + gap, columns * width + gap, CV_8UC3, paper);
    write_text(canvas, heading, {gap, line_height}, ink);
    int x = gap;
    for (const auto& [text, colour] : {std::pair{"junk", red}, {"repeats", blue}, {"bars", orange}}) {
      cv::rectangle(canvas, cv::Rect(x, line_height + 10, 10, 10), colour, cv::FILLED);
      write_text(canvas, text, {x + 15, line_height + 20}, ink);
      x += 30 + cv::getTextSize(text, font, letter_size, 1, nullptr).width;
    }
    for (int i = 0; i < count; ++i) {
      octavo::draw(canvas, thumbnails_[static_cast<std::size_t>(i)],
                   {gap + i % columns * width, top + i / columns * height});
    }
    return io::to_image(canvas);
  }

 private:
  std::vector<Thumbnail> thumbnails_;
  std::size_t seen_ = 0, step_ = 1;
};

ContactSheet::ContactSheet() : impl_(std::make_unique<Impl>()) {}
ContactSheet::~ContactSheet() = default;
std::size_t ContactSheet::size() const { return impl_->size(); }

void ContactSheet::add(const ImageView& frame, double seconds, const FrameContent& content, bool repeats) try {
  impl_->add(frame, seconds, content, repeats);
} catch (const cv::Exception& error) {
  throw_error_of(error, "a thumbnail cannot be made");
}

Image ContactSheet::draw(const std::string& heading) const try {
  return impl_->draw(heading);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the contact sheet cannot be drawn");
}

}  // namespace octavo
