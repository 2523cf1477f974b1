// The bytes of every stage become one number (FNV-1a, 64 bits), which is compared with the recorded one. Users run it
// on their own hardware.

#include "octavo/selftest.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "engine/core/digest.h"
#include "engine/device/registry.h"
#include "engine/foagdd/foagdd.h"
#include "engine/selftest/images.h"
#include "engine/selftest/recorded.h"
#include "engine/sift/engine.h"
#include "engine/sift/keypoint.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/foagdd.h"
#include "octavo/image.h"
#include "octavo/matcher.h"
#include "octavo/retrieval.h"
#include "octavo/sift_options.h"

namespace octavo {

namespace {

void add_keypoints(Digest& digest, const Features& features) {
  for (const Keypoint& k : features.keypoints) {
    for (float f : {k.x, k.y, k.scale, k.orientation, k.response}) digest.add(f);
    digest.add(k.octave);
    digest.add(k.layer);
  }
  digest.add(features.descriptors.data(), features.descriptors.size());
}

class Run {
 public:
  explicit Run(const DeviceOptions& device) : device_(device) {}

  // The stages one by one. The input of each is the result of the one before on the same device.
  void stages(const std::string& name, const Image& image, const SiftOptions& options) {
    const std::unique_ptr<SiftEngine> engine = make_engine(options, device_);
    const std::vector<std::vector<Extremum>> octaves = engine->detect(image.view());
    Digest pixels, extrema, turns, descriptors;
    std::vector<Oriented> points;
    for (std::size_t o = 0; o < octaves.size(); ++o) {
      for (int layer = 1; layer <= options.layers; ++layer) {
        const Plane& level = engine->level(static_cast<int>(o), layer);
        for (int y = 0; y < level.height(); ++y)
          pixels.add(level.row(y), sizeof(float) * static_cast<std::size_t>(level.width()));
      }
      for (const Extremum& e : octaves[o]) {
        for (std::int32_t i : {e.layer, e.row, e.column}) extrema.add(i);
        for (float f : {e.layer_offset, e.row_offset, e.column_offset, e.value}) extrema.add(f);
        points.push_back({static_cast<int>(o), e, scale_of(e, scale_space_of(options)), 0});
      }
    }
    const std::vector<Orientations> orientations = engine->orient(points);
    std::vector<Oriented> oriented;
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (int k = 0; k < orientations[i].count; ++k) {
        oriented.push_back(points[i]);
        oriented.back().turns = orientations[i].turns[static_cast<std::size_t>(k)];
        turns.add(oriented.back().turns);
      }
    }
    std::vector<std::uint8_t> bytes(oriented.size() * descriptor_length);
    engine->describe(oriented, bytes.data());
    descriptors.add(bytes.data(), bytes.size());
    report(name, "scale space", pixels);
    report(name, "extrema", extrema);
    report(name, "orientation", turns);
    report(name, "descriptor", descriptors);
  }

  Features features(const std::string& name, const Image& image, const SiftOptions& options) {
    return features_of(Extractor(options, device_), name, image);
  }

  void corners(const std::string& name, const Image& image, const FoagddOptions& options) {
    Digest digest;
    for (const FoagddPoint& p : make_foagdd_engine(options, device_)->detect(image.view())) {
      digest.add(p.row);
      digest.add(p.column);
      digest.add(p.key);
    }
    report(name, "corners", digest);
    features_of(Foagdd(options, device_), name, image);
  }

  void matches(const std::string& name, const Features& a, const Features& b, const MatchOptions& options = {}) {
    Digest digest;
    for (const Match& m : Matcher(options, device_).match(a, b)) {
      digest.add(m.a);
      digest.add(m.b);
      digest.add(m.distance2);
    }
    report(name, "matches", digest);
  }

  void words(const std::string& name, const Features& features) {
    const QuantisedFeatures found = FeatureQuantiser(8, device_).quantise(features.descriptors);
    Digest words, codes, vlad;
    words.add(std::as_bytes(std::span(found.words)));
    codes.add(std::as_bytes(std::span(found.codes)));
    const std::vector<std::int16_t> numbers = VladEncoder(general_vocabulary(), device_).encode(features.descriptors);
    vlad.add(std::as_bytes(std::span(numbers)));
    report(name, "words", words);
    report(name, "codes", codes);
    report(name, "vlad", vlad);
  }

