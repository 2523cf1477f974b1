// An object of the library whose device is looked for when it is first used, so that making one costs no search for
// GPUs. A device that is named is opened at once, since it may not be there.

#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <utility>

#include "octavo/device.h"

namespace octavo::python {

template <class Object>
class OnFirstUse {
 public:
  /// `make` is called now, for the CPU if the device is "auto", so that wrong options are told. Throws what it throws.
  OnFirstUse(DeviceOptions device, std::function<Object(const DeviceOptions&)> make)
      : device_(std::move(device)), make_(std::move(make)) {
    DeviceOptions first = device_;
    is_final_ = first.name != "auto";
    if (!is_final_) first.name = "cpu";
    object_.emplace(make_(first));
  }

  /// Whether the device is known, so that `get` looks for none. Any thread may ask.
  [[nodiscard]] bool is_final() const { return is_final_; }

  /// The object on its device. The first call may look for one, without the GIL.
  Object& get() {
    if (!is_final_) {
      object_.emplace(make_(device_));
      is_final_ = true;
    }
    return *object_;
  }

 private:
  DeviceOptions device_;
  std::function<Object(const DeviceOptions&)> make_;
  std::atomic<bool> is_final_ = false;
  std::optional<Object> object_;
};

}  // namespace octavo::python
