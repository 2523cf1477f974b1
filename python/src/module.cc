// The extension module octavo._octavo: thin, typed access to the library. The package octavo is written on it.

#include <nanobind/nanobind.h>

#include "bindings.h"
#include "entry.h"
#include "errors.h"
#include "option_values.h"

namespace nb = nanobind;

NB_MODULE(_octavo_module, m) {
  using namespace octavo::python;
  m.doc() = "The compiled half of the package octavo. Use octavo itself.";
  m.attr("version") = OCTAVO_VERSION;
  nb::set_leak_warnings(false);  // daemon threads hold objects until the process ends
  bind_errors();
  bind_option_tables(m);
  bind_array_range(m);
  bind_devices(m);
  bind_device_features(m);
  bind_extractor(m);
  bind_inspection(m);
  bind_matcher(m);
  bind_pyramid(m);
  bind_retrieval(m);
  bind_scores(m);
  bind_trilateral(m);
  bind_value_range(m);
}

extern "C" NB_EXPORT PyObject* PyInit__octavo() { return octavo::python::in_main_interpreter(PyInit__octavo_module); }
