#include "watch.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <utility>

#include "errors.h"
#include "gil.h"
#include "main_thread.h"
#include "octavo/error.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

constexpr std::chrono::milliseconds between_looks{50};

}  // namespace

thread_local const Watch::Telling* Watch::Telling::innermost = nullptr;

Watch::Watch(nb::object progress) : progress_(std::move(progress)) {
  if (!progress_.is_none() && PyCallable_Check(progress_.ptr()) == 0) {
    raise_wrong_type("progress must be a function of stage, done and total, or None");
  }
}

int Watch::traverse(visitproc visit, void* arg) const {
  Py_VISIT(progress_.ptr());
  return 0;
}

ProgressSink Watch::sink() {
  return [this](const ProgressStep& step) { tell(step); };
}

void Watch::tell(const ProgressStep& step) {
  const bool is_caller = std::this_thread::get_id() == caller_.load();
  if (is_caller && is_stopped_) throw Error(ErrorCode::invalid_argument, "the work was ended");
  const bool is_told = !progress_.is_none();
  const auto now = std::chrono::steady_clock::now();
  const bool looks = is_caller && now - looked_ >= between_looks && is_main_thread();
  if (!is_told && !looks) return;
  if (looks) looked_ = now;

  const WithGil acquire;
  if (!progress_.is_none()) call_progress(step);  // not cleared by the garbage collector meanwhile
  if (PyErr_Occurred() == nullptr && (!looks || PyErr_CheckSignals() == 0)) return;
  if (!is_caller) return PyErr_WriteUnraisable(progress_.ptr());  // this thread has no caller to tell
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace != nullptr) PyException_SetTraceback(value, trace);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  throw GivenUp{{new nb::object(nb::steal(value)), [](nb::object* kept) {
                   const WithGil of_any_thread;
                   delete kept;
                 }}};
}

void Watch::call_progress(const ProgressStep& step) const {
  const Telling now(*this);
  try {
    progress_(step.stage, step.done, step.total);
  } catch (nb::python_error& error) {
    error.restore();
  }
}

// The library's own threads tell progress too, so the thread that works is not always the one that asks.
void Watch::refuse_reentry() const {
  bool is_asked = std::this_thread::get_id() == caller_.load();
  for (const Telling* telling = Telling::innermost; telling != nullptr; telling = telling->outer) {
    is_asked = is_asked || &telling->watch == this;
  }
  if (is_asked) {
    throw Error(ErrorCode::invalid_argument, "the object is at work, so its progress function cannot use it");
  }
}

void Watch::raise(const nb::object& raised) {
  PyErr_SetObject(raised.type().ptr(), raised.ptr());
  throw nb::python_error();
}

}  // namespace octavo::python
