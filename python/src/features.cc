#include "features.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>
#include <utility>

#include "octavo/error.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

// An array of the bytes of records, which takes over their memory.
template <class Record>
nb::object array_of_records(std::vector<Record> records) {
  const std::size_t n = records.size();
  auto* const kept = new std::vector<Record>(std::move(records));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Record>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(kept->data(), {n, sizeof(Record)}, owner));
}

// The records of an array of their bytes.
template <class Record>
std::span<const Record> records_of(const AnyArray& array, const char* what) {
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(Record));
  const bool is_packed = array.size() == 0 || (array.ndim() == 2 && array.stride(1) == 1 &&
                                               (array.shape(0) < 2 || array.stride(0) == bytes) &&
                                               reinterpret_cast<std::uintptr_t>(array.data()) % alignof(Record) == 0);
  if (array.ndim() != 2 || array.shape(1) != sizeof(Record) || array.dtype() != nb::dtype<std::uint8_t>() ||
      !is_packed) {
    throw Error(ErrorCode::invalid_argument,
                std::string(what) + " must be N x " + std::to_string(bytes) + " bytes, packed and aligned");
  }
  return {static_cast<const Record*>(array.data()), array.shape(0)};
}

}  // namespace

nb::object array_of_matches(std::vector<Match> matches) { return array_of_records(std::move(matches)); }

nb::object array_of_keypoints(std::vector<Keypoint> keypoints) { return array_of_records(std::move(keypoints)); }

nb::tuple arrays_of(Features features) {
  const bool is_described = !features.descriptors.empty() || features.keypoints.empty();
  const std::size_t n = features.descriptors.size() / descriptor_length;
  nb::object descriptors = nb::none();
  if (is_described) descriptors = nb::cast(numpy_of(std::move(features.descriptors), {n, descriptor_length}));
  return nb::make_tuple(array_of_keypoints(std::move(features.keypoints)), descriptors);
}

std::span<const Keypoint> keypoints_of(const AnyArray& array) { return records_of<Keypoint>(array, "keypoints"); }

std::span<const Match> matches_of(const AnyArray& array) { return records_of<Match>(array, "matches"); }

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
