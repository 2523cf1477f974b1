// The parts of the extension module. Each is defined in the file of its name.

#pragma once

#include <nanobind/nanobind.h>

namespace octavo::python {

void bind_array_range(nanobind::module_& m);
void bind_devices(nanobind::module_& m);
void bind_device_features(nanobind::module_& m);
void bind_extractor(nanobind::module_& m);
void bind_inspection(nanobind::module_& m);
void bind_matcher(nanobind::module_& m);
void bind_pyramid(nanobind::module_& m);
void bind_retrieval(nanobind::module_& m);
void bind_scores(nanobind::module_& m);
void bind_trilateral(nanobind::module_& m);
void bind_value_range(nanobind::module_& m);

}  // namespace octavo::python
