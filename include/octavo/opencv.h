#pragma once

// Octavo in programs that use OpenCV: the class SIFT with the interface of cv::SIFT, and conversions between the types
// of both libraries. The header is compiled with the program's own OpenCV, 4 or 5; Octavo's libraries do not know it.
// docs/opencv.md lists what differs from cv::SIFT.

#include <opencv2/core.hpp>
#if CV_VERSION_MAJOR >= 5
#include <opencv2/features.hpp>
#else
#include <opencv2/features2d.hpp>
#endif

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "octavo/device.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/image.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"
#include "octavo/option_table.h"
#include "octavo/sift_options.h"

namespace octavo::opencv {

/// The pixels of a matrix of 1 to 4 channels of CV_8U, CV_16U or CV_32F (0…1), without a copy; the matrix must outlive
/// the view. OpenCV's colours are in the order bgr. Throws Error(invalid_argument) for another matrix.
inline ImageView view_of(const cv::Mat& matrix, ChannelOrder order = ChannelOrder::bgr) {
  const int depth = matrix.depth();
  if (matrix.dims > 2 || matrix.channels() > 4 || (depth != CV_8U && depth != CV_16U && depth != CV_32F)) {
    throw Error(ErrorCode::invalid_argument, "the matrix has " + std::to_string(matrix.dims) + " dimensions, " +
                                                 std::to_string(matrix.channels()) + " channels and the depth " +
                                                 std::to_string(depth) +
                                                 "; images have 2, 1 to 4, and CV_8U, CV_16U or CV_32F");
  }
  return {.data = matrix.data,
          .width = matrix.cols,
          .height = matrix.rows,
          .channels = matrix.channels(),
          .type = depth == CV_8U    ? PixelType::u8
                  : depth == CV_16U ? PixelType::u16
                                    : PixelType::f32,
          .stride = static_cast<std::ptrdiff_t>(matrix.step),
          .order = order};
}

/// A copy of an image, with colours in the order bgr.
inline cv::Mat mat_of(const ImageView& image) {
  const int depth = image.type == PixelType::u8 ? CV_8U : image.type == PixelType::u16 ? CV_16U : CV_32F;
  cv::Mat matrix(image.height, image.width, CV_MAKETYPE(depth, image.channels));
  const std::size_t row_bytes = static_cast<std::size_t>(image.width) * matrix.elemSize();
  for (int y = 0; y < image.height; ++y) std::memcpy(matrix.ptr(y), image.row(y), row_bytes);
  if (image.channels < 3 || image.order == ChannelOrder::bgr) return matrix;
  cv::Mat exchanged(matrix.size(), matrix.type());
  constexpr int channels[] = {0, 2, 1, 1, 2, 0, 3, 3};  // from, to
  cv::mixChannels(&matrix, 1, &exchanged, 1, channels, static_cast<std::size_t>(image.channels));
  return exchanged;
}

/// A keypoint by OpenCV's conventions: the size is a diameter, 2·scale; the angle is in degrees, [0, 360), from +x
/// towards +y; the octave has octave, layer and the offset within the layer in its bytes, as that of cv::SIFT.
/// `options` are those of the extraction. The shape of an ellipse is lost.
inline cv::KeyPoint keypoint_of(const Keypoint& keypoint, const SiftOptions& options) {
  constexpr float degrees = static_cast<float>(180 / std::numbers::pi);
  const float angle = keypoint.orientation * degrees;
  const double level = options.layers * (std::log2(keypoint.scale / options.sigma) - keypoint.octave);
  const double offset = std::clamp(level - keypoint.layer, -0.5, 0.5);
  const int packed = (keypoint.octave & 255) | keypoint.layer << 8 | cvRound((offset + 0.5) * 255) << 16;
  return {keypoint.x, keypoint.y, 2 * keypoint.scale, angle < 360 ? angle : 0.0f, keypoint.response, packed};
}

/// The reverse. An angle below 0, which means that there is none, becomes 0.
inline Keypoint keypoint_of(const cv::KeyPoint& keypoint) {
  constexpr double radians = std::numbers::pi / 180;
  const int octave = keypoint.octave & 255;
  return {.x = keypoint.pt.x,
          .y = keypoint.pt.y,
          .scale = keypoint.size / 2,
          .orientation = static_cast<float>(std::max(keypoint.angle, 0.0f) * radians),
          .response = keypoint.response,
          .octave = octave < 128 ? octave : octave - 256,
          .layer = keypoint.octave >> 8 & 255};
}

inline std::vector<cv::KeyPoint> keypoints_of(std::span<const Keypoint> keypoints, const SiftOptions& options) {
  std::vector<cv::KeyPoint> converted;
  converted.reserve(keypoints.size());
  for (const Keypoint& keypoint : keypoints) converted.push_back(keypoint_of(keypoint, options));
  return converted;
}

inline std::vector<Keypoint> keypoints_of(std::span<const cv::KeyPoint> keypoints) {
  std::vector<Keypoint> converted;
  converted.reserve(keypoints.size());
  for (const cv::KeyPoint& keypoint : keypoints) converted.push_back(keypoint_of(keypoint));
  return converted;
}

/// The descriptors as N×128 of CV_32F (the whole numbers 0…255, as those of cv::SIFT) or CV_8U.
inline void copy_descriptors(const Features& features, int type, cv::OutputArray descriptors) {
  const int rows = static_cast<int>(features.descriptors.size() / descriptor_length);
  if (rows == 0) return descriptors.create(0, static_cast<int>(descriptor_length), type);
  const cv::Mat bytes(rows, static_cast<int>(descriptor_length), CV_8U,
                      const_cast<std::uint8_t*>(features.descriptors.data()));  // is only read
  bytes.convertTo(descriptors, type);
}

/// Keypoints and their descriptors (N×128, CV_32F with whole numbers 0…255 or CV_8U), for octavo::Matcher. Throws
/// Error(invalid_argument) for other descriptors.
inline Features features_of(std::span<const cv::KeyPoint> keypoints, const cv::Mat& descriptors) {
  Features features{.keypoints = keypoints_of(keypoints), .descriptors = {}};
  if (keypoints.empty() && descriptors.empty()) return features;
  const bool fits = descriptors.dims == 2 && descriptors.cols == static_cast<int>(descriptor_length) &&
                    descriptors.rows == static_cast<int>(keypoints.size()) &&
                    (descriptors.type() == CV_32F || descriptors.type() == CV_8U);
  if (!fits) {
    throw Error(ErrorCode::invalid_argument, "the descriptors are " + std::to_string(descriptors.rows) + " × " +
                                                 std::to_string(descriptors.cols) + " of the type " +
                                                 std::to_string(descriptors.type()) + ", not " +
                                                 std::to_string(keypoints.size()) + " × 128 of CV_32F or CV_8U");
  }
  features.descriptors.resize(keypoints.size() * descriptor_length);
  cv::Mat bytes(descriptors.rows, descriptors.cols, CV_8U, features.descriptors.data());
  descriptors.convertTo(bytes, CV_8U);
  return features;
}

/// The same match: a is the query, b the training set; the distance is the square root.
inline cv::DMatch match_of(const Match& match) {
  return {match.a, match.b, std::sqrt(static_cast<float>(match.distance2))};
}

/// The reverse. The squared distance is exact for SIFT's descriptors, whose length is about 512. A distance from 65536
/// on, as that of a cv::DMatch without one, becomes the largest squared distance, as does NaN.
inline Match match_of(const cv::DMatch& match) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  const double squared = double{match.distance} * match.distance + 0.5;
  return {.a = match.queryIdx,
          .b = match.trainIdx,
          .distance2 = squared < most ? static_cast<std::uint32_t>(squared) : most};
}

