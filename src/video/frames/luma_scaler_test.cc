// Scaled luma on every GPU of this machine (PoCL counts as one) against the CPU's.

#include "video/frames/luma_scaler.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/device/registry.h"
#include "video/frames/area_scale.h"
#include "video/frames/levels.h"

namespace octavo::video {
namespace {

// Samples of the full number of bits, in the order in which NVDEC gives them.
std::vector<std::uint16_t> samples_of(const LumaForm& form) {
  std::mt19937 random(1);
  std::vector<std::uint16_t> samples(static_cast<std::size_t>(form.stored.width * form.stored.height));
  for (std::uint16_t& sample : samples) sample = static_cast<std::uint16_t>(random() >> (32 - form.depth));
  return samples;
}

std::vector<std::byte> surface_of(const std::vector<std::uint16_t>& samples, int depth) {
  std::vector<std::byte> bytes;
  for (const std::uint16_t sample : samples) {
    const unsigned stored = depth > 8 ? static_cast<unsigned>(sample) << (16 - depth) : sample;
    bytes.push_back(static_cast<std::byte>(stored));
    if (depth > 8) bytes.push_back(static_cast<std::byte>(stored >> 8));
  }
  return bytes;
}

std::vector<std::uint8_t> on_the_cpu(const std::vector<std::uint16_t>& samples, const LumaForm& form) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint16_t sample : samples) {
    std::uint8_t byte =
        form.depth > 8 ? byte_of(sample, form.depth, form.limited_range) : static_cast<std::uint8_t>(sample);
    if (form.limited_range && form.stretch) byte = stretched_luma()[byte];
    bytes.push_back(byte);
  }
  return scale_area({bytes.data(), form.stored.width, form.stored.width, form.stored.height}, form.scaled);
}

class LumaScalerOf : public testing::TestWithParam<std::tuple<std::pair<ImageSize, ImageSize>, int, bool, bool>> {};

TEST_P(LumaScalerOf, GivesTheBytesOfTheCpu) {
  const auto& [sizes, depth, limited, stretch] = GetParam();
  const LumaForm form{sizes.first, sizes.second, depth, limited, stretch};
  const std::vector<std::uint16_t> samples = samples_of(form);
  const std::vector<std::uint8_t> expected = on_the_cpu(samples, form);
  bool has_gpu = false;
  for (const Device& device : list_devices()) {
    if ((device.kind != "cuda" && device.kind != "opencl") || !device.conformant) continue;
    has_gpu = true;
    LumaScaler scaler(resolve_device({.name = device.name}).open_gpu(), form);
    const Image grey = scaler.scale(surface_of(samples, depth));
    EXPECT_EQ(std::memcmp(grey.row(0), expected.data(), expected.size()), 0) << device.name;
  }
  if (!has_gpu) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
}

std::string words_of_form(const testing::TestParamInfo<LumaScalerOf::ParamType>& info) {
  const auto& [sizes, depth, limited, stretch] = info.param;
  const auto words = [](ImageSize size) { return std::to_string(size.width) + "x" + std::to_string(size.height); };
  return words(sizes.first) + "_to_" + words(sizes.second) + "_" + std::to_string(depth) + "_bits" +
         (limited ? "_limited" : "") + (stretch ? "_stretched" : "");
}

INSTANTIATE_TEST_SUITE_P(Forms, LumaScalerOf,
                         testing::Combine(testing::Values(std::pair(ImageSize{1, 1}, ImageSize{1, 1}),
                                                          std::pair(ImageSize{34, 18}, ImageSize{34, 18}),
                                                          std::pair(ImageSize{34, 18}, ImageSize{17, 9}),
                                                          std::pair(ImageSize{97, 61}, ImageSize{40, 25}),
                                                          std::pair(ImageSize{130, 2}, ImageSize{129, 1}),
                                                          std::pair(ImageSize{64, 48}, ImageSize{85, 48}),
                                                          std::pair(ImageSize{300, 170}, ImageSize{64, 36}),
                                                          std::pair(ImageSize{7, 5}, ImageSize{300, 3})),
                                          testing::Values(8, 10, 12), testing::Bool(), testing::Bool()),
                         words_of_form);

}  // namespace
}  // namespace octavo::video
