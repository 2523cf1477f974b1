// Features as arrays: keypoints are rows of 44 bytes, which Python views as a structured array, and descriptors rows
// of 128.

#pragma once

#include <nanobind/nanobind.h>

#include <span>
#include <vector>

#include "arrays.h"
#include "octavo/device.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"

namespace octavo::python {

/// (keypoints, descriptors), which take over the memory of `features`. Without descriptors the second is None.
nanobind::tuple arrays_of(Features features);

/// Rows of 12 bytes: a, b, squared distance.
nanobind::object array_of_matches(std::vector<Match> matches);

/// The matches of such rows, packed. The array must outlive the span. Throws Error(invalid_argument).
std::span<const Match> matches_of(const AnyArray& array);

/// N×44 bytes.
nanobind::object array_of_keypoints(std::vector<Keypoint> keypoints);

/// The keypoints of an array of N×44 bytes, packed. The array must outlive the span.
std::span<const Keypoint> keypoints_of(const AnyArray& array);

/// Features of both arrays, copied. `descriptors` may be None.
Features features_of(nanobind::handle keypoints, nanobind::handle descriptors);

/// A dictionary with the members of the estimate.
nanobind::dict dict_of(const MemoryEstimate& estimate);

}  // namespace octavo::python
