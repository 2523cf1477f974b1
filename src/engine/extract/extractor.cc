// The public interface of extraction: checks the arguments and distributes images in flight over the devices.

#include "octavo/extractor.h"

#include <cstdlib>
#include <functional>
#include <future>
#include <map>
#include <utility>

#include "engine/core/check_image.h"
#include "engine/core/within_memory.h"
#include "engine/device/gpu_dry_run.h"
#include "engine/extract/images_in_flight.h"
#include "octavo/error.h"

namespace octavo {

namespace {

template <class View>
void check_mask(const ImageView& mask, const View& image) {
  if (mask.width != image.width || mask.height != image.height) {
    throw Error(ErrorCode::invalid_argument,
                "the mask is " + size_text(mask) + " pixels, but the image is " + size_text(image));
  }
  if (mask.channels != 1 || mask.type != PixelType::u8 || mask.data == nullptr) {
    throw Error(ErrorCode::invalid_argument, "the mask must have one channel of 8 bits");
  }
  if (mask.height > 1 && std::abs(mask.stride) < mask.width) {
    throw Error(ErrorCode::invalid_argument, "the mask has rows of " + std::to_string(mask.width) +
                                                 " bytes, but a stride of " + std::to_string(mask.stride));
  }
}

// Runs `work`, which is for an image of this shape.
template <class View, class Work>
auto within_memory_of(const View& image, const Work& work) {
  return within_memory([&] { return "for an image of " + size_text(image) + " pixels"; }, work);
}

DeviceFeatures as_device_features(DetectedFeatures extracted) {
  return extracted.on_gpu ? DeviceFeatures(extracted.on_gpu) : DeviceFeatures(std::move(extracted.features));
}

}  // namespace

class Extractor::Impl {
 public:
  explicit Impl(DetectorOnDevices detector)
      : isa_(detector.each.front().device.isa_name()),
        threads_(detector.each.front().device.threads()),
        octaves_(std::move(detector.octaves)) {
    for (DetectorOnDevice& one : detector.each) {
      if (!names_.empty()) names_ += ",";
      names_ += one.device.name();
      devices_.push_back(std::make_unique<ImagesInFlight>(std::move(one)));
    }
  }

  DetectedFeatures extract(const ImageView& image, const ImageView* mask, Keep keep, std::vector<StageTime>* times) {
    check(image, mask);
    const DetectorJob job{.image = image, .mask = mask, .timed = times != nullptr, .keep = keep};
    return within_memory_of(image, [&] { return devices_.front()->extract(job, times); });
  }
  DetectedFeatures extract(const DeviceImage& image, const ImageView* mask, Keep keep) {
    check(image, mask);
    return within_memory_of(image, [&] { return least_busy(&image).extract(job_of(image, mask, keep), nullptr); });
  }

  Description describe(const ImageView& image, std::span<const Keypoint> keypoints, OrientationFrom from) {
    check_image(image);
    return within_memory_of(image, [&] { return devices_.front()->describe(image, keypoints, from); });
  }

  Ticket submit(const ImageView& image, const ImageView* mask, Keep keep, Pixels pixels) {
    check(image, mask);
    const DetectorJob job{.image = image, .mask = mask, .keep = keep};
    ImagesInFlight& device = least_busy(nullptr);
    // The caller's copies limit several GPUs. For one, a thread of its own was slower on an H100, by 0 to 25 %.
    const bool lent = pixels == Pixels::until_collected && devices_.size() > 1;
    return within_memory_of(image, [&] { return ticket_for(lent ? device.submit_lent(job) : device.submit(job)); });
  }
  Ticket submit(const DeviceImage& image, const ImageView* mask, Keep keep) {
    check(image, mask);
    return within_memory_of(image, [&] { return ticket_for(least_busy(&image).submit(job_of(image, mask, keep))); });
  }

  DetectedFeatures collect(Ticket ticket) {
    const auto found = tickets_.find(ticket);
    if (found == tickets_.end()) {
      throw Error(ErrorCode::invalid_argument,
                  "ticket " + std::to_string(ticket) + " was not given out, or its features were collected already");
    }
    std::future<DetectedFeatures> extracted = std::move(found->second);
    tickets_.erase(found);
    return within_memory([] { return std::string("for the features of an image"); }, [&] { return extracted.get(); });
  }

  void release() {
    for (const auto& device : devices_) device->release();
  }

  [[nodiscard]] std::vector<MemoryEstimate> estimate(const ImageView& image, bool masked) const {
    check_image_shape(image);
    std::vector<MemoryEstimate> estimates;
    for (const auto& in_flight : devices_) {
      const DetectorOnDevice& on = in_flight->device();
      const MemoryNeed need = within_memory_of(image, [&] { return in_flight->memory_for(image, masked); });
      MemoryEstimate& one = estimates.emplace_back(estimate_on(on.device.name(), on.gpu.get(), need));
      one.octaves = octaves_(image.width, image.height);
      one.in_flight = in_flight->useful();
      if (one.in_flight > 1) one.each_further = one.need.usual;
    }
    return estimates;
  }

