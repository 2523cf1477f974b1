// GPU drivers that fail on command. A program with this file, linked with --wrap=dlsym, gets a driver's functions from
// here. They call those of the driver until a fault is due. So faults that no machine shows on demand meet the code
// that runs everywhere.

#pragma once

#include <string>

namespace octavo::faulty_driver {

enum class Fault {
  no_memory,  ///< one call that takes memory (buffers, modules, queues, recordings) fails
  lost,       ///< a call fails that takes memory, enqueues work or waits for it, and all such calls after it
};

/// From now on the call of this number fails, counted from 1.
void begin(Fault fault, int call);
/// Ends the fault. Returns whether its call came.
bool end();

/// Drivers that are opened while this lives lack the function, as old ones do.
class Without {
 public:
  explicit Without(const std::string& function);
  ~Without();
  Without(const Without&) = delete;
  Without& operator=(const Without&) = delete;
};

}  // namespace octavo::faulty_driver
