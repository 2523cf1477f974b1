#pragma once

#include <windows.h>

#include "io/files/file_facts.h"

namespace octavo::io {

/// The facts of an open file.
std::optional<FileFacts> facts_of(HANDLE file);

}  // namespace octavo::io