  [[nodiscard]] MemoryEstimate estimate_description(const ImageView& image, std::size_t keypoints) const {
    check_image_shape(image);
    const ImagesInFlight& first = *devices_.front();
    const DetectorOnDevice& on = first.device();
    MemoryEstimate one = estimate_on(on.device.name(), on.gpu.get(), first.memory_for_description(image, keypoints));
    one.octaves = octaves_(image.width, image.height);
    return one;
  }

  [[nodiscard]] int best_in_flight() const {
    int sum = 0;
    for (const auto& device : devices_) sum += device->useful();
    return sum;
  }

  [[nodiscard]] const std::string& names() const { return names_; }
  [[nodiscard]] const std::string& isa() const { return isa_; }
  [[nodiscard]] int threads() const { return threads_; }

 private:
  template <class View>
  static void check(const View& image, const ImageView* mask) {
    check_image(image);
    if (mask) check_mask(*mask, image);
  }

  static DetectorJob job_of(const DeviceImage& image, const ImageView* mask, Keep keep) {
    const ImageView shape{nullptr, image.width, image.height, image.channels, image.type, image.stride, image.order};
    return {.image = shape, .on_device = &image, .mask = mask, .keep = keep};
  }

  // The least busy of all devices, or of those in whose memory the image lies.
  ImagesInFlight& least_busy(const DeviceImage* image) {
    ImagesInFlight* best = nullptr;
    for (const auto& device : devices_) {
      const Gpu* gpu = device->device().gpu.get();
      if (image != nullptr && (gpu == nullptr || !gpu->recognises(image->data))) continue;
      if (best == nullptr || device->in_flight() < best->in_flight()) best = device.get();
    }
    if (best == nullptr)
      refuse_image("must lie in CUDA memory of a device that the extractor works on, which is " + names_);
    return *best;
  }

  Ticket ticket_for(std::future<DetectedFeatures> extracted) {
    tickets_.emplace(next_ticket_, std::move(extracted));
    return next_ticket_++;
  }

  std::string names_, isa_;
  int threads_ = 1;
  std::function<int(int, int)> octaves_;
  std::vector<std::unique_ptr<ImagesInFlight>> devices_;
  std::map<Ticket, std::future<DetectedFeatures>> tickets_;
  Ticket next_ticket_ = 1;
};

Extractor::Extractor(DetectorOnDevices detector) : impl_(std::make_unique<Impl>(std::move(detector))) {}
Extractor::~Extractor() = default;
Extractor::Extractor(Extractor&&) noexcept = default;
Extractor& Extractor::operator=(Extractor&&) noexcept = default;

Features Extractor::extract(const ImageView& image, const ImageView* mask, std::vector<StageTime>* times) {
  return impl_->extract(image, mask, Keep::in_host_memory, times).features;
}
Features Extractor::extract(const DeviceImage& image, const ImageView* mask) {
  return impl_->extract(image, mask, Keep::in_host_memory).features;
}
Description Extractor::describe(const ImageView& image, std::span<const Keypoint> keypoints, OrientationFrom from) {
  return impl_->describe(image, keypoints, from);
}
DeviceFeatures Extractor::extract_on_device(const ImageView& image, const ImageView* mask) {
  return as_device_features(impl_->extract(image, mask, Keep::on_device, nullptr));
}
DeviceFeatures Extractor::extract_on_device(const DeviceImage& image, const ImageView* mask) {
  return as_device_features(impl_->extract(image, mask, Keep::on_device));
}
Ticket Extractor::submit(const ImageView& image, const ImageView* mask, Keep keep, Pixels pixels) {
  return impl_->submit(image, mask, keep, pixels);
}
Ticket Extractor::submit(const DeviceImage& image, const ImageView* mask, Keep keep) {
  return impl_->submit(image, mask, keep);
}
Features Extractor::collect(Ticket ticket) {
  DetectedFeatures extracted = impl_->collect(ticket);
  return extracted.on_gpu ? DeviceFeatures(extracted.on_gpu).download() : std::move(extracted.features);
}
DeviceFeatures Extractor::collect_on_device(Ticket ticket) { return as_device_features(impl_->collect(ticket)); }
void Extractor::release() { impl_->release(); }
std::vector<MemoryEstimate> Extractor::estimate(const ImageView& image, bool masked) const {
  return impl_->estimate(image, masked);
}
MemoryEstimate Extractor::estimate_description(const ImageView& image, std::size_t keypoints) const {
  return impl_->estimate_description(image, keypoints);
}
int Extractor::best_in_flight() const { return impl_->best_in_flight(); }
const std::string& Extractor::device() const { return impl_->names(); }
const std::string& Extractor::isa() const { return impl_->isa(); }
int Extractor::threads() const { return impl_->threads(); }

}  // namespace octavo
