// Photographs of any size made into pictures of the size that a benchmark asks for.

#include "cli/resize.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <regex>

namespace octavo::cli {
namespace {

cv::Mat as_mat(const ImageView& image) {
  const int depth = image.type == PixelType::u8 ? CV_8U : image.type == PixelType::u16 ? CV_16U : CV_32F;
  return {image.height, image.width, CV_MAKETYPE(depth, image.channels), const_cast<void*>(image.data),
          static_cast<std::size_t>(image.stride)};
}

Size parse_size(const std::string& option, const std::string& text) {
  static const std::regex form("([0-9]{1,5})x([0-9]{1,5})");
  std::smatch parts;
  if (std::regex_match(text, parts, form)) {
    const Size size{std::stoi(parts[1]), std::stoi(parts[2])};
    if (std::min(size.width, size.height) >= 1 && std::max(size.width, size.height) <= 65535) return size;
  }
  throw CLI::ValidationError(option, "'" + text + "' is not WxH with sides of 1 to 65535 pixels");
}

}  // namespace

CLI::Option* add_sizes(CLI::App& command, const std::string& name, std::vector<Size>& sizes,
                       const std::string& description) {
  const auto take = [name, &sizes](const std::vector<std::string>& texts) {
    sizes.clear();
    for (const std::string& text : texts) {
      const Size size = parse_size(name, text);
      if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
    }
  };
  return command.add_option_function<std::vector<std::string>>(name, take, description)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("WxH,...");
}

Image resize_and_crop(const ImageView& image, Size size) {
  const double scale =
      std::max(static_cast<double>(size.width) / image.width, static_cast<double>(size.height) / image.height);
  const cv::Size covering(std::max(size.width, static_cast<int>(std::lround(image.width * scale))),
                          std::max(size.height, static_cast<int>(std::lround(image.height * scale))));
  cv::Mat scaled;
  cv::resize(as_mat(image), scaled, covering, 0, 0, scale < 1 ? cv::INTER_AREA : cv::INTER_CUBIC);
  const cv::Rect window((covering.width - size.width) / 2, (covering.height - size.height) / 2, size.width,
                        size.height);
  Image result(size.width, size.height, image.channels, image.type);
  cv::Mat target = as_mat(result.view());
  scaled(window).copyTo(target);
  return result;
}

}  // namespace octavo::cli
