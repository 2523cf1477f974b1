// The parts of the module octavo._jobs. Each is defined in the file of its name.

#pragma once

#include <nanobind/nanobind.h>

namespace octavo::python {

void bind_affinity(nanobind::module_& m);
void bind_align(nanobind::module_& m);
void bind_archive(nanobind::module_& m);
void bind_collections(nanobind::module_& m);
void bind_copies(nanobind::module_& m);
void bind_evaluation(nanobind::module_& m);
void bind_feature_jobs(nanobind::module_& m);
void bind_frames(nanobind::module_& m);
void bind_geometry(nanobind::module_& m);
void bind_images(nanobind::module_& m);
void bind_models(nanobind::module_& m);
void bind_mosaic(nanobind::module_& m);
void bind_option_tables_of_jobs(nanobind::module_& m);
void bind_places(nanobind::module_& m);
void bind_review(nanobind::module_& m);
void bind_takes(nanobind::module_& m);

}  // namespace octavo::python
