#include "main_thread.h"

#include <nanobind/nanobind.h>

#include "gil.h"

namespace nb = nanobind;

namespace octavo::python {

bool is_main_thread() {
  static const unsigned long main = [] {
    const WithGil acquire;
    return nb::cast<unsigned long>(nb::module_::import_("threading").attr("main_thread")().attr("ident"));
  }();
  return PyThread_get_thread_ident() == main;
}

}  // namespace octavo::python
