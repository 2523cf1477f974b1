// Signatures of made clips, for tests: features that come, move and go, and transformed copies of them.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "octavo/video/copy_segment.h"

namespace octavo {

/// Features with random codes that move through a frame of 640×360 pixels. Each lives for some seconds.
class MadeScene {
 public:
  explicit MadeScene(unsigned seed, double seconds = 60, int features = 150, double lifetime = 4) {
    std::mt19937_64 random(seed);
    const auto uniform = [&](double low, double high) {
      return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
    };
    const int count = static_cast<int>(features * (seconds + lifetime) / lifetime);
    for (int n = 0; n < count; ++n) {
      Mover mover;
      mover.begin = uniform(-lifetime, seconds);
      mover.end = mover.begin + lifetime * uniform(0.5, 1.5);
      mover.x = uniform(20, 620);
      mover.y = uniform(20, 340);
      mover.vx = uniform(-15, 15);
      mover.vy = uniform(-8, 8);
      mover.feature.scale = static_cast<std::uint8_t>(uniform(32, 64));
      mover.feature.orientation = static_cast<std::uint8_t>(uniform(0, 256));
      mover.feature.code = {random(), random()};
      mover.feature.word = static_cast<std::uint16_t>(mover.feature.code[1]);
      movers_.push_back(mover);
    }
  }

  [[nodiscard]] FrameSignature frame(double seconds) const {
    FrameSignature frame{.width = 640, .height = 360};
    for (const Mover& mover : movers_) {
      if (seconds < mover.begin || seconds >= mover.end) continue;
      const double x = mover.x + mover.vx * (seconds - mover.begin), y = mover.y + mover.vy * (seconds - mover.begin);
      if (x < 0 || x > 639 || y < 0 || y > 359) continue;
      SignatureFeature feature = mover.feature;
      feature.x = static_cast<std::uint16_t>(std::lround(64 * x));
      feature.y = static_cast<std::uint16_t>(std::lround(64 * y));
      frame.features.push_back(feature);
    }
    return frame;
  }

 private:
  struct Mover {
    double begin = 0, end = 0, x = 0, y = 0, vx = 0, vy = 0;
    SignatureFeature feature;
  };
  std::vector<Mover> movers_;
};

/// What a copy does to a frame.
struct MadeCopy {
  double scale = 1;
  double stretch = 1;  ///< of the width, before the turn
  int turn = 0;        ///< [2π/256]
  double tx = 0, ty = 0;
  double flipped = 0.08;  ///< share of the bits of a code
  double kept = 0.7;      ///< share of the features
  int unrelated = 60;     ///< features that are added
};

inline FrameSignature copied(const FrameSignature& frame, const MadeCopy& copy, unsigned seed) {
  std::mt19937_64 random(seed);
  const auto chance = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  FrameSignature result = frame;
  result.features.clear();
  const double angle = copy.turn * 3.14159265358979 / 128;
  for (SignatureFeature feature : frame.features) {
    if (chance() > copy.kept) continue;
    const double x = copy.stretch * feature.x / 64.0, y = feature.y / 64.0;
    const double to_x = copy.scale * (std::cos(angle) * x - std::sin(angle) * y) + copy.tx + 2 * chance() - 1;
    const double to_y = copy.scale * (std::sin(angle) * x + std::cos(angle) * y) + copy.ty + 2 * chance() - 1;
    if (to_x < 0 || to_x > 639 || to_y < 0 || to_y > 359) continue;
    feature.x = static_cast<std::uint16_t>(std::lround(64 * to_x));
    feature.y = static_cast<std::uint16_t>(std::lround(64 * to_y));
    feature.scale = static_cast<std::uint8_t>(std::clamp<long>(
        std::lround(feature.scale + 16 * std::log2(copy.scale * std::sqrt(copy.stretch)) + 4 * chance() - 2), 0, 255));
    feature.orientation = static_cast<std::uint8_t>(feature.orientation + copy.turn + std::lround(8 * chance() - 4));
    for (int bit = 0; bit < feature_code_bits; ++bit) {
      if (chance() < copy.flipped) feature.code[bit / 64] ^= std::uint64_t{1} << (bit % 64);
    }
    result.features.push_back(feature);
  }
  for (int n = 0; n < copy.unrelated; ++n) {
    SignatureFeature feature;
    feature.x = static_cast<std::uint16_t>(64 * 639 * chance());
    feature.y = static_cast<std::uint16_t>(64 * 359 * chance());
    feature.scale = static_cast<std::uint8_t>(32 + 32 * chance());
    feature.orientation = static_cast<std::uint8_t>(256 * chance());
    feature.code = {random(), random()};
    feature.word = static_cast<std::uint16_t>(feature.code[1]);
    result.features.push_back(feature);
  }
  return result;
}

/// A part of a clip that shows a scene.
struct MadePart {
  const MadeScene* scene = nullptr;
  double seconds = 0;   ///< the length in the clip
  double scene_in = 0;  ///< [second] of the scene where the part begins
  double speed = 1;     ///< seconds of the scene for a second of the clip
  MadeCopy copy{};
};

/// The signature of these parts, one after the other.
inline ClipSignature made_clip(const std::vector<MadePart>& parts, double fps, unsigned seed) {
  ClipSignature clip;
  for (const MadePart& part : parts) clip.seconds += part.seconds;
  const auto count = static_cast<int>(std::lround(clip.seconds * fps));
  for (int n = 0; n < count; ++n) {
    const double seconds = n / fps;
    double begin = 0;
    const MadePart* now = &parts.front();
    for (const MadePart& part : parts) {
      now = &part;
      if (seconds < begin + part.seconds - 1e-9) break;
      begin += part.seconds;
    }
    FrameSignature frame = now->scene->frame(now->scene_in + now->speed * (seconds - begin));
    frame = copied(frame, now->copy, seed * 100003U + static_cast<unsigned>(n));
    frame.index = n;
    frame.seconds = seconds;
    frame.until = std::min((n + 1) / fps, clip.seconds);
    clip.frames.push_back(std::move(frame));
  }
  return clip;
}

/// What an archive holds: two frames a second, little changed.
inline ClipSignature made_original(const std::vector<MadePart>& parts, unsigned seed) {
  std::vector<MadePart> little = parts;
  for (MadePart& part : little) part.copy = {.flipped = 0.02, .kept = 0.95, .unrelated = 0};
  return made_clip(little, 2, seed);
}

}  // namespace octavo
