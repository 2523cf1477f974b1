// A library opened at run time: the driver of a GPU, which may be missing. The code stays mapped after the object is
// destroyed, since drivers run threads of their own that may outlive it.

#pragma once

#include <string>
#include <vector>

#include "engine/core/internal_api.h"

namespace OCTAVO_INTERNAL_API octavo {

/// Names of one library, of which a system may have any.
using LibraryNames = std::vector<const char*>;

/// The names of NVIDIA's driver, and of OpenCL's loader, on this system.
LibraryNames cuda_library();
LibraryNames opencl_library();

class SharedLibrary {
 public:
  /// Opens the first of `names` that can be opened. Throws nothing; loaded() tells whether it succeeded.
  explicit SharedLibrary(const LibraryNames& names);
  ~SharedLibrary();
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  [[nodiscard]] bool loaded() const { return handle_ != nullptr; }
  /// The system's message if it is not loaded; empty if it is.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  /// Throws Error(device_unavailable) if the library lacks the symbol or is not loaded.
  [[nodiscard]] void* symbol(const char* name) const;
  /// The symbol as a function of type F: `function<int(int)>("f")`. Throws what symbol() throws.
  template <class Function>
  [[nodiscard]] Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* handle_ = nullptr;
  std::string problem_;
};

/// True if one of these libraries is in this process already, opened by Octavo or by the program.
[[nodiscard]] bool is_loaded(const LibraryNames& names);

}  // namespace octavo
