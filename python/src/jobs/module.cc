// The extension module octavo._jobs: what reads files, and the jobs. The package imports it with the first name that
// needs it, since it brings the libraries of image formats, geometry and databases.

#include <nanobind/nanobind.h>

#include "entry.h"
#include "errors.h"
#include "jobs/bindings.h"

namespace nb = nanobind;

NB_MODULE(_jobs_module, m) {
  using namespace octavo::python;
  m.doc() = "The compiled half of the jobs of the package octavo. Use octavo itself.";
  m.attr("version") = OCTAVO_VERSION;
  nb::set_leak_warnings(false);  // daemon threads hold objects until the process ends
  bind_errors();
  bind_option_tables_of_jobs(m);
  bind_images(m);
  bind_geometry(m);
  bind_align(m);
  bind_mosaic(m);
  bind_collections(m);
  bind_models(m);
  bind_feature_jobs(m);
  bind_frames(m);
  bind_copies(m);
  bind_affinity(m);
  bind_takes(m);
  bind_archive(m);
  bind_review(m);
  bind_places(m);
  bind_evaluation(m);
}

extern "C" NB_EXPORT PyObject* PyInit__jobs() { return octavo::python::in_main_interpreter(PyInit__jobs_module); }
