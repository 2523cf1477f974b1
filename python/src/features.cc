#include "features.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <cstring>
#include <utility>

#include "octavo/error.h"

namespace nb = nanobind;

namespace octavo::python {

nb::object array_of_keypoints(std::vector<Keypoint> keypoints) {
  const std::size_t n = keypoints.size();
  auto* const kept = new std::vector<Keypoint>(std::move(keypoints));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Keypoint>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(kept->data(), {n, sizeof(Keypoint)}, owner));
}

nb::tuple arrays_of(Features features) {
  const bool is_described = !features.descriptors.empty() || features.keypoints.empty();
  const std::size_t n = features.descriptors.size() / descriptor_length;
  nb::object descriptors = nb::none();
  if (is_described) descriptors = nb::cast(numpy_of(std::move(features.descriptors), {n, descriptor_length}));
  return nb::make_tuple(array_of_keypoints(std::move(features.keypoints)), descriptors);
}

std::span<const Keypoint> keypoints_of(const AnyArray& array) {
  const bool is_packed =
      array.size() == 0 || (array.ndim() == 2 && array.stride(1) == 1 &&
                            (array.shape(0) < 2 || array.stride(0) == static_cast<std::int64_t>(sizeof(Keypoint))) &&
                            reinterpret_cast<std::uintptr_t>(array.data()) % alignof(Keypoint) == 0);
  if (array.ndim() != 2 || array.shape(1) != sizeof(Keypoint) || array.dtype() != nb::dtype<std::uint8_t>() ||
      !is_packed) {
    throw Error(ErrorCode::invalid_argument, "keypoints must be N x 44 bytes, packed and aligned");
  }
  return {static_cast<const Keypoint*>(array.data()), array.shape(0)};
}

Features features_of(nb::handle keypoints, nb::handle descriptors) {
  const AnyArray points = host_array_of(keypoints, "keypoints");
  const std::span<const Keypoint> of_points = keypoints_of(points);
  Features features{{of_points.begin(), of_points.end()}, {}};
  if (descriptors.is_none()) return features;
  const AnyArray rows = host_array_of(descriptors, "descriptors");
  const std::span<const std::uint8_t> bytes = descriptors_of(rows, "descriptors");
  features.descriptors.assign(bytes.begin(), bytes.end());
  return features;
}

nb::dict dict_of(const MemoryEstimate& estimate) {
  nb::dict dict;
  dict["device"] = estimate.device;
  dict["octaves"] = estimate.octaves;
  dict["least_host"] = estimate.need.least.host;
  dict["least_device"] = estimate.need.least.device;
  dict["usual_host"] = estimate.need.usual.host;
  dict["usual_device"] = estimate.need.usual.device;
  dict["each_further_host"] = estimate.each_further.host;
  dict["each_further_device"] = estimate.each_further.device;
  dict["in_flight"] = estimate.in_flight;
  dict["available_host"] = estimate.host.bytes;
  dict["available_device"] = estimate.on_device.bytes;
  dict["limit"] = estimate.host.limit;
  dict["fits"] = estimate.fits();
  return dict;
}

}  // namespace octavo::python
