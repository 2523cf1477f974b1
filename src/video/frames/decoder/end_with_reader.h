#pragma once

namespace octavo::video {

/// Ends the process when the other end of its standard output is closed, even while a decoder or an encoder hangs: the
/// program that has started it reads no more, or has died, by whatever. Call it once, before the work. A thread
/// watches, so the process ends by _exit: destructors of libraries must not run beside it.
void end_with_reader();

}  // namespace octavo::video
