// Work that is the same for every image of a shape: recorded when it is first run, replayed from then on.

#pragma once

#include <memory>

#include "device/gpu.h"
#include "octavo/error.h"

namespace octavo {

class RecordedWork {
 public:
  /// Runs what `enqueue` enqueues on the queue, which must be what it enqueued before unless it was forgotten.
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

  // What went wrong in the recording is known already.
  static void abandon(GpuQueue& queue) {
    try {
      queue.end_recording();
    } catch (const Error&) {
    }
  }

  std::unique_ptr<GpuRecording> recording_;
};

}  // namespace octavo
