// Work of the library from Python: without the GIL, one thread at a time, and given up when the user presses Ctrl-C or
// the caller's progress function raises.

#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>

#include "gil.h"
#include "octavo/progress.h"

namespace octavo::python {

class Watch {
 public:
  /// `progress` is None, or a function of stage, done and total.
  explicit Watch(nanobind::object progress);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// For the garbage collector: the progress function may refer to the object that works.
  int traverse(visitproc visit, void* arg) const;
  void clear() { progress_ = nanobind::none(); }

  /// Ends what a thread works on now, at its next step: that call throws Error(invalid_argument).
  void stop() { is_stopped_ = true; }

  /// What the object that works takes as DeviceOptions::progress. It must not outlive the Watch.
  ProgressSink sink();

  /// Calls `work` without the GIL. Other threads wait until it is done. Throws what `work` throws, and raises what the
  /// progress function or a signal's handler raised.
  template <class Work>
  auto run(const Work& work) {
    refuse_reentry();
    try {
      const WithoutGil release;
      const std::lock_guard lock(busy_);
      const Caller caller(*this);
      is_stopped_ = false;
      return work();
    } catch (const GivenUp& given_up) {
      raise(*given_up.raised);
    }
  }

 private:
  // Leaves the work from within its progress, with the exception of Python. The library may keep it, and forget it on
  // any thread.
  struct GivenUp {
    std::shared_ptr<nanobind::object> raised;
  };

  // That a thread calls a progress function, and what it called before from within one.
  struct Telling {
    explicit Telling(const Watch& of) : watch(of), outer(innermost) { innermost = this; }
    ~Telling() { innermost = outer; }
    Telling(const Telling&) = delete;
    Telling& operator=(const Telling&) = delete;
    const Watch& watch;
    const Telling* outer;
    static thread_local const Telling* innermost;
  };

  // The thread that works, while it does.
  struct Caller {
    explicit Caller(Watch& of) : watch(of) { watch.caller_ = std::this_thread::get_id(); }
    ~Caller() { watch.caller_ = std::thread::id(); }
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;
    Watch& watch;
  };

  void tell(const ProgressStep& step);
  // Sets Python's error if the function raises.
  void call_progress(const ProgressStep& step) const;
  void refuse_reentry() const;
  [[noreturn]] static void raise(const nanobind::object& raised);

  nanobind::object progress_;
  std::mutex busy_;
  std::atomic<std::thread::id> caller_;
  std::atomic<bool> is_stopped_ = false;
  std::chrono::steady_clock::time_point looked_;  // when signals were last looked for
};

/// The slots of a class whose member `watch()` is a Watch, by which the garbage collector finds cycles.
template <class Object>
inline PyType_Slot collectable[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(+[](PyObject* self, visitproc visit, void* arg) -> int {
       Py_VISIT(Py_TYPE(self));
       if (!nanobind::inst_ready(self)) return 0;
       return nanobind::inst_ptr<Object>(self)->watch().traverse(visit, arg);
     })},
    {Py_tp_clear, reinterpret_cast<void*>(+[](PyObject* self) -> int {
       nanobind::inst_ptr<Object>(self)->watch().clear();
       return 0;
     })},
    {0, nullptr}};

}  // namespace octavo::python
