// From the name of a device to what an engine needs to run on it.

#pragma once

#include <string>

#include "octavo/device.h"

namespace octavo {

enum class DeviceKind { reference, cpu };

/// The device that `name` means here: "auto" is the best there is. Throws Error(device_unavailable) listing the known
/// ones.
DeviceKind find_device(const std::string& name);

/// What DeviceOptions::name takes for it.
std::string device_name(DeviceKind kind);

}  // namespace octavo
