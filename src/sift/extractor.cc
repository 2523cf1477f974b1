// The public face of extraction: checks what comes in, and keeps images in flight where the device works on its own.

#include "octavo/extractor.h"

#include <cmath>
#include <cstring>
#include <exception>
#include <map>
#include <optional>

#include "octavo/error.h"
#include "sift/extraction.h"

namespace octavo {

namespace {

// Coordinates of the doubled image must be exact as floats.
constexpr int longest_side = 1 << 22;

std::string size_text(const ImageView& image) {
  return std::to_string(image.width) + "×" + std::to_string(image.height);
}

void check_image(const ImageView& image) {
  const auto refuse = [&](const std::string& why) { throw Error(ErrorCode::invalid_argument, "the image " + why); };
  if (image.width < 1 || image.height < 1) refuse("has no pixels (" + size_text(image) + ")");
  if (image.width > longest_side || image.height > longest_side) {
    refuse("is " + size_text(image) + " pixels, but sides may be at most " + std::to_string(longest_side));
  }
  if (image.channels < 1 || image.channels > 4)
    refuse("has " + std::to_string(image.channels) + " channels, not 1 to 4");
  if (image.data == nullptr) refuse("has no data");
  const std::ptrdiff_t row_bytes =
      std::ptrdiff_t{image.width} * image.channels * static_cast<std::ptrdiff_t>(bytes_of(image.type));
  if (image.height > 1 && std::abs(image.stride) < row_bytes) {
    refuse("has rows of " + std::to_string(row_bytes) + " bytes, but a stride of " + std::to_string(image.stride));
  }
  if (image.type != PixelType::f32) return;
  const int colours = image.channels < 3 ? 1 : 3;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      for (int c = 0; c < colours; ++c) {
        float value;
        std::memcpy(&value, image.row(y) + (std::ptrdiff_t{x} * image.channels + c) * std::ptrdiff_t{sizeof(float)},
                    sizeof(float));
        if (!(value >= 0 && value <= 1)) {
          refuse("is " + std::to_string(value) + " at (" + std::to_string(x) + ", " + std::to_string(y) +
                 "), but float pixels must be between 0 and 1");
        }
      }
    }
  }
}

void check_mask(const ImageView& mask, const ImageView& image) {
  if (mask.width != image.width || mask.height != image.height) {
    throw Error(ErrorCode::invalid_argument,
                "the mask is " + size_text(mask) + " pixels, but the image is " + size_text(image));
  }
  if (mask.channels != 1 || mask.type != PixelType::u8 || mask.data == nullptr) {
    throw Error(ErrorCode::invalid_argument, "the mask must have one channel of 8 bits");
  }
}

}  // namespace

class Extractor::Impl {
 public:
  Impl(const SiftOptions& options, const DeviceOptions& device)
      : options_(options), extractions_(make_extractions(options, device)) {
    lanes_.push_back({extractions_.make(), {}});
  }

  Features extract(const ImageView& image, const ImageView* mask, std::vector<StageTime>* times) {
    check(image, mask);
    Lane& lane = lanes_.front();
    settle(lane);
    lane.extraction->begin(image, mask, times != nullptr);
    return lane.extraction->finish(times);
  }

  Ticket submit(const ImageView& image, const ImageView* mask) {
    check(image, mask);
    const Ticket ticket = next_ticket_;
    Lane& lane = free_lane();
    lane.extraction->begin(image, mask, false);
    lane.ticket = ticket;
    ++next_ticket_;
    if (!extractions_.asynchronous) settle(lane);
    return ticket;
  }

  Features collect(Ticket ticket) {
    for (Lane& lane : lanes_) {
      if (lane.ticket != ticket) continue;
      lane.ticket.reset();
      return lane.extraction->finish(nullptr);
    }
    const auto found = settled_.find(ticket);
    if (found == settled_.end()) {
      throw Error(ErrorCode::invalid_argument,
                  "ticket " + std::to_string(ticket) + " was not given out, or its features were collected already");
    }
    Settled settled = std::move(found->second);
    settled_.erase(found);
    if (settled.failure) std::rethrow_exception(settled.failure);
    return std::move(settled.features);
  }

  SiftOptions options_;
  Extractions extractions_;

 private:
  struct Lane {
    std::unique_ptr<Extraction> extraction;
    std::optional<Ticket> ticket;  // of the image in flight
  };
  struct Settled {
    Features features;
    std::exception_ptr failure;
  };

  // Enough for the upload of one image, the work on another and the download of a third to overlap.
  static constexpr std::size_t most_lanes = 4;

  static void check(const ImageView& image, const ImageView* mask) {
    check_image(image);
    if (mask) check_mask(*mask, image);
  }

  // Finishes what is in flight there and keeps it until it is collected.
  void settle(Lane& lane) {
    if (!lane.ticket) return;
    Settled settled;
    try {
      settled.features = lane.extraction->finish(nullptr);
    } catch (...) {
      settled.failure = std::current_exception();
    }
    settled_.emplace(*lane.ticket, std::move(settled));
    lane.ticket.reset();
  }

  Lane& free_lane() {
    Lane* oldest = nullptr;
    for (Lane& lane : lanes_) {
      if (!lane.ticket) return lane;
      if (!oldest || *lane.ticket < *oldest->ticket) oldest = &lane;
    }
    if (lanes_.size() < most_lanes) {
      lanes_.push_back({extractions_.make(), {}});
      return lanes_.back();
    }
    settle(*oldest);
    return *oldest;
  }

  std::vector<Lane> lanes_;
  std::map<Ticket, Settled> settled_;
  Ticket next_ticket_ = 1;
};

Extractor::Extractor(const SiftOptions& options, const DeviceOptions& device)
    : impl_(std::make_unique<Impl>(options, device)) {}
Extractor::~Extractor() = default;
Extractor::Extractor(Extractor&&) noexcept = default;
Extractor& Extractor::operator=(Extractor&&) noexcept = default;

Features Extractor::extract(const ImageView& image, const ImageView* mask, std::vector<StageTime>* times) {
  return impl_->extract(image, mask, times);
}
Ticket Extractor::submit(const ImageView& image, const ImageView* mask) { return impl_->submit(image, mask); }
Features Extractor::collect(Ticket ticket) { return impl_->collect(ticket); }
const std::string& Extractor::device() const { return impl_->extractions_.device; }
const std::string& Extractor::isa() const { return impl_->extractions_.isa; }
int Extractor::threads() const { return impl_->extractions_.threads; }
const SiftOptions& Extractor::options() const { return impl_->options_; }

}  // namespace octavo
