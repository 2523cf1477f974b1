// An image that is darker than the others gets brighter: what it shows well may pass the white of the mosaic, and would
// be lost. Values v up to the knee k stay, and those from there to white w are compressed to k…1 by
// k + (1 − k)·u / (1 + u·(1 − 1/u_w)) with u = (v − k) / (1 − k), whose slope at the knee is 1. The largest channel
// decides for all three, so that a colour keeps its hue and its saturation: each channel alone makes a sunny wall pale.

#include "multiview/mosaic/highlights.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace octavo::mosaic {

double white_of(const std::vector<MosaicPlan::Details::Part>& parts) {
  constexpr double above = 0.002;  // the part of the values that may be clipped; a guess
  constexpr int steps = 1024, full = 256;
  std::array<double, steps> histogram{};
  double all = 0;
  for (const auto& part : parts) {
    for (int y = 0; y < part.mask.rows; ++y) {
      const auto* shown = part.mask.ptr<unsigned char>(y);
      const auto* colour = part.colours.ptr<cv::Vec3f>(y);
      for (int x = 0; x < part.mask.cols; ++x) {
        if (shown[x] == 0) continue;
        const float most = std::max({colour[x][0], colour[x][1], colour[x][2], 0.0F});
        ++histogram[static_cast<std::size_t>(std::min<float>(steps - 1, most * full))];
        ++all;
      }
    }
  }
  int white = steps;
  for (double left = above * all; white > full && left >= histogram[static_cast<std::size_t>(white - 1)]; --white) {
    left -= histogram[static_cast<std::size_t>(white - 1)];
  }
  return white / static_cast<double>(full);
}

void keep_white(cv::Mat& colours, const cv::Mat& before, double white) {
  constexpr float begin = 0.9F, end = 0.99F;  // of full scale, of the lowest channel; guesses
  for (int y = 0; y < colours.rows; ++y) {
    auto* colour = colours.ptr<cv::Vec3f>(y);
    const auto* own = before.ptr<cv::Vec3f>(y);
    for (int x = 0; x < colours.cols; ++x) {
      const float least = std::min({own[x][0], own[x][1], own[x][2]});
      const float t = std::clamp((least - begin) / (end - begin), 0.0F, 1.0F);
      for (int c = 0; c < 3; ++c) {
        const float lost = std::max(0.0F, own[x][c] * static_cast<float>(white) - colour[x][c]);
        colour[x][c] += t * t * (3 - 2 * t) * lost;
      }
    }
  }
}

void compress_highlights(cv::Mat& colours, double white) {
  if (white <= 1) return;
  constexpr float knee = 0.6F;  // a guess
  const auto bend = 1 - (1 - knee) / (static_cast<float>(white) - knee);
  for (int y = 0; y < colours.rows; ++y) {
    auto* colour = colours.ptr<cv::Vec3f>(y);
    for (int x = 0; x < colours.cols; ++x) {
      const float most = std::max({colour[x][0], colour[x][1], colour[x][2]}), u = (most - knee) / (1 - knee);
      if (u > 0) colour[x] *= (knee + (1 - knee) * u / (1 + u * bend)) / most;
    }
  }
}

}  // namespace octavo::mosaic
