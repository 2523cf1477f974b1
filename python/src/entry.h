// The entry of a module. nanobind's own would replace what the first interpreter of the process uses.

#pragma once

#include <nanobind/nanobind.h>

#include <vector>

namespace octavo::python {

/// A first step of a module: fails with ImportError in a sub-interpreter.
inline int refuse_sub_interpreter(PyObject*) {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return 0;
  PyErr_SetString(PyExc_ImportError, "octavo cannot be used in a sub-interpreter; use threads or processes");
  return -1;
}

/// What `init` makes, the definition of a module, with that first step. From 3.13 on Python calls the entry in the main
/// interpreter, and the steps in the one that imports; before, all in the latter. Static: each module has its own.
static PyObject* in_main_interpreter(PyObject* (*init)()) {
  static std::vector<PyModuleDef_Slot> steps;
  static PyModuleDef definition;
  if (refuse_sub_interpreter(nullptr) != 0) return nullptr;
  PyObject* const made = init();
  if (made == nullptr) return nullptr;
  if (steps.empty()) {
    definition = *reinterpret_cast<PyModuleDef*>(made);
    steps.push_back({Py_mod_exec, reinterpret_cast<void*>(&refuse_sub_interpreter)});
    for (const PyModuleDef_Slot* step = definition.m_slots; step->slot != 0; ++step) steps.push_back(*step);
    steps.push_back({0, nullptr});
    definition.m_slots = steps.data();
  }
  return reinterpret_cast<PyObject*>(&definition);
}

}  // namespace octavo::python
