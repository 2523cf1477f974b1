// Features on a device, and their memory as DLPack.

#include "device_features.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "bindings.h"
#include "features.h"
#include "gil.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

Features download(const DeviceFeatures& features) {
  const WithoutGil release;
  return features.download();
}

std::vector<Keypoint> keypoints(const DeviceFeatures& features) {
  const WithoutGil release;
  return features.keypoints();
}

// An array in the memory of the device, for DLPack. Its consumers cannot all take read-only arrays, so it is not marked
// as such.
template <class Number>
nb::object lent(const DeviceFeatures& features, const void* first, const std::shared_ptr<const void>& memory,
                std::size_t columns) {
  auto* const kept = new std::shared_ptr<const void>(memory);
  const nb::capsule owner(kept, [](void* p) noexcept {
    const WithoutGil release;
    delete static_cast<std::shared_ptr<const void>*>(p);
  });
  const std::string name = features.device();
  const bool is_cuda = name.starts_with("cuda:");
  const int type = is_cuda ? nb::device::cuda::value : nb::device::cpu::value;
  const int number = is_cuda ? std::stoi(name.substr(5)) : 0;
  const std::size_t shape[]{first != nullptr ? features.size() : 0, columns};
  return nb::cast(nb::ndarray<nb::array_api, Number>(const_cast<void*>(first), 2, shape, owner, nullptr,
                                                     nb::dtype<Number>(), type, number));
}

nb::object lent_descriptors(const DeviceFeatures& features) {
  const FeatureMemory memory = features.memory();
  return lent<std::uint8_t>(features, memory.descriptors, memory.owner, descriptor_length);
}

nb::object lent_keypoints(const DeviceFeatures& features) {
  const FeatureMemory memory = features.memory();
  return lent<float>(features, memory.keypoints, memory.owner, sizeof(Keypoint) / sizeof(float));
}

}  // namespace

void bind_device_features(nb::module_& m) {
  nb::class_<DeviceFeatures>(m, "DeviceFeatures", "See octavo.DeviceFeatures.")
      .def("__len__", &DeviceFeatures::size)
      .def_prop_ro("device", &DeviceFeatures::device)
      .def_prop_ro("descriptors", &lent_descriptors, nb::rv_policy::automatic)
      .def_prop_ro("keypoint_rows", &lent_keypoints, nb::rv_policy::automatic)
      .def("download", [](const DeviceFeatures& f) { return arrays_of(download(f)); })
      .def("keypoints", [](const DeviceFeatures& f) { return array_of_keypoints(keypoints(f)); });
  m.def(
      "device_features",
      [](nb::handle points, nb::handle descriptors) { return DeviceFeatures(features_of(points, descriptors)); },
      nb::arg("keypoints").none(), nb::arg("descriptors").none());
}

}  // namespace octavo::python
