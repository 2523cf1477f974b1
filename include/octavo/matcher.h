#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/choices.h"
#include "octavo/device.h"
#include "octavo/keypoint.h"
#include "octavo/option_table.h"

namespace OCTAVO_API octavo {

/// A position in an image. (0, 0) is the centre of the top-left pixel.
struct Point {
  double x = 0;  ///< [pixel]
  double y = 0;  ///< [pixel]
};

/// A pair of descriptors that are considered to show the same point of the scene.
struct Match {
  std::int32_t a = 0;           ///< index into the first set
  std::int32_t b = 0;           ///< index into the second set
  std::uint32_t distance2 = 0;  ///< squared Euclidean distance, an exact integer
  friend bool operator==(const Match&, const Match&) = default;
};

/// The positions of matched keypoints: a[i] and b[i] are a pair.
struct PointPairs {
  std::vector<Point> a, b;  ///< of one length
};

/// The positions of the matched keypoints, in the order of the matches. Throws Error(invalid_argument) for a match
/// whose index is out of range.
PointPairs point_pairs(const Features& a, const Features& b, std::span<const Match> matches);

/// The two nearest neighbours of one descriptor. A missing neighbour has index −1 and distance UINT32_MAX.
/// Among equal distances the smallest index is first.
struct NearestTwo {
  std::int32_t index[2] = {-1, -1};                       ///< rows of the other set, the nearest first
  std::uint32_t distance2[2] = {UINT32_MAX, UINT32_MAX};  ///< squared Euclidean distances to them
  friend bool operator==(const NearestTwo&, const NearestTwo&) = default;
};

/// A matrix b_from_a, row by row, that limits which pairs are compared. All tests of a match, including the ratio test
/// with the second neighbour and the mutual test, then use the allowed pairs only.
struct Guide {
  /// What `b_from_a` is.
  enum class Model {
    homography,   ///< b must lie within `radius` pixels of H·a; no b is allowed if H maps a to infinity
    fundamental,  ///< b must lie within `radius` pixels of the epipolar line F·a; no b is allowed if there is no line
  };
  Model model = Model::homography;  ///< what the matrix is
  double b_from_a[9] = {1, 0, 0, 0, 1,
                        0, 0, 0, 1};  ///< finite numbers within ±10^100; homogeneous, so its scale is free
  double radius = 3;                  ///< [pixel]
};

/// Name, kind, range, unit and meaning of the model and the radius. The matrix is not an option.
template <>
const OptionTable<Guide>& option_table<Guide>();

/// Throws Error(invalid_option) for a radius out of range, or a matrix with an entry that is not finite or is beyond
/// ±10^100.
void validate(const Guide& guide);

/// Which pairs of descriptors are matches.
struct MatchOptions {
  /// A match needs d1 < ratio·d2 (Lowe 2004, §7.1). The ratio counts to four decimals, and the test is computed in
  /// integers. 1: no test. The test passes if there is no second neighbour.
  double ratio = 0.8;
  bool mutual = true;                        ///< a must also be the nearest neighbour of b
  std::uint32_t max_distance2 = UINT32_MAX;  ///< pairs with a larger squared distance are dropped
  /// [pixel] Keypoints at most this far apart count as the same, as those of several views of an image are: the second
  /// neighbour of the ratio test is the nearest one elsewhere (Mishkin et al., MODS, 2015), the mutual test wants the
  /// nearest neighbour of b to be the same as a, and of matches with both ends within the same two pixels the nearest
  /// stays. 0: each keypoint counts. It needs the places of keypoints, and guided matching does without it.
  double distinct_radius = 0;
};

/// The options for features of these views: with any, a `distinct_radius` of 10 pixels unless there is one.
MatchOptions for_views(MatchOptions options, Views views);

/// Name, kind, range, unit and meaning of every option.
template <>
const OptionTable<MatchOptions>& option_table<MatchOptions>();

/// Throws Error(invalid_option) for the first option out of range. The error names the option, its value and the range.
void validate(const MatchOptions& options);

/// Finds the exact nearest neighbours of 128-byte descriptors. Results are the same on every device and do not depend
/// on batching or threads. One Matcher must not be shared between threads. It can be used again after an error.
class Matcher {
 public:
  /// Throws Error(invalid_option) or Error(device_unavailable).
  explicit Matcher(const MatchOptions& options = {}, const DeviceOptions& device = {});
  ~Matcher();
  Matcher(Matcher&&) noexcept;
  Matcher& operator=(Matcher&&) noexcept;

  /// Finds for each row of `a` (N×128) the two nearest rows of `b` (M×128). N and M are at most 2^31 − 1; either may be
  /// 0. The bytes need not be aligned. Throws Error(invalid_argument) if a length is not a multiple of 128. This and
  /// the functions below throw Error(out_of_memory).
  std::vector<NearestTwo> nearest_two(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);

  /// Returns the pairs that pass the ratio, distance and mutual tests, by ascending a. `a` and `b` are N×128 and M×128
  /// bytes, with the conditions of `nearest_two`. Throws Error(invalid_option) if `distinct_radius` is not 0, since
  /// bytes have no places.
  std::vector<Match> match(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);
  /// Matches the descriptors of two sets of features.
  std::vector<Match> match(const Features& a, const Features& b);
  /// Matches features on a device. If both sets lie on this matcher's GPU, their descriptors stay there; with OpenCL
  /// both sets must also come from the same GPU of the same extractor. Otherwise the descriptors are copied through
  /// host memory. The result is the same.
  std::vector<Match> match(const DeviceFeatures& a, const DeviceFeatures& b);
  /// Copies features to the memory of this matcher's GPU, the first of several, so that they can be matched often with
  /// one copy. Without a GPU they stay in host memory. Throws Error(invalid_argument) for features without descriptors.
  DeviceFeatures upload(const Features& features);

  /// Matches only the pairs that `guide` allows. Throws Error(invalid_option) for a radius out of range, or a matrix
  /// with an entry that is not finite or is beyond ±10^100.
  std::vector<Match> match(const Features& a, const Features& b, const Guide& guide);

  /// Matches one image against a collection, in one submission. The i-th result equals match(a, *collection[i]).
  std::vector<std::vector<Match>> match(const Features& a, std::span<const Features* const> collection);

  /// The memory that matching N with M descriptors takes, and what is available. The descriptors of the caller are not
  /// part of it. `match` and `nearest_two` throw Error(out_of_memory) before the work if it is not available. With
  /// several GPUs it is that of the first. Throws Error(out_of_memory) for more descriptors than a GPU can number.
  [[nodiscard]] MemoryEstimate estimate(std::size_t n, std::size_t m) const;

  /// The name of the device: "cpu", "reference", "cuda:0", "opencl:0" …, never "auto". With several GPUs it is the
  /// first.
  [[nodiscard]] const std::string& device() const;
  /// The instruction set in use, e.g. "avx512-vnni"; "scalar" for the reference; "cuda" or "opencl" for a GPU.
  [[nodiscard]] std::string isa() const;
  /// The largest number of CPU threads that it uses.
  [[nodiscard]] int threads() const;
  /// As they were given.
  [[nodiscard]] const MatchOptions& options() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo
