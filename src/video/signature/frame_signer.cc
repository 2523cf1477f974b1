// The signature of a frame: RootSIFT features of the image between its black bars, each as place, scale, orientation,
// word and code.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/image.h"
#include "octavo/retrieval.h"
#include "octavo/sift_options.h"
#include "octavo/video/clip_signature.h"
#include "video/frames/content.h"
#include "video/signature/feature_scale.h"

namespace octavo {

namespace {

constexpr int longest_side = 1000;  // [pixel] 64·1000 fits 16 bits
constexpr int least_side = 64;      // [pixel] of an image between bars; a smaller one may be a dark scene's

SiftOptions sift_options(const SignatureOptions& options) {
  SiftOptions sift = preset("signature");
  sift.first_octave = options.doubled ? -1 : 0;
  sift.max_features = options.max_features;
  sift.grid = 4;
  return sift;
}

std::uint16_t sixty_fourths(double pixels) {
  return static_cast<std::uint16_t>(std::clamp(std::lround(pixels * 64), 0L, 65535L));
}

std::uint8_t byte_of_angle(float radian) {
  return static_cast<std::uint8_t>(std::lround(double{radian} * (128 / std::numbers::pi)) % 256);
}

// The part of a frame whose features count.
PixelRectangle image_of(const FrameContent& content, const ImageView& grey) {
  if (content.active.width >= least_side && content.active.height >= least_side) return content.active;
  return {0, 0, grey.width, grey.height};
}

// Before anything is judged, so that bars that the negative has black are cut off.
Image negative_of(const ImageView& grey) {
  Image negative(grey.width, grey.height, 1, PixelType::u8);
  for (int y = 0; y < grey.height; ++y) {
    std::transform(grey.row(y), grey.row(y) + grey.width, negative.row(y), [](std::byte value) { return ~value; });
  }
  return negative;
}

}  // namespace

class FrameSigner::Impl {
 public:
  Impl(const SignatureOptions& options, const DeviceOptions& device, Tones tones)
      : options_((validate(options), options)),
        tones_(tones),
        extractor_(sift_options(options), device),
        quantiser_(static_cast<std::size_t>(options.words), device) {}

  FrameSignature sign(const ImageView& frame) {
    const Image negative = tones_ == Tones::negative ? negative_of(frame) : Image();
    const ImageView grey = tones_ == Tones::negative ? negative.view() : frame;
    if (grey.width > longest_side || grey.height > longest_side) {
      throw Error(ErrorCode::invalid_argument,
                  "the frame has " + std::to_string(grey.width) + "×" + std::to_string(grey.height) +
                      " pixels, but a frame with a signature has sides of at most " + std::to_string(longest_side));
    }
    const FrameContent content = content_of(grey);
    frame_ = FrameSignature{.width = static_cast<std::uint16_t>(grey.width),
                            .height = static_cast<std::uint16_t>(grey.height),
                            .junk = content.junk};
    on_device_ = {};
    features_.reset();
    corner_ = {};
    if (content.junk == Junk::none) {
      const PixelRectangle part = image_of(content, grey);
      ImageView view = grey;
      view.data = grey.row(part.y) + part.x;
      view.width = part.width;
      view.height = part.height;
      on_device_ = extractor_.extract_on_device(view);
      corner_ = part;
    }
    describe();
    return frame_;
  }

  const Features& features() {
    if (!features_) {
      features_ = on_device_.download();
      move_to_frame(features_->keypoints);
    }
    return *features_;
  }
  const DeviceFeatures& features_on_device() const { return on_device_; }
  const SignatureOptions& options() const { return options_; }
  const std::string& device() const { return quantiser_.device(); }

 private:
  // From the image between the bars to the frame.
  void move_to_frame(std::vector<Keypoint>& keypoints) const {
    for (Keypoint& keypoint : keypoints) {
      keypoint.x += static_cast<float>(corner_.x);
      keypoint.y += static_cast<float>(corner_.y);
    }
  }

  // Adds the features to the signature of the frame.
  void describe() {
    const auto words_each = static_cast<std::size_t>(options_.words);
    QuantisedFeatures quantised = quantiser_.quantise(on_device_);
    move_to_frame(quantised.keypoints);
    const std::vector<std::uint16_t>& words = quantised.words;
    frame_.features.reserve(quantised.keypoints.size());
    for (std::size_t i = 0; i < quantised.keypoints.size(); ++i) {
      const Keypoint& keypoint = quantised.keypoints[i];
      frame_.features.push_back({.x = sixty_fourths(keypoint.x),
                                 .y = sixty_fourths(keypoint.y),
                                 .scale = byte_of_scale(keypoint.scale),
                                 .orientation = byte_of_angle(keypoint.orientation),
                                 .word = words[i * words_each],
                                 .code = quantised.codes[i]});
      const auto first = words.begin() + static_cast<std::ptrdiff_t>(i * words_each);
      frame_.further_words.insert(frame_.further_words.end(), first + 1,
                                  first + static_cast<std::ptrdiff_t>(words_each));
    }
  }

  SignatureOptions options_;
  Tones tones_;
  Extractor extractor_;
  FeatureQuantiser quantiser_;
  FrameSignature frame_;              // the last one
  DeviceFeatures on_device_;          // of the last frame, with places in the image between the bars
  PixelRectangle corner_;             // where that image is
  std::optional<Features> features_;  // the same in host memory, with places in the frame, when asked for
};

FrameSigner::FrameSigner(const SignatureOptions& options, const DeviceOptions& device, Tones tones)
    : impl_(std::make_unique<Impl>(options, device, tones)) {}
FrameSigner::~FrameSigner() = default;
FrameSigner::FrameSigner(FrameSigner&&) noexcept = default;
FrameSigner& FrameSigner::operator=(FrameSigner&&) noexcept = default;

FrameSignature FrameSigner::sign(const ImageView& grey) { return impl_->sign(grey); }
const Features& FrameSigner::features() { return impl_->features(); }
const DeviceFeatures& FrameSigner::features_on_device() const { return impl_->features_on_device(); }
const SignatureOptions& FrameSigner::options() const { return impl_->options(); }
const std::string& FrameSigner::device() const { return impl_->device(); }

}  // namespace octavo
