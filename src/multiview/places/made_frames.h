#pragma once

// Frames for tests: keypoints at given places, each with a descriptor of its own.

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "multiview/places/overlays.h"

namespace octavo::places {

inline constexpr ImageSize made_size{640, 480};

/// A descriptor for each number; others are far away from it.
inline void add_keypoint(Features& frame, double x, double y, std::uint32_t number) {
  frame.keypoints.push_back({.x = static_cast<float>(x), .y = static_cast<float>(y), .scale = 2});
  std::mt19937 random(number);
  for (std::size_t i = 0; i < descriptor_length; ++i) {
    frame.descriptors.push_back(static_cast<std::uint8_t>(random() % 4 == 0 ? 100 : 0));
  }
}

/// The i-th keypoint of one with the i-th of the other.
inline std::vector<Match> all_matches(const Features& a) {
  std::vector<Match> matches;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(a.size()); ++i) matches.push_back({.a = i, .b = i});
  return matches;
}

/// Places spread over the frame, the same for the same seed.
inline std::vector<Point> scattered(std::size_t count, unsigned seed, double margin = 0) {
  std::mt19937 random(seed);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
  };
  std::vector<Point> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = uniform(margin, made_size.width - margin);
    points.push_back({x, uniform(margin, made_size.height - margin)});
  }
  return points;
}

/// A logo at the top right, and a line of text below.
inline std::vector<Point> made_overlay() {
  std::vector<Point> points;
  for (int i = 0; i < 16; ++i) points.push_back({560.0 + 12 * (i % 4), 20.0 + 12 * static_cast<double>(i / 4)});
  for (int i = 0; i < 40; ++i) points.push_back({40.0 + 12 * i, 440.0 + 7 * (i % 3)});
  return points;
}

}  // namespace octavo::places
