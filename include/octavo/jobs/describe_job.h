#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/io/image_files.h"
#include "octavo/keypoint.h"
#include "octavo/progress.h"

// The descriptors of keypoints that files give.

namespace OCTAVO_API octavo {

/// An image, and the file of the keypoints that are described in it.
struct KeypointsOfImage {
  std::filesystem::path file;
  std::filesystem::path keypoints;  ///< as read_keypoints reads it
  std::filesystem::path output{};   ///< the file of the description (write_description); empty: none is written
};

/// What has become of one.
struct DescribedImage {
  const KeypointsOfImage& item;
  const Description& description;
  std::size_t keypoints = 0;  ///< the number of keypoints in the file
  double seconds = 0;         ///< [second] wall time without reading and writing
};

struct DescribeJob {
  std::vector<KeypointsOfImage> items;
  OrientationFrom orientations = OrientationFrom::keypoint;
  ReadOptions read{};
  DetectorOptions detector{};
  DeviceOptions device{};
  /// Gives the bytes of the image "-", once; empty: "-" is a file.
  std::function<std::vector<std::byte>()> standard_input{};
  /// Is told each image in order, as soon as its file is written. False ends the job. May be empty.
  std::function<bool(const DescribedImage&)> take{};
};

struct DescribeSummary {
  std::size_t done = 0;      ///< images whose turn is over
  bool is_finished = false;  ///< false: it was stopped
};

/// Describes the keypoints of each image, and writes the files. An image that fails is told to the context, and the
/// others are described; keypoints without description are warnings, at most ten of an image by name. Throws, before
/// the work, Error(invalid_option), also for outputs that are inputs or no file of descriptions; Error(file_error) for
/// an output that cannot be written; Error(device_unavailable).
DescribeSummary describe_keypoints(const DescribeJob& job, const JobContext& context = {});

}  // namespace octavo
