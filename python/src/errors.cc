// The translation asks octavo.errors for the exception of an error, so that the classes are plain Python.

#include "errors.h"

#include <nanobind/stl/string.h>

#include <filesystem>
#include <new>
#include <string>
#include <string_view>

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

// A text of the library, in which names of files may have any bytes.
nb::object text_of(std::string_view text) {
  return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

// Sets Python's error to that of a code.
void set_error(const char* code, std::string_view sentence, std::string_view option = "", std::string_view value = "",
               std::string_view reason = "") {
  try {
    raise(
        module_of_errors().attr("error_of")(code, text_of(sentence), text_of(option), text_of(value), text_of(reason)));
  } catch (nb::python_error& other) {
    other.restore();
  }
}

}  // namespace

void bind_errors() {
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void*) {
        try {
          std::rethrow_exception(thrown);
        } catch (const Error& error) {
          set_error(word(error.code()), error.what(), error.option(), error.value(), error.reason());
        } catch (const std::filesystem::filesystem_error& error) {
          set_error(word(ErrorCode::file_error), error.what());
        } catch (const std::bad_alloc&) {
          set_error(word(ErrorCode::out_of_memory), "there is not enough memory");
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
