// Scaled luma on every GPU of this machine (PoCL counts as one) against the CPU's.

#include "video/frames/luma_scaler.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
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

TEST(LumaScaler, GivesTheBytesOfTheCpu) {
  const ImageSize sizes[][2] = {{{1, 1}, {1, 1}},       {{34, 18}, {34, 18}}, {{34, 18}, {17, 9}},
                                {{97, 61}, {40, 25}},   {{130, 2}, {129, 1}}, {{64, 48}, {85, 48}},
                                {{300, 170}, {64, 36}}, {{7, 5}, {300, 3}}};
  bool has_gpu = false;
  for (const Device& device : list_devices()) {
    if ((device.kind != "cuda" && device.kind != "opencl") || !device.conformant) continue;
    has_gpu = true;
    const std::shared_ptr<Gpu> gpu = resolve_device({.name = device.name}).open_gpu();
    for (const auto& [stored, scaled] : sizes) {
      for (const int depth : {8, 10, 12}) {
        for (const bool limited : {true, false}) {
          for (const bool stretch : {true, false}) {
            const LumaForm form{stored, scaled, depth, limited, stretch};
            LumaScaler scaler(gpu, form);
            const std::vector<std::uint16_t> samples = samples_of(form);
            const Image grey = scaler.scale(surface_of(samples, depth));
            const std::vector<std::uint8_t> expected = on_the_cpu(samples, form);
            ASSERT_EQ(std::memcmp(grey.row(0), expected.data(), expected.size()), 0)
                << device.name << ": " << stored.width << 'x' << stored.height << " to " << scaled.width << 'x'
                << scaled.height << ", " << depth << " bits, " << limited << stretch;
          }
        }
      }
    }
  }
  if (!has_gpu) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
}

}  // namespace
}  // namespace octavo::video
