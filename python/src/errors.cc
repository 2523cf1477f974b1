// The translation asks octavo.errors for the exception of an error, so that the classes are plain Python.

#include "errors.h"

#include <nanobind/stl/string.h>

#include <string>

#include "octavo/error.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

const char* word(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_option:
      return "invalid_option";
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::device_unavailable:
      return "device_unavailable";
    case ErrorCode::out_of_memory:
      return "out_of_memory";
    case ErrorCode::file_error:
      return "file_error";
  }
  return "";
}

void raise(const nb::object& exception) { PyErr_SetObject(exception.type().ptr(), exception.ptr()); }

nb::object module_of_errors() { return nb::module_::import_("octavo.errors"); }

}  // namespace

void bind_errors() {
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void*) {
        try {
          std::rethrow_exception(thrown);
        } catch (const Error& error) {
          try {
            raise(module_of_errors().attr("error_of")(word(error.code()), error.what(), std::string(error.option()),
                                                      std::string(error.value()), std::string(error.reason())));
          } catch (nb::python_error& other) {
            other.restore();
          }
        }
      },
      nullptr);
}

void raise_wrong_type(const std::string& sentence) {
  raise(module_of_errors().attr("WrongType")(sentence));
  throw nb::python_error();
}

void raise_unknown_option(const std::string& owner, const std::string& option, const std::string& hint) {
  raise(module_of_errors().attr("UnknownOption")(owner + " has no option \"" + option + "\"" + hint, option));
  throw nb::python_error();
}

}  // namespace octavo::python
