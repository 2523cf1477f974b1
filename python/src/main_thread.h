// The thread on which Python runs handlers of signals.

#pragma once

namespace octavo::python {

/// Whether the caller is on that thread. The first call takes the GIL.
bool is_main_thread();

}  // namespace octavo::python
