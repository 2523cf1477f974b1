// The driver of CUDA gives up a recording (the capture of a stream) if another thread waits for the whole context
// meanwhile, as NVDEC's library does where it makes and destroys decoders. So recordings share this lock, and such
// calls have it alone. The driver's state is that of the process, and so is the lock.

#pragma once

#include <shared_mutex>

#include "engine/core/internal_api.h"

namespace OCTAVO_INTERNAL_API octavo {

/// Held by a recording, shared; and alone by a call of another library that waits for the whole context.
std::shared_mutex& recording_lock();

}  // namespace octavo
