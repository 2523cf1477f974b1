#pragma once

#include <string>
#include <vector>

#include "octavo/device.h"

namespace octavo {

/// One stage of the engine on one made-up picture.
struct SelftestResult {
  std::string picture;   ///< name of the picture and options, e.g. "blobs, default"
  std::string stage;     ///< "scale space", "extrema", "orientation", "descriptor", "features", "matches" or
                         ///< "corners"
  std::string digest;    ///< 16 hexadecimal digits, of this device's bytes
  std::string expected;  ///< the digest recorded once, the same for every device and machine
  bool ok = false;       ///< they are equal
};

/// Runs every stage on pictures made by integer arithmetic and compares the bytes with those recorded when Octavo was
/// made. Stages before a wrong one are right: the first mismatch names the culprit. Takes a second or two. Throws
/// Error(device_unavailable), or Error(invalid_option) where `device` names several.
std::vector<SelftestResult> selftest(const DeviceOptions& device = {});

}  // namespace octavo
