// The host's memory that is available, and the check before much of it is taken. Linux grants memory that it does not
// have, and ends the process when that memory is used. So the sizes are added up before the work.

#pragma once

#include <cstdint>
#include <string>

#include "engine/core/internal_api.h"
#include "octavo/device.h"

namespace OCTAVO_INTERNAL_API octavo {

/// Growth below this is not checked: the check costs about 0.1 ms.
inline constexpr std::uint64_t least_checked_bytes = std::uint64_t{64} << 20;

/// Throws Error(out_of_memory) if `held` bytes are to become `needed` bytes, and the difference is neither small nor
/// available. `subject` is what needs them: "an image of 640×480 pixels".
void require_host_memory(std::uint64_t needed, std::uint64_t held, const std::string& subject);

/// The error of the check.
[[noreturn]] void refuse_memory(std::uint64_t needed, std::uint64_t available, const std::string& subject,
                                const std::string& limit);

}  // namespace octavo
