// Dots by verdict. Many candidates lie close together, so dots are small, and kept candidates lie on top. Pixels that
// are not the highest of their neighbourhood fill whole areas, so each is drawn as the pixel that it is.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "io/drawing/stroke.h"
#include "io/inspection/inspection_images.h"
#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"

namespace octavo {
namespace {

cv::Scalar scalar_of(CandidateVerdict verdict) {
  const auto [red, green, blue] = colour_of(verdict);
  return {double(red), double(green), double(blue)};
}

// The verdicts that occur, each with its colour and number, in lines as wide as the image.
cv::Mat legend(int width, std::span<const Candidate> candidates) {
  std::array<std::size_t, verdict_count> counts{};
  for (const Candidate& c : candidates) ++counts[static_cast<std::size_t>(c.verdict)];

  constexpr int font = cv::FONT_HERSHEY_SIMPLEX;
  const int letter = std::clamp(width / 70, 8, 20), line = 2 * letter;  // [pixel]
  const double size = letter / 22.0;                                    // of the font, whose letters are 22 pixels high
  cv::Mat bar(line, width, CV_8UC3, cv::Scalar::all(16));
  int x = letter, y = line;
  for (std::size_t v = 0; v < verdict_count; ++v) {
    if (counts[v] == 0) continue;
    const std::string text = std::string(name_of(static_cast<CandidateVerdict>(v))) + " " + std::to_string(counts[v]);
    const int text_width = cv::getTextSize(text, font, size, 1, nullptr).width;
    if (x > letter && x + 2 * letter + text_width > width) {
      bar.push_back(cv::Mat(line, width, CV_8UC3, cv::Scalar::all(16)));
      x = letter;
      y += line;
    }
    cv::circle(bar, {x, y - letter}, letter / 2, scalar_of(static_cast<CandidateVerdict>(v)), cv::FILLED, cv::LINE_AA);
    cv::putText(bar, text, {x + letter, y - letter / 2 - 1}, font, size, cv::Scalar::all(220), 1, cv::LINE_AA);
    x += 3 * letter + text_width;
  }
  return bar;
}

}  // namespace

Image draw_candidates(const ImageView& image, std::span<const Candidate> candidates, double pixels_per_pixel) try {
  cv::Mat canvas = io::to_display(image);
  canvas *= 0.5;

  std::vector<std::size_t> kept_last(candidates.size());
  std::iota(kept_last.begin(), kept_last.end(), std::size_t{0});
  std::stable_sort(kept_last.begin(), kept_last.end(),
                   [&](std::size_t a, std::size_t b) { return candidates[a].verdict < candidates[b].verdict; });

  const io::Stroke stroke(canvas.size());
  const auto dots = std::count_if(candidates.begin(), candidates.end(),
                                  [](const Candidate& c) { return c.verdict != CandidateVerdict::not_highest; });
  const double spacing = std::sqrt(static_cast<double>(canvas.total()) / static_cast<double>(dots + 1));
  const auto radius = static_cast<float>(std::clamp(spacing / 8, 0.75, 2.5 * stroke.width()));
  for (const std::size_t i : kept_last) {
    const Candidate& c = candidates[i];
    // Pixel i of the image covers i − 0.5 … i + 0.5, at any scale of the image.
    const auto in_image = [&](float at) { return static_cast<float>((at + 0.5) * pixels_per_pixel - 0.5); };
    if (c.verdict == CandidateVerdict::not_highest) {
      const auto edge = [&](float at) { return cvRound((at + 0.5) * pixels_per_pixel); };
      const cv::Point first(edge(c.x - 0.5F), edge(c.y - 0.5F)), end(edge(c.x + 0.5F), edge(c.y + 0.5F));
      cv::rectangle(canvas, first, {std::max(first.x, end.x - 1), std::max(first.y, end.y - 1)}, scalar_of(c.verdict),
                    cv::FILLED);
      continue;
    }
    stroke.disc(canvas, {in_image(c.x), in_image(c.y)}, radius, scalar_of(c.verdict));
  }
  canvas.push_back(legend(canvas.cols, candidates));
  return io::to_image(canvas);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the candidates cannot be drawn");
}

}  // namespace octavo
