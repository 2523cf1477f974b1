#include "bench/gpu/device_times.h"

#include <functional>

#include "bench/gpu/replay_times.h"
#include "engine/sift/sift_gpu.h"

namespace octavo::bench {
namespace {

void ignore(std::string_view) {}

// Runs the work once and makes the lists long enough. Returns true if they were long enough already.
bool lists_sufficed(GpuWork& work) {
  work.enqueue(ignore);
  const GpuResultList first = work.lists().front();
  std::vector<std::byte> head(first.head_bytes);
  work.queue().download(head.data(), first.buffer, 0, head.size());
  work.queue().wait();
  return !work.lists_grew(head.data());
}

// The times of what `enqueue` enqueues.
std::vector<double> device_times(GpuWork& work, const std::function<void()>& enqueue, const ImageView& image,
                                 int rounds) {
  work.prepare(image, false);
  if (!work.has_work()) return {};
  CpuPool alone(1);
  work.image().upload(work.queue(), image, alone);
  while (!lists_sufficed(work)) {
  }
  work.queue().begin_recording();
  enqueue();
  const std::unique_ptr<GpuRecording> recording = work.queue().end_recording();
  return replay_times(work.queue(), *recording, rounds);
}

}  // namespace

std::vector<double> device_times(GpuWork& work, const ImageView& image, int rounds) {
  return device_times(
      work, [&work] { work.enqueue(ignore); }, image, rounds);
}

std::vector<double> device_times(const std::shared_ptr<Gpu>& gpu, const SiftOptions& options, const ImageView& image,
                                 int rounds) {
  SiftGpu sift(parts_of(options), gpu, gpu->queue());
  const auto without_counts = [&sift] {
    sift.enqueue_scale_space_and_extrema();
    sift.enqueue_features(ignore);
  };
  return device_times(sift, without_counts, image, rounds);
}

}  // namespace octavo::bench
