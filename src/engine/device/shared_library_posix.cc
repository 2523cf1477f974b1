#include "engine/device/shared_library.h"

#include <dlfcn.h>

#include <algorithm>

#include "octavo/error.h"

namespace octavo {

LibraryNames cuda_library() { return {"libcuda.so.1"}; }
LibraryNames opencl_library() { return {"libOpenCL.so.1", "libOpenCL.so"}; }

SharedLibrary::SharedLibrary(const LibraryNames& names) {
  for (const char* name : names) {
    handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle_ != nullptr) {
      problem_.clear();
      return;
    }
    const char* error = dlerror();
    if (problem_.empty()) problem_ = error != nullptr ? error : std::string(name) + " cannot be opened";
  }
}

SharedLibrary::~SharedLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
}

bool is_loaded(const LibraryNames& names) {
  return std::any_of(names.begin(), names.end(), [](const char* name) {
    void* const handle = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
    if (handle != nullptr) dlclose(handle);
    return handle != nullptr;
  });
}

void* SharedLibrary::symbol(const char* name) const {
  if (handle_ == nullptr) throw Error(ErrorCode::device_unavailable, problem_);
  dlerror();  // clears an earlier error
  void* found = dlsym(handle_, name);
  if (found == nullptr) {
    const char* error = dlerror();
    throw Error(ErrorCode::device_unavailable, error != nullptr ? error : std::string(name) + " is missing");
  }
  return found;
}

}  // namespace octavo
