#include "bench/gpu/device_times.h"

#include "bench/gpu/replay_times.h"
#include "sift/sift_gpu.h"

namespace octavo::bench {
namespace {

std::unique_ptr<GpuRecording> record_work(SiftGpu& sift) {
  sift.queue().begin_recording();
  sift.enqueue_work([](std::string_view) {});
  return sift.queue().end_recording();
}

// Runs the work once and makes the lists long enough. True if they were.
bool lists_sufficed(SiftGpu& sift, const GpuRecording& work) {
  sift.queue().replay(work);
  sift.enqueue_counts();
  sift.queue().wait();
  return !sift.lists_grew();
}

}  // namespace

std::vector<double> device_times(const std::shared_ptr<Gpu>& gpu, const SiftOptions& options, const ImageView& image,
                                 int rounds) {
  SiftGpu sift(options, gpu);
  sift.prepare(image, false);
  if (!sift.has_work()) return {};
  CpuPool alone(1);
  sift.upload_image(image, alone);
  std::unique_ptr<GpuRecording> work = record_work(sift);
  while (!lists_sufficed(sift, *work)) work = record_work(sift);
  return replay_times(sift.queue(), *work, rounds);
}

}  // namespace octavo::bench
