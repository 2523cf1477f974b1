#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/progress.h"

namespace OCTAVO_API octavo {

/// One stage of the engine on one made-up image.
struct SelftestResult {
  std::string image;     ///< name of the image and options, e.g. "blobs, default"
  std::string stage;     ///< "scale space", "extrema", "orientation", "descriptor", "features", "matches" or
                         ///< "corners"
  std::string digest;    ///< 16 hexadecimal digits, of this device's bytes
  std::string expected;  ///< the digest recorded once, the same for every device and machine
  bool ok = false;       ///< they are equal
};

/// Runs every stage on images made by integer arithmetic and compares the bytes with those recorded when Octavo was
/// made. Stages before a wrong one are right: the first mismatch names the culprit. Takes a second or two. Throws
/// Error(device_unavailable), or Error(invalid_option) where `device` names several.
std::vector<SelftestResult> selftest(const DeviceOptions& device = {});

/// Called when a device is tested, with its results.
using DeviceTested = std::function<void(const DeviceOptions& device, const std::vector<SelftestResult>& results)>;

/// Tests several devices, as many at a time as there are processors, the last ones first: they are the slow ones where
/// the best device is first. `tested` is called from the calling thread, in the order of the devices. `progress` is
/// told how many are done and which one was begun last, from any thread. Throws what selftest() throws for one device.
void selftest(std::span<const DeviceOptions> devices, const DeviceTested& tested, const ProgressSink& progress = {});

/// The devices on which a whole machine is tested: each conformant one with each of its instruction sets, or with `isa`
/// alone ("auto": all), and with `threads` CPU threads (see DeviceOptions). Throws Error(invalid_option) for an
/// instruction set that this machine has not.
std::vector<DeviceOptions> devices_to_test(const std::string& isa = "auto", int threads = 0);

}  // namespace octavo
