#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/device.h"
#include "octavo/image_view.h"

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

/// An object {"image", …, "devices": […]} as --estimate --json prints it.
std::string json_of(const MemoryReport& report);
/// The same as text, a line for the image and one for each device.
std::string text_of(const MemoryReport& report);

}  // namespace octavo