inline std::vector<cv::DMatch> matches_of(std::span<const Match> matches) {
  std::vector<cv::DMatch> converted;
  converted.reserve(matches.size());
  for (const Match& match : matches) converted.push_back(match_of(match));
  return converted;
}

/// SIFT with the interface of cv::SIFT. By default it has OpenCV's options (the preset "opencv"). Errors are
/// cv::Exception. An object may be used by several threads, which then take turns; for work in parallel each thread has
/// its own.
class SIFT : public cv::Feature2D {
 public:
  /// The arguments of cv::SIFT::create. OpenCV's precise upscaling is always on. Throws cv::Exception for a value out
  /// of the range that the option tables of Octavo give.
  static cv::Ptr<SIFT> create(int nfeatures = 0, int nOctaveLayers = 3, double contrastThreshold = 0.04,
                              double edgeThreshold = 10, double sigma = 1.6, bool /*enable_precise_upscale*/ = true) {
    return create(nfeatures, nOctaveLayers, contrastThreshold, edgeThreshold, sigma, CV_32F);
  }

  /// `descriptorType` is CV_32F or CV_8U. Both have the same values.
  static cv::Ptr<SIFT> create(int nfeatures, int nOctaveLayers, double contrastThreshold, double edgeThreshold,
                              double sigma, int descriptorType, bool /*enable_precise_upscale*/ = true) {
    SiftOptions options = preset("opencv");
    options.max_features = nfeatures;
    options.layers = nOctaveLayers;
    options.contrast_threshold = contrastThreshold;
    options.edge_threshold = edgeThreshold;
    options.sigma = sigma;
    return create(options, {}, descriptorType);
  }

