#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "octavo/device.h"
#include "octavo/device_features.h"
#include "octavo/keypoint.h"

namespace octavo {

/// Two descriptors taken for the same point of the scene.
struct Match {
  std::int32_t a = 0;           ///< index into the first set
  std::int32_t b = 0;           ///< index into the second set
  std::uint32_t distance2 = 0;  ///< squared Euclidean distance, an exact integer
  friend bool operator==(const Match&, const Match&) = default;
};

/// The two nearest neighbours of one descriptor; index −1 and distance UINT32_MAX where there is none.
/// Among equal distances the smallest index comes first.
struct NearestTwo {
  std::int32_t index[2] = {-1, -1};
  std::uint32_t distance2[2] = {UINT32_MAX, UINT32_MAX};
  friend bool operator==(const NearestTwo&, const NearestTwo&) = default;
};

/// A matrix b_from_a, row by row, that limits which pairs are compared. All tests of a match, the second neighbour and
/// the mutual one too, then see the allowed pairs alone.
struct Guide {
  enum class Model {
    homography,   ///< b must lie within `radius` pixels of H·a; nowhere, if H sends a to infinity
    fundamental,  ///< b must lie within `radius` pixels of the epipolar line F·a; nowhere, if there is no such line
  };
  Model model = Model::homography;
  double b_from_a[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double radius = 3;  ///< [pixel], 0.000001…1 000 000
};

struct MatchOptions {
  /// 0.0001…1, to four decimals: d1 < ratio·d2 (Lowe 2004, §7.1), decided in integers. 1: no test. Where there is no
  /// second neighbour the test passes.
  double ratio = 0.8;
  bool mutual = true;                        ///< a must also be the nearest neighbour of b
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
  /// The bytes need not be aligned. Throws Error(invalid_argument) if a length is not a multiple of 128, and, like
  /// every function below, Error(out_of_memory).
  std::vector<NearestTwo> nearest_two(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);

  /// The pairs that pass the ratio, distance and mutual tests, by ascending a.
  std::vector<Match> match(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);
  std::vector<Match> match(const Features& a, const Features& b);
  /// Where both lie on this matcher's GPU their descriptors do not leave it. On OpenCL both must come from one
  /// extractor for that, and from one of its GPUs. From anywhere else they come by way of host memory, to the same
  /// result.
  std::vector<Match> match(const DeviceFeatures& a, const DeviceFeatures& b);

  /// The same, comparing only the pairs that `guide` allows. Throws Error(invalid_option) for a radius out of range or
  /// a matrix with an entry that is not finite, or beyond ±10^100.
  std::vector<Match> match(const Features& a, const Features& b, const Guide& guide);

  /// One image against a collection, in one submission: the i-th result equals match(a, *collection[i]).
  std::vector<std::vector<Match>> match(const Features& a, std::span<const Features* const> collection);

  /// "cpu", "reference", "cuda:0", "opencl:0" …, never "auto"; of several GPUs the first.
  [[nodiscard]] const std::string& device() const;
  /// The instruction set in use, e.g. "avx512-vnni"; "scalar" for the reference; "cuda" or "opencl" for a GPU.
  [[nodiscard]] std::string isa() const;
  /// The CPU threads it uses at most.
  [[nodiscard]] int threads() const;
  [[nodiscard]] const MatchOptions& options() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo
