#pragma once

#include <filesystem>

#include "engine/core/internal_api.h"

namespace OCTAVO_INTERNAL_API octavo {
namespace io {

/// Lets the desktop's program (xdg-open) open a page, if there is a desktop and the program. It goes on by itself.
void open_in_browser(const std::filesystem::path& page);

}  // namespace io
}  // namespace octavo
