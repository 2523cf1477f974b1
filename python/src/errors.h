// Exceptions of the library in Python: Error becomes one of the classes of octavo/errors.py.

#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace octavo::python {

/// Registers the translation of octavo::Error.
void bind_errors();

/// Raises octavo.WrongType, a TypeError.
[[noreturn]] void raise_wrong_type(const std::string& sentence);

/// Raises octavo.UnknownOption, a TypeError: `owner` has no option of this name. `hint` ends the sentence.
[[noreturn]] void raise_unknown_option(const std::string& owner, const std::string& option, const std::string& hint);

}  // namespace octavo::python
