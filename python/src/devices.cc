// The devices of the machine and its self-test.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <vector>

#include "bindings.h"
#include "octavo/device.h"
#include "octavo/selftest.h"
#include "option_values.h"
#include "watch.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

nb::tuple survey() {
  Watch watch{nb::none()};
  const DeviceSurvey found = watch.run([] { return survey_devices(); });
  nb::list devices, missing;
  for (const Device& one : found.devices) {
    nb::dict device;
    device["name"] = one.name;
    device["kind"] = one.kind;
    device["description"] = one.description;
    nb::list isas;
    for (const std::string& isa : one.isas) isas.append(isa);
    device["isas"] = nb::tuple(isas);
    device["conformant"] = one.conformant;
    device["note"] = one.note;
    devices.append(device);
  }
  for (const MissingDriver& one : found.missing) missing.append(nb::make_tuple(one.driver, one.reason));
  return nb::make_tuple(devices, missing);
}

nb::list test(const nb::dict& given, nb::object progress) {
  DeviceOptions device;
  Keywords keywords("selftest", given);
  keywords.set(device);
  keywords.finish();
  Watch watch(std::move(progress));
  device.progress = watch.sink();
  const std::vector<SelftestResult> results = watch.run([&] { return selftest(device); });
  nb::list list;
  for (const SelftestResult& one : results) {
    list.append(nb::make_tuple(one.image, one.stage, one.digest, one.expected, one.ok));
  }
  return list;
}

}  // namespace

void bind_devices(nb::module_& m) {
  m.def("survey", &survey, "(devices, missing drivers) of this machine.");
  m.def("selftest", &test, nb::arg("options"), nb::arg("progress").none(),
        "A tuple of image, stage, digest, expected digest and success for each stage.");
  m.def(
      "available_host_memory", [] { return available_host_memory().bytes; },
      "The bytes of host memory that this process can take now.");
}

}  // namespace octavo::python
