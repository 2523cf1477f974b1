// Changes photographs in ways that map every point to a known place: other viewpoints, or the effects of poor cameras,
// light and compression.

#include "study/evaluate/distortion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <string>

#include "engine/core/check.h"
#include "io/images/decoders.h"
#include "io/images/encoders.h"
#include "io/opencv/cv_mat.h"
#include "octavo/error.h"
#include "study/evaluate/change_view.h"
#include "study/evaluate/distort.h"

namespace octavo {
namespace {

using evaluation::View;

constexpr std::array angles{15.0, 30.0, 45.0, 60.0, 75.0, 90.0, 105.0, 120.0, 135.0, 150.0, 165.0, 180.0};
constexpr std::array scales{0.25, 0.35, 0.5, 0.7, 0.85, 1.2, 1.4, 2.0, 2.8, 4.0};
constexpr std::array shears{0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0};
constexpr std::array perspectives{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
constexpr std::array mirrors{0.0, 30.0, 60.0, 90.0, 120.0, 150.0};
constexpr std::array noises{2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0};
constexpr std::array blurs{0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0};
constexpr std::array contrasts{0.0625, 0.125, 0.25, 0.5, 0.75, 1.5, 2.0};
constexpr std::array brightnesses{-128.0, -64.0, -32.0, 32.0, 64.0, 128.0};
constexpr std::array qualities{10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0};

constexpr std::array<Distortion, 10> all_distortions{{
    {"rotation", "degrees", true, -360, 360, angles},
    {"scale", "factor", true, 0.001, 1000, scales},
    {"shear", "pixels per pixel", true, -100, 100, shears},
    {"perspective", "change of scale from centre to edge", true, -0.99, 0.99, perspectives},
    {"mirror", "degrees of the axis", true, -360, 360, mirrors, "SIFT is not made for mirrored images"},
    {"noise", "sigma [grey level of 255]", false, 0, 255, noises},
    {"blur", "sigma [pixel]", false, 0.01, 100, blurs},
    {"contrast", "factor", false, 0.001, 1000, contrasts},
    {"brightness", "grey levels added", false, -255, 255, brightnesses},
    {"jpeg", "quality", false, 1, 100, qualities},
}};

[[noreturn]] void refuse_view(const ImageView& image, const std::string& why,
                              ErrorCode code = ErrorCode::invalid_argument) {
  throw Error(code, "an image of " + std::to_string(image.width) + " × " + std::to_string(image.height) +
                        " pixels cannot be changed: " + why);
}

// Turns OpenCV's exceptions into errors of Octavo. The sentences of OpenCV's exceptions are written for its developers.
template <class Step>
auto with_opencv(const ImageView& image, const Step& step) {
  try {
    return step();
  } catch (const cv::Exception& error) {
    if (error.code == cv::Error::StsNoMem) refuse_view(image, "there is not enough memory", ErrorCode::out_of_memory);
    refuse_view(image, "OpenCV's " + error.func + " does not take it");
  } catch (const std::bad_alloc&) {
    refuse_view(image, "there is not enough memory", ErrorCode::out_of_memory);
  }
}

constexpr std::uint64_t most_jpeg_pixels = 1 << 30;  // as read_image

// Whether libjpeg can write the image's longer side, and its pixels can be read again.
bool fits_jpeg(const ImageView& image) {
  return std::max(image.width, image.height) <= 65500 &&
         static_cast<std::uint64_t>(image.width) * static_cast<std::uint64_t>(image.height) <= most_jpeg_pixels;
}

cv::Mat as_mat(const ImageView& image) {
  cv::Mat matrix = io::to_mat(image);
  if (image.type == PixelType::u16) matrix.convertTo(matrix, CV_8U, 1.0 / 257);
  if (image.type == PixelType::f32) matrix.convertTo(matrix, CV_8U, 255);
  if (matrix.channels() == 2) cv::extractChannel(matrix, matrix, 0);
  if (matrix.channels() == 4) cv::cvtColor(matrix, matrix, cv::COLOR_RGBA2RGB);
  return matrix;
}

// The homography of offsets from the centre, for an image of this width [pixel].
cv::Matx33d movement(std::string_view name, double strength, int width) {
  if (name == "rotation") {
    const double angle = strength * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
    return {c, -s, 0, s, c, 0, 0, 0, 1};
  }
  if (name == "mirror") {
    const double angle = 2 * strength * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
    return {c, s, 0, s, -c, 0, 0, 0, 1};
  }
  if (name == "scale") return {strength, 0, 0, 0, strength, 0, 0, 0, 1};
  if (name == "shear") return {1, strength, 0, 0, 1, 0, 0, 0, 1};
  return {1, 0, 0, 0, 1, 0, strength / (width / 2.0), 0, 1};
}

Image degraded(const cv::Mat& image, std::string_view name, double strength, std::uint64_t seed) {
  cv::Mat changed;
  if (name == "noise") {
    cv::RNG random(seed ^ 0x9E3779B97F4A7C15);  // the generator would never leave the state 0
    cv::Mat noise(image.size(), CV_MAKETYPE(CV_32F, image.channels()));
    random.fill(noise, cv::RNG::NORMAL, 0, strength);
    cv::add(image, noise, changed, cv::noArray(), CV_8U);
  } else if (name == "blur") {
    const int side = 2 * static_cast<int>(std::ceil(4 * strength)) + 1;
    cv::GaussianBlur(image, changed, cv::Size(side, side), strength, strength, cv::BORDER_REFLECT_101);
  } else if (name == "contrast") {
    image.convertTo(changed, CV_8U, strength);
  } else if (name == "brightness") {
    image.convertTo(changed, CV_8U, 1, strength);
  } else {
    const auto file = io::encode_jpeg(io::view_of(image), static_cast<int>(std::lround(strength)));
    return io::decode_jpeg(file, most_jpeg_pixels).image;
  }
  return io::to_image(changed);
}

}  // namespace

std::span<const Distortion> distortions() { return all_distortions; }

Image undistorted(const ImageView& image) {
  return with_opencv(image, [&] { return io::to_image(as_mat(image)); });
}

Distorted distort(const ImageView& image, std::string_view name, double strength, std::uint64_t seed) {
  const auto kind = std::find_if(all_distortions.begin(), all_distortions.end(),
                                 [&](const Distortion& known) { return known.name == name; });
  if (kind == all_distortions.end()) {
    throw Error(ErrorCode::invalid_option, "there is no distortion '" + std::string(name) + "'");
  }
  check_range(name, strength, kind->least, kind->most);
  if (name == "jpeg" && !fits_jpeg(image)) refuse_view(image, "as JPEG it may have 65500 a side, 2^30 in all");
  return with_opencv(image, [&]() -> Distorted {
    const cv::Mat original = as_mat(image);
    if (!kind->moves) {
      return {degraded(original, name, strength, seed), {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    }
    const View view = evaluation::change_view(original, movement(name, strength, original.cols));
    Distorted distorted{io::to_image(view.image), {}};
    std::copy(view.b_from_a.val, view.b_from_a.val + 9, distorted.b_from_a.begin());
    return distorted;
  });
}

}  // namespace octavo