  /// With options of Octavo's own, on a device of choice.
  static cv::Ptr<SIFT> create(const SiftOptions& options, const DeviceOptions& device = {},
                              int descriptorType = CV_32F) {
    return cv::makePtr<SIFT>(options, device, descriptorType);
  }

  explicit SIFT(const SiftOptions& options, DeviceOptions device = {}, int descriptorType = CV_32F)
      : options_(options), device_(std::move(device)), descriptor_type_(descriptorType) {
    if (descriptorType != CV_32F && descriptorType != CV_8U) {
      CV_Error(cv::Error::StsBadArg, "descriptors are of the type CV_32F or CV_8U");
    }
    as_opencv([&] { check(options_); });
  }

  /// Finds keypoints and describes them, or describes those that are given. The image has 1 to 4 channels of CV_8U,
  /// CV_16U or CV_32F (0…1); colours are in the order bgr. The mask, CV_8U, keeps keypoints whose pixel in it is not 0;
  /// it has no effect on given keypoints. Given keypoints that cannot be described are removed.
  void detectAndCompute(cv::InputArray image, cv::InputArray mask, std::vector<cv::KeyPoint>& keypoints,
                        cv::OutputArray descriptors, bool useProvidedKeypoints = false) override {
    const cv::Mat pixels = image.getMat(), kept = mask.getMat();
    const std::scoped_lock lock(mutex_);
    const Features features = as_opencv([&] {
      const ImageView view = view_of(pixels);
      if (useProvidedKeypoints) return described(view, keypoints);
      const ImageView mask_view = view_of(kept);
      const Features found = extractor().extract(view, kept.empty() ? nullptr : &mask_view);
      keypoints = keypoints_of(found.keypoints, options_);
      return found;
    });
    if (descriptors.needed()) copy_descriptors(features, descriptor_type_, descriptors);
  }

  [[nodiscard]] int descriptorSize() const override { return static_cast<int>(descriptor_length); }
  [[nodiscard]] int descriptorType() const override { return descriptor_type_; }
  [[nodiscard]] int defaultNorm() const override { return cv::NORM_L2; }
  [[nodiscard]] bool empty() const override { return false; }
  [[nodiscard]] cv::String getDefaultName() const override { return cv::Feature2D::getDefaultName() + ".OctavoSIFT"; }

  // The names of OpenCV 4.7 and later. A setter throws cv::Exception for a value out of range and changes nothing then.
  void setNFeatures(int maxFeatures) { set(&SiftOptions::max_features, maxFeatures); }
  [[nodiscard]] int getNFeatures() const { return options().max_features; }
  void setNOctaveLayers(int nOctaveLayers) { set(&SiftOptions::layers, nOctaveLayers); }
  [[nodiscard]] int getNOctaveLayers() const { return options().layers; }
  void setContrastThreshold(double contrastThreshold) { set(&SiftOptions::contrast_threshold, contrastThreshold); }
  [[nodiscard]] double getContrastThreshold() const { return options().contrast_threshold; }
  void setEdgeThreshold(double edgeThreshold) { set(&SiftOptions::edge_threshold, edgeThreshold); }
  [[nodiscard]] double getEdgeThreshold() const { return options().edge_threshold; }
  void setSigma(double sigma) { set(&SiftOptions::sigma, sigma); }
  [[nodiscard]] double getSigma() const { return options().sigma; }

  /// All options of Octavo.
  [[nodiscard]] SiftOptions options() const {
    const std::scoped_lock lock(mutex_);
    return options_;
  }
  /// Throws cv::Exception for an option out of range and changes nothing then.
  void set_options(const SiftOptions& options) {
    change([&](SiftOptions& values) { values = options; });
  }

  using cv::Feature2D::read;
  using cv::Feature2D::write;

