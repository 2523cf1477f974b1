#include "bench/gpu/device_times.h"

#include "bench/gpu/replay_times.h"
#include "sift/sift_gpu.h"

namespace octavo::bench {
namespace {

std::unique_ptr<GpuRecording> record(GpuWork& work) {
  work.queue().begin_recording();
  work.enqueue([](std::string_view) {});
  return work.queue().end_recording();
}

// Runs the work once and makes the lists long enough. Returns true if they were long enough already.
bool lists_sufficed(GpuWork& work, const GpuRecording& recording) {
  work.queue().replay(recording);
  const GpuResultList first = work.lists().front();
  std::vector<std::byte> head(first.head_bytes);
  work.queue().download(head.data(), first.buffer, 0, head.size());
  work.queue().wait();
  return !work.lists_grew(head.data());
}

}  // namespace

std::vector<double> device_times(GpuWork& work, const ImageView& image, int rounds) {
  work.prepare(image, false);
  if (!work.has_work()) return {};
  CpuPool alone(1);
  work.image().upload(work.queue(), image, alone);
  std::unique_ptr<GpuRecording> recording = record(work);
  while (!lists_sufficed(work, *recording)) recording = record(work);
  return replay_times(work.queue(), *recording, rounds);
}

std::vector<double> device_times(const std::shared_ptr<Gpu>& gpu, const SiftOptions& options, const ImageView& image,
                                 int rounds) {
  SiftGpu sift(options, gpu, gpu->queue());
  return device_times(sift, image, rounds);
}

}  // namespace octavo::bench
