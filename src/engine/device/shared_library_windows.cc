#include "engine/device/shared_library.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <algorithm>
#include <system_error>

#include "octavo/error.h"

namespace octavo {
namespace {

std::string problem_with(const std::string& name) {
  return name + ": " + std::system_category().message(static_cast<int>(GetLastError()));
}

}  // namespace

LibraryNames cuda_library() { return {"nvcuda.dll"}; }
LibraryNames opencl_library() { return {"OpenCL.dll"}; }

// Looks beside the program and in the system's folder, not in the current folder or in PATH, where anybody may put a
// library.
SharedLibrary::SharedLibrary(const LibraryNames& names) {
  for (const char* name : names) {
    handle_ = LoadLibraryExA(name, nullptr, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
    if (handle_ != nullptr) {
      problem_.clear();
      return;
    }
    if (problem_.empty()) problem_ = problem_with(name);
  }
}

// It is never freed: the code stays mapped.
SharedLibrary::~SharedLibrary() = default;

bool is_loaded(const LibraryNames& names) {
  return std::any_of(names.begin(), names.end(), [](const char* name) { return GetModuleHandleA(name) != nullptr; });
}

void* SharedLibrary::symbol(const char* name) const {
  if (handle_ == nullptr) throw Error(ErrorCode::device_unavailable, problem_);
  const FARPROC found = GetProcAddress(static_cast<HMODULE>(handle_), name);
  if (found == nullptr) throw Error(ErrorCode::device_unavailable, problem_with(name));
  return reinterpret_cast<void*>(found);
}

}  // namespace octavo