  /// Writes the type of the descriptors and every option by its name, not the device.
  void write(cv::FileStorage& file) const override {
    const std::scoped_lock lock(mutex_);
    writeFormat(file);
    file << "name" << getDefaultName() << "descriptorType" << descriptor_type_.load() << "options"
         << "{";
    for (const auto& option : option_table<SiftOptions>().options) {
      file << cv::String(option.name);
      std::visit(
          [&](const auto& value) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, bool> ||
                          std::is_same_v<std::decay_t<decltype(value)>, std::int64_t>) {
              file << static_cast<int>(value);
            } else {
              file << value;
            }
          },
          option.read(options_, option));
    }
    file << "}";
  }

  /// Reads what `write` writes. Options that are missing keep their values. Throws cv::Exception for an unknown option
  /// or an invalid value, and changes nothing then.
  void read(const cv::FileNode& file) override {
    const cv::FileNode given = file["options"], type = file["descriptorType"];
    const std::optional<int> descriptor_type = type.empty() ? std::nullopt : std::optional(static_cast<int>(type));
    if (descriptor_type && descriptor_type != CV_32F && descriptor_type != CV_8U) {
      CV_Error(cv::Error::StsParseError, "descriptorType is not CV_32F or CV_8U");
    }
    const auto& table = option_table<SiftOptions>();
    const auto take = [&](SiftOptions& values) {
      for (const cv::String& name : given.isMap() ? given.keys() : std::vector<cv::String>{}) {
        if (table.find(name) == nullptr) throw Error(ErrorCode::invalid_option, "there is no option '" + name + "'");
      }
      for (const auto& option : table.options) {  // in the order of the table: some set others
        const cv::FileNode node = given.isMap() ? given[cv::String(option.name)] : cv::FileNode();
        if (!node.empty()) table.set(values, option, value_of(node, option.kind));
      }
    };
    change(take, descriptor_type);
  }

 private:
  static void check(const SiftOptions& options) {
    validate(options);
    require_keypoints(options);
  }

  // Calls `work`. Throws cv::Exception for Octavo's errors.
  template <class Work>
  static std::invoke_result_t<Work> as_opencv(const Work& work) {
    try {
      return work();
    } catch (const Error& error) {
      const cv::Error::Code code =
          error.code() == ErrorCode::out_of_memory ? cv::Error::StsNoMem
          : error.code() == ErrorCode::invalid_argument || error.code() == ErrorCode::invalid_option
              ? cv::Error::StsBadArg
              : cv::Error::StsError;
      CV_Error(code, error.what());
    }
  }

  static OptionValue value_of(const cv::FileNode& node, OptionKind kind) {
    if (kind == OptionKind::flag) return static_cast<int>(node) != 0;
    if (kind == OptionKind::integer) return std::int64_t{static_cast<int>(node)};
    if (kind == OptionKind::number) return static_cast<double>(node);
    return std::string(node);
  }

  template <class Value>
  void set(Value SiftOptions::*member, Value value) {
    change([&](SiftOptions& values) { values.*member = value; });
  }

  // Changes the options by `take`, and the type of the descriptors if one is given, both or neither.
  template <class Take>
  void change(const Take& take, std::optional<int> descriptor_type = {}) {
    const std::scoped_lock lock(mutex_);
    SiftOptions values = options_;
    as_opencv([&] {
      take(values);
      check(values);
    });
    options_ = values;
    if (descriptor_type) descriptor_type_ = *descriptor_type;
    extractor_.reset();
  }

  // Made when it is first used, since options may change before.
  Extractor& extractor() {
    if (!extractor_) extractor_.emplace(options_, device_);
    return *extractor_;
  }

  // Describes keypoints, and removes those that cannot be described.
  Features described(const ImageView& view, std::vector<cv::KeyPoint>& keypoints) {
    Description description = extractor().describe(view, keypoints_of(keypoints));
    std::vector<cv::KeyPoint> kept;
    kept.reserve(description.inputs.size());
    for (const std::size_t input : description.inputs) kept.push_back(keypoints[input]);
    keypoints = std::move(kept);
    return std::move(description.features);
  }

  mutable std::mutex mutex_;  // of what follows
  SiftOptions options_;
  DeviceOptions device_;
  std::atomic<int> descriptor_type_;  // also read without it
  std::optional<Extractor> extractor_;
};

}  // namespace octavo::opencv
