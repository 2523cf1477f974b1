// A library opened at run time: the driver of a GPU, which a machine may lack. The code stays mapped when the object
// dies, since drivers run threads of their own that may outlive it.

#pragma once

#include <initializer_list>
#include <string>

namespace octavo {

class SharedLibrary {
 public:
  /// Opens the first of `names` that can be opened. Throws nothing: ask loaded().
  SharedLibrary(std::initializer_list<const char*> names);
  ~SharedLibrary();
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  [[nodiscard]] bool loaded() const { return handle_ != nullptr; }
  /// Why it is not loaded, in the words of the system; empty if it is.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  /// Throws Error(device_unavailable) where the library has no such symbol or is not loaded.
  [[nodiscard]] void* symbol(const char* name) const;
  /// The same as a function: `function<int(int)>("f")`.
  template <class Function>
  [[nodiscard]] Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* handle_ = nullptr;
  std::string problem_;
};

}  // namespace octavo
