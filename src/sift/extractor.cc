// From an image to features: checks, the device's stages in order, masks, budgets, canonical order.

#include "octavo/extractor.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "core/canonical_order.h"
#include "octavo/error.h"
#include "sift/engine.h"
#include "sift/keypoint.h"
#include "sift/selection.h"

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

class Stopwatch {
 public:
  explicit Stopwatch(std::vector<StageTime>* times) : times_(times) {
    if (times_) times_->clear();
  }
  void lap(const char* stage) {
    if (!times_) return;
    const auto now = std::chrono::steady_clock::now();
    times_->push_back({stage, std::chrono::duration<double, std::milli>(now - last_).count()});
    last_ = now;
  }

 private:
  std::vector<StageTime>* times_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

class Extractor::Impl {
 public:
  Impl(const SiftOptions& options, const DeviceOptions& device)
      : options_(options), on_device_(make_engine(options, device)), engine_(*on_device_.engine) {}

  Features extract(const ImageView& image, const ImageView* mask, std::vector<StageTime>* times) {
    check_image(image);
    if (mask) check_mask(*mask, image);
    Stopwatch watch(times);

    std::vector<Oriented> extrema = wanted(engine_.detect(image), mask);
    watch.lap("scale space and extrema");

    std::vector<Oriented> oriented = options_.upright ? std::move(extrema) : with_orientations(extrema);
    watch.lap("orientation");

    Features features;
    for (const std::size_t i : chosen(oriented, image)) {
      oriented[features.keypoints.size()] = oriented[i];  // indices ascend: nothing unread is overwritten
      features.keypoints.push_back(keypoint_of(oriented[i], options_));
    }
    oriented.resize(features.size());
    watch.lap("selection");

    features.descriptors.resize(features.size() * descriptor_length);
    engine_.describe(oriented, features.descriptors.data());
    watch.lap("descriptor");
    return features;
  }

  SiftOptions options_;
  EngineOnDevice on_device_;

 private:
  std::vector<Oriented> wanted(const std::vector<std::vector<Extremum>>& octaves, const ImageView* mask) const {
    std::vector<Oriented> points;
    for (std::size_t o = 0; o < octaves.size(); ++o) {
      for (const Extremum& e : octaves[o]) {
        const Oriented point{static_cast<int>(o), e, scale_of(e, options_), 0};
        const Keypoint k = keypoint_of(point, options_);
        if (!mask || inside(*mask, k.x, k.y)) points.push_back(point);
      }
    }
    return points;
  }

  std::vector<Oriented> with_orientations(const std::vector<Oriented>& extrema) {
    const std::vector<Orientations> orientations = engine_.orient(extrema);
    std::vector<Oriented> oriented;
    for (std::size_t i = 0; i < extrema.size(); ++i) {
      for (int k = 0; k < orientations[i].count; ++k) {
        oriented.push_back(extrema[i]);
        oriented.back().turns = orientations[i].turns[static_cast<std::size_t>(k)];
      }
    }
    return oriented;
  }

  // Sorts into canonical order, then says which indices the budget keeps.
  std::vector<std::size_t> chosen(std::vector<Oriented>& oriented, const ImageView& image) const {
    std::vector<std::pair<Keypoint, Oriented>> both;
    both.reserve(oriented.size());
    for (const Oriented& o : oriented) both.emplace_back(keypoint_of(o, options_), o);
    std::sort(both.begin(), both.end(),
              [](const auto& a, const auto& b) { return canonically_before(a.first, b.first); });
    std::vector<Keypoint> keypoints;
    keypoints.reserve(both.size());
    for (std::size_t i = 0; i < both.size(); ++i) {
      keypoints.push_back(both[i].first);
      oriented[i] = both[i].second;
    }
    return select(keypoints, image.width, image.height, options_);
  }

  SiftEngine& engine_;
};

Extractor::Extractor(const SiftOptions& options, const DeviceOptions& device)
    : impl_(std::make_unique<Impl>(options, device)) {}
Extractor::~Extractor() = default;
Extractor::Extractor(Extractor&&) noexcept = default;
Extractor& Extractor::operator=(Extractor&&) noexcept = default;

Features Extractor::extract(const ImageView& image, const ImageView* mask, std::vector<StageTime>* times) {
  return impl_->extract(image, mask, times);
}
const std::string& Extractor::device() const { return impl_->on_device_.device; }
const std::string& Extractor::isa() const { return impl_->on_device_.isa; }
int Extractor::threads() const { return impl_->on_device_.threads; }
const SiftOptions& Extractor::options() const { return impl_->options_; }

}  // namespace octavo
