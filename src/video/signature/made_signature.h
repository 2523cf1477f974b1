#pragma once

// Signatures for tests, with random features.

#include <random>

#include "octavo/video/clip_signature.h"

namespace octavo {

inline SignatureFeature made_feature(std::mt19937_64& random, int width, int height) {
  return {.x = static_cast<std::uint16_t>(random() % static_cast<std::uint64_t>(64 * width)),
          .y = static_cast<std::uint16_t>(random() % static_cast<std::uint64_t>(64 * height)),
          .scale = static_cast<std::uint8_t>(20 + random() % 60),
          .orientation = static_cast<std::uint8_t>(random()),
          .word = static_cast<std::uint16_t>(random()),
          .code = {random(), random()}};
}

/// `frames` frames, two a second, with `features` features each.
inline ClipSignature made_signature(std::uint64_t seed, int frames, int features) {
  std::mt19937_64 random(seed);
  ClipSignature signature{.seconds = frames * 0.5};
  for (int i = 0; i < frames; ++i) {
    FrameSignature frame{.index = 12 * i, .seconds = i * 0.5, .until = i * 0.5 + 0.5, .width = 640, .height = 360};
    for (int k = 0; k < features; ++k) frame.features.push_back(made_feature(random, 640, 360));
    signature.frames.push_back(std::move(frame));
  }
  return signature;
}

}  // namespace octavo
