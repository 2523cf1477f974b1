// The public face of extraction: checks what comes in, and shares images in flight among the devices.

#include "octavo/extractor.h"

#include <future>
#include <map>
#include <utility>

#include "core/check_image.h"
#include "device/gpu.h"
#include "octavo/error.h"
#include "sift/extraction_lanes.h"

namespace octavo {

namespace {

template <class Look>
void check_mask(const ImageView& mask, const Look& image) {
  if (mask.width != image.width || mask.height != image.height) {
    throw Error(ErrorCode::invalid_argument,
                "the mask is " + size_text(mask) + " pixels, but the image is " + size_text(image));
  }
  if (mask.channels != 1 || mask.type != PixelType::u8 || mask.data == nullptr) {
    throw Error(ErrorCode::invalid_argument, "the mask must have one channel of 8 bits");
  }
}

DeviceFeatures as_device_features(Extracted extracted) {
  return extracted.on_gpu ? DeviceFeatures(extracted.on_gpu) : DeviceFeatures(std::move(extracted.features));
}

}  // namespace

class Extractor::Impl {
 public:
  explicit Impl(std::vector<Extractions> devices) {
    for (Extractions& one : devices) {
      names_ += (names_.empty() ? "" : ",") + one.device;
      devices_.push_back(std::make_unique<ExtractionLanes>(std::move(one)));
    }
  }

  Extracted extract(const ImageView& image, const ImageView* mask, Keep keep, std::vector<StageTime>* times) {
    check(image, mask);
    return devices_.front()->extract({.image = image, .mask = mask, .timed = times != nullptr, .keep = keep}, times);
  }
  Extracted extract(const DeviceImage& image, const ImageView* mask, Keep keep) {
    check(image, mask);
    return least_busy(&image).extract(job_of(image, mask, keep), nullptr);
  }

  Ticket submit(const ImageView& image, const ImageView* mask, Keep keep) {
    check(image, mask);
    return ticket_for(least_busy(nullptr).submit({.image = image, .mask = mask, .keep = keep}));
  }
  Ticket submit(const DeviceImage& image, const ImageView* mask, Keep keep) {
    check(image, mask);
    return ticket_for(least_busy(&image).submit(job_of(image, mask, keep)));
  }

  Extracted collect(Ticket ticket) {
    const auto found = tickets_.find(ticket);
    if (found == tickets_.end()) {
      throw Error(ErrorCode::invalid_argument,
                  "ticket " + std::to_string(ticket) + " was not given out, or its features were collected already");
    }
    std::future<Extracted> extracted = std::move(found->second);
    tickets_.erase(found);
    return extracted.get();
  }

  [[nodiscard]] int best_in_flight() const {
    int sum = 0;
    for (const auto& device : devices_) sum += device->useful();
    return sum;
  }

  [[nodiscard]] const std::string& names() const { return names_; }
  [[nodiscard]] const Extractions& first_device() const { return devices_.front()->device(); }

 private:
  template <class Look>
  static void check(const Look& image, const ImageView* mask) {
    check_image(image);
    if (mask) check_mask(*mask, image);
  }

  static ExtractionJob job_of(const DeviceImage& image, const ImageView* mask, Keep keep) {
    const ImageView shape{nullptr, image.width, image.height, image.channels, image.type, image.stride};
    return {.image = shape, .on_device = &image, .mask = mask, .keep = keep};
  }

  // Of all devices, or of those in whose memory an image lies.
  ExtractionLanes& least_busy(const DeviceImage* image) {
    ExtractionLanes* best = nullptr;
    for (const auto& device : devices_) {
      const Gpu* gpu = device->device().gpu.get();
      if (image != nullptr && (gpu == nullptr || !gpu->recognises(image->data))) continue;
      if (best == nullptr || device->in_flight() < best->in_flight()) best = device.get();
    }
    if (best == nullptr)
      refuse_image("must lie in CUDA memory of a device that the extractor works on, which is " + names_);
    return *best;
  }

  Ticket ticket_for(std::future<Extracted> extracted) {
    tickets_.emplace(next_ticket_, std::move(extracted));
    return next_ticket_++;
  }

  std::string names_;
  std::vector<std::unique_ptr<ExtractionLanes>> devices_;
  std::map<Ticket, std::future<Extracted>> tickets_;
  Ticket next_ticket_ = 1;
};

Extractor::Extractor(const SiftOptions& options, const DeviceOptions& device)
    : impl_(std::make_unique<Impl>(make_extractions(options, device))) {}
Extractor::Extractor(const Detector& detector) : impl_(std::make_unique<Impl>(detector.on_each)) {}
Extractor::~Extractor() = default;
Extractor::Extractor(Extractor&&) noexcept = default;
Extractor& Extractor::operator=(Extractor&&) noexcept = default;

Features Extractor::extract(const ImageView& image, const ImageView* mask, std::vector<StageTime>* times) {
  return impl_->extract(image, mask, Keep::in_host_memory, times).features;
}
Features Extractor::extract(const DeviceImage& image, const ImageView* mask) {
  return impl_->extract(image, mask, Keep::in_host_memory).features;
}
DeviceFeatures Extractor::extract_on_device(const ImageView& image, const ImageView* mask) {
  return as_device_features(impl_->extract(image, mask, Keep::on_device, nullptr));
}
DeviceFeatures Extractor::extract_on_device(const DeviceImage& image, const ImageView* mask) {
  return as_device_features(impl_->extract(image, mask, Keep::on_device));
}
Ticket Extractor::submit(const ImageView& image, const ImageView* mask, Keep keep) {
  return impl_->submit(image, mask, keep);
}
Ticket Extractor::submit(const DeviceImage& image, const ImageView* mask, Keep keep) {
  return impl_->submit(image, mask, keep);
}
Features Extractor::collect(Ticket ticket) {
  Extracted extracted = impl_->collect(ticket);
  return extracted.on_gpu ? DeviceFeatures(extracted.on_gpu).download() : std::move(extracted.features);
}
DeviceFeatures Extractor::collect_on_device(Ticket ticket) { return as_device_features(impl_->collect(ticket)); }
int Extractor::best_in_flight() const { return impl_->best_in_flight(); }
const std::string& Extractor::device() const { return impl_->names(); }
const std::string& Extractor::isa() const { return impl_->first_device().isa; }
int Extractor::threads() const { return impl_->first_device().threads; }

}  // namespace octavo