  std::vector<SelftestResult> results;

 private:
  Features features_of(Extractor extractor, const std::string& name, const Image& image) {
    Features found = extractor.extract(image.view());
    Digest digest;
    add_keypoints(digest, found);
    report(name, "features", digest);
    const auto& keypoints = found.keypoints;
    if (std::any_of(keypoints.begin(), keypoints.end(), has_ellipse)) {
      Digest ellipses;
      for (const Keypoint& k : keypoints) {
        for (float f : {k.a11, k.a12, k.a21, k.a22}) ellipses.add(f);
      }
      report(name, "ellipses", ellipses);
    }
    return found;
  }

  void report(const std::string& name, const std::string& stage, const Digest& digest) {
    SelftestResult r{name, stage, digest.text(), "", false};
    for (const Recorded& known : recorded) {
      if (name == known.image && stage == known.stage) r.expected = known.digest;
    }
    r.ok = r.digest == r.expected;
    results.push_back(std::move(r));
  }

  DeviceOptions device_;
};

// Lowe's values with OpenCV's contrast threshold, which most systems use.
SiftOptions lowes_options() {
  SiftOptions options = preset("lowe2004");
  options.contrast_threshold = 0.04;
  return options;
}

}  // namespace

std::vector<SelftestResult> selftest(const DeviceOptions& device) {
  if (resolve_devices(device).size() > 1) {
    throw Error(ErrorCode::invalid_option, "the self-test takes one device at a time, not \"" + device.name + "\"");
  }
  Run run(device);
  const Image blobs = images::blobs(397, 251, PixelType::u8, 3);
  // For the trilateral filter, since the devices without fused multiply-add are slow.
  const Image small = images::blobs(83, 61, PixelType::u8, 3);
  const Image deep = images::blobs(203, 150, PixelType::u16, 1, 5);
  const Image noise = images::noise(160, 120);
  const Image board = images::checkerboard(131, 97, 9);
  const SiftOptions usual = lowes_options();
  run.stages("blobs, usual", blobs, usual);
  run.stages("noise, usual", noise, usual);
  run.stages("blobs, octavo", blobs, preset("octavo"));
  SiftOptions changed = usual;
  changed.first_octave = 0;
  run.stages("checkerboard, not doubled", board, changed);
  const Features a = run.features("blobs, usual", blobs, usual);
  changed = usual;
  changed.layers = 5;
  const Features b = run.features("blobs in 16 bits, 5 layers", deep, changed);
  changed = usual;
  changed.upright = true;
  changed.max_features = 200;
  changed.grid = 3;
  run.features("noise, upright, 200 best in a grid", noise, changed);
  for (const std::string& name : preset_names()) {
    const SiftOptions options = preset(name);
    if (!finds_keypoints(options)) continue;
    const bool slow = options.smoothing == Smoothing::trilateral;
    run.features((slow ? "83x61 blobs, " : "blobs, ") + name, slow ? small : blobs, options);
  }
  changed = preset("octavo");
  changed.max_features = 100;
  run.features("blobs, octavo, 100 best", blobs, changed);
  changed = usual;
  changed.affine = true;
  changed.pool = 3;
  changed.pool_from = 0.5;
  changed.pool_to = 2;
  run.features("blobs, ellipses, pooled", blobs, changed);
  changed = usual;
  changed.smoothing = Smoothing::trilateral;
  changed.edge_threshold = 0;
  run.features("83x61 blobs, trilateral", small, changed);
  changed = usual;
  changed.border = Border::repeated;
  run.features("blobs, repeated edges", blobs, changed);
  run.matches("blobs and blobs in 16 bits", a, b);
  run.matches("blobs and 16 bits, distinct", a, b, {.ratio = 0.9, .distinct_radius = 20});
  run.words("blobs, usual", a);
  run.corners("noise, foagdd", noise, {});
  run.corners("checkerboard, foagdd", board, {.verify_scales = 2});
  run.corners("blobs, foagdd, described", blobs, {.corner_threshold = 2, .describe = true});
  run.corners("16 bits, foagdd, K 6, 5 px", deep, {.directions = 6, .window = 5, .corner_threshold = 0});
  run.corners("16 bits, foagdd, rounded", deep, {.corner_threshold = 0, .round_grey = true});
  return std::move(run.results);
}

}  // namespace octavo
