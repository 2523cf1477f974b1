#include "bench/gpu/device_times.h"

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
  std::vector<double> times;
  SiftGpu sift(options, gpu);
  sift.prepare(image, false);
  if (!sift.has_work()) return times;
  CpuPool alone(1);
  sift.upload_image(image, alone);
  std::unique_ptr<GpuRecording> work = record_work(sift);
  while (!lists_sufficed(sift, *work)) work = record_work(sift);

  std::vector<std::unique_ptr<GpuEvent>> ends;
  for (int i = 0; i <= rounds; ++i) {  // the first fills the queue
    sift.queue().replay(*work);
    ends.push_back(sift.queue().event());
  }
  sift.queue().wait();
  for (std::size_t i = 1; i < ends.size(); ++i) times.push_back(ends[i]->milliseconds_since(*ends[i - 1]));
  return times;
}

}  // namespace octavo::bench
