// The entry of a module. nanobind's own would replace what the first interpreter of the process uses.

#pragma once

#include <nanobind/nanobind.h>

namespace octavo::python {

/// What `init` makes; in a sub-interpreter it raises ImportError.
inline PyObject* in_main_interpreter(PyObject* (*init)()) {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return init();
  PyErr_SetString(PyExc_ImportError, "octavo cannot be used in a sub-interpreter; use threads or processes");
  return nullptr;
}

}  // namespace octavo::python
