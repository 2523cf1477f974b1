#pragma once

#include <string>

namespace octavo::io {

/// 128 random bits of the system, in 32 hexadecimal digits. Throws std::system_error.
std::string random_token();

}  // namespace octavo::io
