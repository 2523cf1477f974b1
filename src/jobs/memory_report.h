#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/io/collection.h"
#include "octavo/io/image_formats.h"
#include "octavo/progress.h"

// The memory that work on an image would take.

namespace OCTAVO_INTERNAL_API octavo {

struct MemoryReport {
  std::string image;                    ///< its name
  ImageView shape;                      ///< its pixels are not read
  std::uint64_t pixels = 0;             ///< [byte] of all images that are in memory at a time
  std::vector<MemoryEstimate> devices;  ///< the work on each device, without these pixels

  /// Whether the memory is available, on each device.
  [[nodiscard]] bool fits() const;
};

struct MemoryJob {
  std::vector<ImageFile> images;
  ReadOptions read;
  std::size_t images_at_a_time = 1;                          ///< images whose pixels are in memory at a time
  std::function<std::vector<std::byte>()> standard_input{};  ///< the bytes of the image "-"
  /// The memory for an image of this shape, whose pixels are not read, on each device.
  std::function<std::vector<MemoryEstimate>(const ImageView& shape)> estimate;
};

/// The memory of the work on each image. The images are read, since their decoders tell size and depth, and nothing
/// else is done. One that cannot be read fails.
std::vector<MemoryReport> estimate_memory(const MemoryJob& job, const JobContext& context);

/// An object {"image", …, "devices": […]} as --estimate --json prints it.
std::string json_of(const MemoryReport& report);
/// The same as text, a line for the image and one for each device.
std::string text_of(const MemoryReport& report);

}  // namespace octavo
