#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "octavo/device.h"
#include "octavo/keypoint.h"

namespace octavo {

/// Two descriptors taken for the same point of the scene.
struct Match {
  std::int32_t a = 0;            ///< index into the first set
  std::int32_t b = 0;            ///< index into the second set
  std::uint32_t distance2 = 0;   ///< squared Euclidean distance, an exact integer
  friend bool operator==(const Match&, const Match&) = default;
};

/// The two nearest neighbours of one descriptor; index −1 and distance UINT32_MAX where there is none.
/// Among equal distances the smallest index comes first.
struct NearestTwo {
  std::int32_t index[2] = {-1, -1};
  std::uint32_t distance2[2] = {UINT32_MAX, UINT32_MAX};
  friend bool operator==(const NearestTwo&, const NearestTwo&) = default;
};

/// A matrix b_from_a, row by row, that limits which pairs are compared.
struct Guide {
  enum class Model {
    homography,   ///< b must lie within `radius` pixels of H·a
    fundamental,  ///< b must lie within `radius` pixels of the epipolar line F·a
  };
  Model model = Model::homography;
  double b_from_a[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double radius = 3;  ///< [pixel], more than 0
};

struct MatchOptions {
  double ratio = 0.8;              ///< (0, 1]: d1 < ratio·d2 (Lowe 2004, §7.1), decided in integers; 1: no test
  bool mutual = true;              ///< a must also be the nearest neighbour of b
  std::uint32_t max_distance2 = UINT32_MAX;  ///< pairs farther apart (squared) are dropped
};

/// Throws Error(invalid_option) naming the first option out of range, its value and the range.
void validate(const MatchOptions& options);

/// Exact nearest neighbours of 128-byte descriptors. Results are the same on every device and do not depend on
/// batching or threads. Not shared between threads. Usable after an error.
class Matcher {
 public:
  /// Throws Error(invalid_option) or Error(device_unavailable).
  explicit Matcher(const MatchOptions& options = {}, const DeviceOptions& device = {});
  ~Matcher();
  Matcher(Matcher&&) noexcept;
  Matcher& operator=(Matcher&&) noexcept;

  /// For each row of `a` (N×128) its two nearest rows of `b` (M×128); N, M up to 2^31 − 1; either may be empty.
  /// Throws Error(invalid_argument) if a length is not a multiple of 128.
  std::vector<NearestTwo> nearest_two(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);

  /// The pairs that pass the ratio, distance and mutual tests, by ascending a.
  std::vector<Match> match(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);
  std::vector<Match> match(const Features& a, const Features& b);

  /// The same, comparing only the pairs that `guide` allows.
  std::vector<Match> match(const Features& a, const Features& b, const Guide& guide);

  /// One image against a collection, in one submission: the i-th result equals match(a, *collection[i]).
  std::vector<std::vector<Match>> match(const Features& a, std::span<const Features* const> collection);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo
