// Work that is the same for every image of a shape: the first run records it, later runs replay it.

#pragma once

#include <memory>

#include "engine/device/gpu.h"
#include "octavo/error.h"

namespace octavo {

class RecordedWork {
 public:
  /// Runs the work that `enqueue` enqueues on the queue. It must be the same at every call, except after `forget`.
  template <class Enqueue>
  void run(GpuQueue& queue, const Enqueue& enqueue) {
    if (!recording_) record(queue, enqueue);
    queue.replay(*recording_);
  }
  void forget() { recording_.reset(); }

 private:
  template <class Enqueue>
  void record(GpuQueue& queue, const Enqueue& enqueue) {
    queue.begin_recording();
    try {
      enqueue();
    } catch (...) {
      abandon(queue);
      throw;
    }
    recording_ = queue.end_recording();
  }

  // The error of the recording is already known.
  static void abandon(GpuQueue& queue) {
    try {
      queue.end_recording();
    } catch (const Error&) {
    }
  }

  std::unique_ptr<GpuRecording> recording_;
};

}  // namespace octavo
