#pragma once

#include <sys/stat.h>

#include "io/files/file_facts.h"

namespace octavo::io {

/// The facts that stat() and fstat() tell.
FileFacts facts_of(const struct stat& told);

}  // namespace octavo::io
