#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/image.h"
#include "octavo/io/image_files.h"
#include "octavo/progress.h"
#include "octavo/trilateral.h"

// Images, smoothed by the trilateral filter.

namespace OCTAVO_API octavo {

/// An image, and the file of the result.
struct ImageToFilter {
  std::filesystem::path file;
  std::filesystem::path output{};  ///< its ending chooses the format (write_image); empty: none is written
};

/// What has become of one.
struct FilteredImage {
  const ImageToFilter& item;
  const Image& image;  ///< with the channels, type and values of the input, as far as the output (or PNG) holds them
  double seconds = 0;  ///< [second] wall time without reading and writing
};

struct FilterJob {
  std::vector<ImageToFilter> items;
  ReadOptions read{};
  TrilateralOptions options{};
  DeviceOptions device{};
  /// Gives the bytes of the image "-", once; empty: "-" is a file.
  std::function<std::vector<std::byte>()> standard_input{};
  /// Is told each image in order, as soon as its file is written. False ends the job. May be empty.
  std::function<bool(const FilteredImage&)> take{};
};

struct FilterSummary {
  std::size_t done = 0;      ///< images whose turn is over
  bool is_finished = false;  ///< false: it was stopped
};

/// Filters each image, and writes the files. An image that fails is told to the context, and the others are filtered;
/// so is one in colour whose output holds grey alone. Throws, before the work, Error(invalid_option), also for outputs
/// that are inputs or have no format; Error(file_error) for an output that cannot be written;
/// Error(device_unavailable).
FilterSummary filter_images(const FilterJob& job, const JobContext& context = {});

}  // namespace octavo
