#pragma once

namespace octavo::cli {

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_wrong_call = 2;

}  // namespace octavo::cli
