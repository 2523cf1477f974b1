// The lock of Python's interpreter. A thread that asks for it while the interpreter ends, as daemon threads do, would
// be ended by CPython before 3.14, and the end of a thread must not unwind functions that throw nothing: the process
// would abort. Here such a thread sleeps until the process has ended, as from 3.14 on.

#pragma once

#include <nanobind/nanobind.h>
#include <unistd.h>

namespace octavo::python {

namespace of_gil {

// The end of a thread unwinds its frames from the innermost one, so it comes here first.
class Sleeper {
 public:
  Sleeper() = default;
  ~Sleeper() {
    while (!has_lock_) pause();
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  void wake() { has_lock_ = true; }

 private:
  bool has_lock_ = false;
};

inline void restore(PyThreadState* thread) {
  Sleeper sleeper;
  PyEval_RestoreThread(thread);
  sleeper.wake();
}

inline PyGILState_STATE ensure() {
  Sleeper sleeper;
  const PyGILState_STATE before = PyGILState_Ensure();
  sleeper.wake();
  return before;
}

}  // namespace of_gil

/// While it lives, this thread, which has the lock, does without.
class WithoutGil {
 public:
  WithoutGil() : thread_(PyEval_SaveThread()) {}
  ~WithoutGil() { of_gil::restore(thread_); }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* thread_;
};

/// While it lives, this thread, of Python or not, has the lock.
class WithGil {
 public:
  WithGil() : before_(of_gil::ensure()) {}
  ~WithGil() { PyGILState_Release(before_); }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyGILState_STATE before_;
};

}  // namespace octavo::python
