// An inspection shows the extraction: its keypoints are the kept candidates, and a search of the shown planes,
// implemented independently here, finds the same candidates.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "engine/inspect/inspector.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/image.h"
#include "octavo/inspect.h"

namespace octavo {
namespace {

/// Blobs, a bar whose sides are edges, and a little noise.
Image scene(int width, int height) {
  std::mt19937 random(5);
  const auto number = [&](double range) { return range * static_cast<double>(random()) / 4294967296; };
  std::vector<double> sum(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 110);
  for (int i = 0; i < width * height / 150; ++i) {
    const double x0 = number(width), y0 = number(height), sigma = 1 + number(5), top = number(160) - 80;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const double r2 = (x - x0) * (x - x0) + (y - y0) * (y - y0);
        sum[static_cast<std::size_t>(y * width + x)] += top * std::exp(-r2 / (2 * sigma * sigma));
      }
    }
  }
  Image image(width, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool bar = x + y / 5 > width / 2 && x + y / 5 < width / 2 + 9;
      const double value = sum[static_cast<std::size_t>(y * width + x)] + (bar ? 90 : 0) + number(6);
      image.row(y)[x] = static_cast<std::byte>(std::clamp(value, 0.0, 255.0));
    }
  }
  return image;
}

// The image in colours of which each has its own share of the greys.
Image coloured(const Image& grey) {
  Image image(grey.width(), grey.height(), 3, PixelType::u8);
  for (int y = 0; y < grey.height(); ++y) {
    for (int x = 0; x < 3 * grey.width(); ++x) {
      image.row(y)[x] = static_cast<std::byte>(static_cast<int>(grey.row(y)[x / 3]) * (7 + x % 3) / 9);
    }
  }
  return image;
}

void show_nothing(const StagePlane&, const Inspection&) {}

// Octave, layer, place, scale and contrast.
using Point = std::tuple<int, int, float, float, float, float>;

std::multiset<Point> points_of_features(const Features& features) {
  std::set<Point> points;  // several keypoints of a point count once
  for (const Keypoint& k : features.keypoints) points.emplace(k.octave, k.layer, k.x, k.y, k.scale, k.response);
  return {points.begin(), points.end()};
}

std::int64_t of(const InspectedOctave& octave, CandidateVerdict verdict) {
  return octave.verdicts[static_cast<std::size_t>(verdict)];
}

class InspectWith : public testing::TestWithParam<SiftOptions> {};

TEST_P(InspectWith, KeptCandidatesAreTheExtractorsPoints) {
  const SiftOptions options = GetParam();
  const Image image = options.grey == GreyOn::host ? coloured(scene(190, 150)) : scene(190, 150);
  Image mask(190, 150, 1, PixelType::u8);
  for (int y = 0; y < 150; ++y) std::memset(mask.row(y), y < 60 ? 0 : 1, 190);
  for (const ImageView* given : {static_cast<const ImageView*>(nullptr), &mask.view()}) {
    const Inspection inspection = inspect(image.view(), given, options, {}, show_nothing);
    const Features expected = Extractor(options).extract(image.view(), given);
    EXPECT_EQ(inspection.features, expected);
    ASSERT_GT(expected.size(), 10u);

    std::multiset<Point> kept;
    std::int64_t keypoints = 0;
    for (const Candidate& c : inspection.candidates) {
      ASSERT_EQ(c.verdict == CandidateVerdict::kept, c.keypoints > 0);
      keypoints += c.keypoints;
      // A kept candidate that refinement moved to another layer has the scale of that layer, so the scale identifies
      // the layer.
      if (c.verdict == CandidateVerdict::kept) {
        const double octave_sigma = options.sigma * std::exp2(c.octave);
        const int layer = static_cast<int>(std::lround(options.layers * std::log2(c.scale / octave_sigma)));
        kept.emplace(c.octave, layer, c.x, c.y, c.scale, std::abs(c.value));
      }
    }
    EXPECT_EQ(kept, points_of_features(expected));
    EXPECT_EQ(static_cast<std::size_t>(keypoints), expected.size());
  }
}

TEST_P(InspectWith, EveryCandidateHasTheVerdictThatItsNumbersAskFor) {
  const SiftOptions options = GetParam();
  const Image image = scene(190, 150);
  const Inspection inspection = inspect(image.view(), nullptr, options, {}, show_nothing);
  std::map<int, std::array<std::int64_t, verdict_count>> counted;
  for (const Candidate& c : inspection.candidates) {
    ++counted[c.octave][static_cast<std::size_t>(c.verdict)];
    const bool contrast = std::abs(c.value) * static_cast<float>(options.layers) >=
                          static_cast<float>(options.contrast_threshold) * inspection.contrast;
    const double edge = c.curvature_ratio, limit = options.edge_threshold;
    switch (c.verdict) {
      case CandidateVerdict::unstable:
        EXPECT_EQ(edge, 0);
        break;
      case CandidateVerdict::low_contrast:
        EXPECT_FALSE(contrast);
        break;
      case CandidateVerdict::on_edge:
        EXPECT_TRUE(contrast);
        EXPECT_GT(edge, limit * 0.999);
        break;
      default:
        EXPECT_TRUE(contrast);
        EXPECT_GE(edge, 1);
        if (limit > 0) {
          EXPECT_LT(edge, limit * 1.001);
        }
    }
    EXPECT_NE(c.verdict, CandidateVerdict::outside_mask);
    if (options.max_features == 0) {
      EXPECT_NE(c.verdict, CandidateVerdict::over_budget);
    }
  }
  std::size_t total = 0;
  for (const InspectedOctave& octave : inspection.octaves) {
    EXPECT_EQ(octave.verdicts, counted[octave.octave]) << octave.octave;
    total += static_cast<std::size_t>(std::accumulate(octave.verdicts.begin(), octave.verdicts.end(), std::int64_t{0}));
  }
  EXPECT_EQ(total, inspection.candidates.size());
}

INSTANTIATE_TEST_SUITE_P(Options, InspectWith,
                         testing::Values(SiftOptions{}, preset("ece277"), preset("colmap"),
                                         SiftOptions{.first_octave = 0, .layers = 5},
                                         SiftOptions{.layers = 1, .contrast_threshold = 0},
                                         SiftOptions{.edge_threshold = 0, .max_orientations = 1},
                                         SiftOptions{.upright = true, .max_features = 40, .grid = 3},
                                         SiftOptions{.max_features = 30, .rank = Rank::scale},
                                         SiftOptions{.edge_threshold = 0, .smoothing = Smoothing::trilateral},
                                         SiftOptions{.grey = GreyOn::host}));

TEST(Inspect, SearchOfTheShownPlanesFindsTheSameCandidates) {
  const SiftOptions options{.contrast_threshold = 0.03};
  const Image image = scene(130, 110);
  std::map<std::tuple<std::string, int, int>, std::vector<float>> planes;
  const auto keep = [&](const StagePlane& plane, const Inspection& so_far) {
    EXPECT_FALSE(so_far.features.keypoints.empty());
    std::vector<float>& pixels = planes[{plane.stage, plane.octave, plane.level}];
    for (int y = 0; y < plane.pixels.height; ++y) {
      const auto* row = reinterpret_cast<const float*>(plane.pixels.row(y));
      pixels.insert(pixels.end(), row, row + plane.pixels.width);
    }
  };
  const Inspection inspection = inspect(image.view(), nullptr, options, {}, keep);

  std::vector<std::tuple<int, int, int, int>> expected, found;
  for (const Candidate& c : inspection.candidates) found.emplace_back(c.octave, c.layer, c.row, c.column);
  const auto candidate = static_cast<float>(0.5 * options.contrast_threshold / options.layers);
  for (const InspectedOctave& octave : inspection.octaves) {
    std::vector<std::int64_t> faint;
    for (int layer = 1; layer <= options.layers; ++layer) {
      faint.push_back(0);
      const auto value = [&](int level, int y, int x) {
        return planes.at({"difference", octave.octave, level})[static_cast<std::size_t>(y * octave.width + x)];
      };
      for (int y = 5; y < octave.height - 5; ++y) {
        for (int x = 5; x < octave.width - 5; ++x) {
          const float here = value(layer, y, x);
          int higher = 0, lower = 0;
          for (int i = 0; i < 27; ++i) {
            if (i == 13) continue;
            const float other = value(layer + i / 9 - 1, y + i / 3 % 3 - 1, x + i % 3 - 1);
            higher += here > other ? 1 : 0;
            lower += here < other ? 1 : 0;
          }
          if (!(here > 0 ? higher == 26 : lower == 26)) continue;
          if (std::abs(here) > candidate) {
            expected.emplace_back(octave.octave, layer, y, x);
          } else {
            ++faint.back();
          }
        }
      }
    }
    EXPECT_EQ(octave.faint, faint) << octave.octave;
  }
  ASSERT_GT(expected.size(), 50u);
  EXPECT_EQ(found, expected);
}

TEST(Inspect, DifferencesAreOfNeighboursAndRangesHoldThem) {
  const Image image = scene(100, 90);
  std::map<std::pair<int, int>, std::vector<float>> blurs;
  int differences = 0;
  const auto check = [&](const StagePlane& plane, const Inspection&) {
    if (plane.stage == "image") return;
    std::size_t beyond = 0, all = 0;
    std::vector<float>& kept = blurs[{plane.octave, plane.level}];
    for (int y = 0; y < plane.pixels.height; ++y) {
      for (int x = 0; x < plane.pixels.width; ++x, ++all) {
        const float value = reinterpret_cast<const float*>(plane.pixels.row(y))[x];
        beyond += value < plane.black || value > plane.white ? 1 : 0;
        if (plane.stage == "blur") {
          kept.push_back(value);
        } else {
          ASSERT_EQ(value, (blurs[{plane.octave, plane.level + 1}][all] - kept[all]));
        }
      }
    }
    if (plane.stage == "blur") {
      EXPECT_EQ(beyond, 0u) << plane.name();
    } else {
      ++differences;
      EXPECT_TRUE(plane.is_signed);
      EXPECT_EQ(plane.black, -plane.white);
      EXPECT_LT(beyond, all / 20) << plane.name();
    }
  };
  inspect(image.view(), nullptr, {}, {}, check);
  EXPECT_GT(differences, 5);
}

TEST(Inspect, Ece277HasTwentyBlursAndSixteenDifferences) {
  const Image image = scene(120, 100);
  std::vector<std::string> names;
  const auto note = [&](const StagePlane& plane, const Inspection&) { names.push_back(plane.name()); };
  const Inspection inspection = inspect(image.view(), nullptr, preset("ece277"), {}, note);
  std::vector<std::string> expected;
  for (int octave = -1; octave <= 2; ++octave) {
    const std::string start = "octave" + std::to_string(octave) + "_";
    if (octave == -1) expected.push_back(start + "image");
    for (int i = 0; i < 5; ++i) expected.push_back(start + "blur" + std::to_string(i));
    for (int i = 0; i < 4; ++i) expected.push_back(start + "difference" + std::to_string(i));
  }
  EXPECT_EQ(names, expected);
  ASSERT_EQ(inspection.octaves.size(), 4u);
  EXPECT_EQ(inspection.octaves[0].width, 240);
  EXPECT_EQ(inspection.octaves[3].width, 30);
}

// Doubled by linear interpolation, and 0 and 255 are black and white.
TEST(Inspect, TheImageIsShownAsTheFirstBlurTakesIt) {
  Image image(40, 30, 1, PixelType::u8);
  for (int y = 0; y < 30; ++y) std::memset(image.row(y), y == 0 ? 255 : 0, 40);
  int shown = 0;
  const auto check = [&](const StagePlane& plane, const Inspection&) {
    if (plane.stage != "image") return;
    ++shown;
    EXPECT_EQ(plane.name(), "octave-1_image");
    EXPECT_EQ(plane.pixels.width, 80);
    EXPECT_EQ(plane.pixels.height, 60);
    EXPECT_EQ(plane.black, 0);
    EXPECT_EQ(plane.white, 1);
    const auto at = [&](int y) { return reinterpret_cast<const float*>(plane.pixels.row(y))[33]; };
    EXPECT_EQ(at(0), 1);
    EXPECT_EQ(at(1), 0.5f);
    EXPECT_EQ(at(2), 0);
  };
  inspect(image.view(), nullptr, preset("ece277"), {}, check);
  EXPECT_EQ(shown, 1);
  inspect(image.view(), nullptr, preset("tsp2023"), {}, check);  // its first blur is the image
  EXPECT_EQ(shown, 1);
}

// Image i of an octave is image i − 1 after kernel i, along rows and columns.
TEST(Inspect, KernelsMakeTheBlurs) {
  const Image image = scene(60, 50);
  std::vector<std::vector<float>> blurs;  // of 60×50 pixels
  const auto keep = [&](const StagePlane& plane, const Inspection&) {
    if (plane.stage != "blur" || plane.octave != 0) return;
    std::vector<float>& blur = blurs.emplace_back();
    for (int y = 0; y < 50; ++y) {
      const auto* const row = reinterpret_cast<const float*>(plane.pixels.row(y));
      blur.insert(blur.end(), row, row + 60);
    }
  };
  const Inspection inspection = inspect(image.view(), nullptr, preset("ece277"), {}, keep);
  ASSERT_EQ(inspection.kernels.size(), blurs.size());
  for (std::size_t i = 1; i < blurs.size(); ++i) {
    const BlurKernel& kernel = inspection.kernels[i];
    EXPECT_EQ(kernel.level, static_cast<int>(i));
    const int radius = static_cast<int>(kernel.weights.size()) - 1;
    double sum = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
      for (int dx = -radius; dx <= radius; ++dx) {
        sum += static_cast<double>(kernel.weights[static_cast<std::size_t>(std::abs(dy))]) *
               kernel.weights[static_cast<std::size_t>(std::abs(dx))] *
               blurs[i - 1][static_cast<std::size_t>((25 + dy) * 60 + 30 + dx)];
      }
    }
    EXPECT_NEAR(sum, blurs[i][25 * 60 + 30], 1e-6) << i;
  }
  EXPECT_EQ(inspection.kernels[0].level, 0);
  EXPECT_NEAR(inspection.kernels[0].sigma, 1, 1e-7);

  SiftOptions trilateral;
  trilateral.smoothing = Smoothing::trilateral;
  trilateral.max_octaves = 1;
  EXPECT_EQ(inspect(image.view(), nullptr, trilateral, {}, show_nothing).kernels.size(), 1u);
}

TEST(Inspect, StepsOfTheTrilateralFilterComeBeforeTheBlursThatTheyMake) {
  const Image image = scene(60, 50);
  SiftOptions options{.first_octave = 0,
                      .max_octaves = 1,
                      .layers = 3,
                      .sigma = 1.6,
                      .assumed_blur = 0.5,
                      .edge_threshold = 0,
                      .smoothing = Smoothing::trilateral};
  std::vector<std::string> names;
  const auto note = [&](const StagePlane& plane, const Inspection& so_far) {
    names.push_back(plane.name().substr(std::string("octave0_").size()));
    EXPECT_EQ(so_far.contrast == 1.0f, plane.stage == "image");  // known from the first blur on
    EXPECT_EQ(so_far.octaves.size(), 1u);
  };
  std::vector<std::string> ends;
  for (int i = 0; i < 6; ++i) ends.push_back("blur" + std::to_string(i));
  for (int i = 0; i < 5; ++i) ends.push_back("difference" + std::to_string(i));
  inspect(image.view(), nullptr, options, {}, note);
  std::vector<std::string> expected{
      "image",   "gradient0",          "region0", "detail1", "detail2", "detail3", "smoothed_gradient4",
      "detail4", "smoothed_gradient5", "detail5"};
  expected.insert(expected.end(), ends.begin(), ends.end());
  EXPECT_EQ(names, expected);

  options.trilateral_schedule = SmoothingSchedule::incremental;
  names.clear();
  inspect(image.view(), nullptr, options, {}, note);
  expected = {"image",   "gradient0", "region0",   "detail1", "gradient1", "region1",   "detail2", "gradient2",
              "region2", "detail3",   "gradient3", "region3", "detail4",   "gradient4", "region4", "smoothed_gradient5",
              "detail5"};
  expected.insert(expected.end(), ends.begin(), ends.end());
  EXPECT_EQ(names, expected);
}

TEST(Inspect, SaysWhatMaskAndBudgetDropped) {
  const Image image = scene(190, 150);
  const Inspection all = inspect(image.view(), nullptr, {}, {}, show_nothing);
  Image mask(190, 150, 1, PixelType::u8);
  for (int y = 0; y < 150; ++y) std::memset(mask.row(y), y < 75 ? 0 : 255, 190);
  const Inspection masked = inspect(image.view(), &mask.view(), {}, {}, show_nothing);
  const Inspection few = inspect(image.view(), nullptr, SiftOptions{.max_features = 25}, {}, show_nothing);
  ASSERT_EQ(masked.candidates.size(), all.candidates.size());
  ASSERT_EQ(few.candidates.size(), all.candidates.size());
  std::int64_t outside = 0, over = 0;
  for (std::size_t i = 0; i < all.candidates.size(); ++i) {
    const Candidate &a = all.candidates[i], &m = masked.candidates[i], &f = few.candidates[i];
    const bool was_kept = a.verdict == CandidateVerdict::kept, is_outside = a.y < 74.5f;
    EXPECT_EQ(m.verdict, was_kept && is_outside ? CandidateVerdict::outside_mask : a.verdict);
    EXPECT_TRUE(f.verdict == a.verdict || (was_kept && f.verdict == CandidateVerdict::over_budget));
  }
  for (const InspectedOctave& o : masked.octaves) outside += of(o, CandidateVerdict::outside_mask);
  for (const InspectedOctave& o : few.octaves) over += of(o, CandidateVerdict::over_budget);
  EXPECT_GT(outside, 10);
  EXPECT_GT(over, 10);
}

class InspectSmoothedBy : public testing::TestWithParam<Smoothing> {};
INSTANTIATE_TEST_SUITE_P(Smoothings, InspectSmoothedBy, testing::Values(Smoothing::gaussian, Smoothing::trilateral));

TEST_P(InspectSmoothedBy, ThreadsAndInstructionSetsChangeNothing) {
  const Image image = scene(100, 90);
  const SiftOptions options{.first_octave = 0, .smoothing = GetParam()};
  const auto digest = [&](const DeviceOptions& device) {
    std::vector<std::tuple<int, int, int, int, float, float, CandidateVerdict>> all;
    std::size_t sum = 0;
    const auto add = [&](const StagePlane& plane, const Inspection&) {
      for (int y = 0; y < plane.pixels.height; ++y) {
        const std::string_view row(reinterpret_cast<const char*>(plane.pixels.row(y)),
                                   static_cast<std::size_t>(plane.pixels.width) * sizeof(float));
        sum = sum * 31 + std::hash<std::string_view>()(row);
      }
    };
    for (const Candidate& c : inspect(image.view(), nullptr, options, device, add).candidates) {
      all.emplace_back(c.octave, c.layer, c.row, c.column, c.value, c.curvature_ratio, c.verdict);
    }
    return std::pair(sum, all);
  };
  const auto expected = digest({.name = "reference", .threads = 1});
  const std::vector<Device> devices = list_devices();
  const auto cpu = std::find_if(devices.begin(), devices.end(), [](const Device& d) { return d.name == "cpu"; });
  ASSERT_NE(cpu, devices.end());
  ASSERT_FALSE(cpu->isas.empty());
  for (const std::string& isa : cpu->isas) EXPECT_EQ(digest({.name = "cpu", .isa = isa}), expected) << isa;
  EXPECT_EQ(digest({.name = "cpu", .threads = 3}), expected);
}

TEST_P(InspectSmoothedBy, FlatAndTinyImagesHaveNothingToShow) {
  const SiftOptions options{.layers = 3, .sigma = 1.6, .assumed_blur = 0.5, .smoothing = GetParam()};
  Image flat(40, 30, 3, PixelType::u8);
  for (int y = 0; y < 30; ++y) std::memset(flat.row(y), 90, 120);
  int planes = 0;
  const auto count = [&](const StagePlane& plane, const Inspection&) {
    ++planes;
    if (plane.stage != "blur") return;
    EXPECT_EQ(plane.black, 0.0f);  // not all black: it shows its grey
    EXPECT_EQ(plane.white, 1.0f);
    const Image image = image_of(plane.pixels, plane);
    EXPECT_EQ(static_cast<int>(image.row(3)[2]), 90);
  };
  const Inspection inspection = inspect(flat.view(), nullptr, options, {}, count);
  EXPECT_TRUE(inspection.candidates.empty());
  // A gradient, a region, two smoothed gradients and five details are steps of the trilateral filter.
  const int planes_of_octave = GetParam() == Smoothing::gaussian ? 11 : 20;
  EXPECT_EQ(planes, 1 + planes_of_octave * static_cast<int>(inspection.octaves.size()));

  Image dot(2, 2, 1, PixelType::u8);
  std::memset(dot.row(0), 0, 4);
  EXPECT_TRUE(inspect(dot.view(), nullptr, options, {}, show_nothing).octaves.empty());
}

TEST(Inspect, RefusesWhatTheExtractorRefuses) {
  const Image image = scene(40, 40), mask(39, 40, 1, PixelType::u8);
  EXPECT_THROW(inspect({}, nullptr, {}, {}, show_nothing), Error);
  EXPECT_THROW(inspect(image.view(), &mask.view(), {}, {}, show_nothing), Error);
  EXPECT_THROW(inspect(image.view(), nullptr, SiftOptions{.layers = 9}, {}, show_nothing), Error);
  EXPECT_THROW(inspect(image.view(), nullptr, {}, {.isa = "none"}, show_nothing), Error);
}

TEST(Inspect, ADetectorThatSaysNoMoreShowsItsKeypoints) {
  const Image image = scene(120, 90);
  const DeviceOptions device{.name = "cpu", .threads = 1};
  for (const DetectorOptions& options : {DetectorOptions(SiftOptions{}), DetectorOptions(FoagddOptions{})}) {
    const inspection::Inspector inspector(options);
    const Inspection shown = inspector.inspect(image.view(), nullptr, device, show_nothing);
    EXPECT_EQ(shown.features, make_extractor(options, device).extract(image.view()));
    ASSERT_FALSE(shown.candidates.empty());
    EXPECT_EQ(inspector.verdicts(), std::vector{CandidateVerdict::kept});
    std::int64_t candidates = 0, keypoints = 0;
    for (const InspectedOctave& octave : shown.octaves) {
      candidates += of(octave, CandidateVerdict::kept);
      keypoints += octave.keypoints;
      if (octave.octave == -1) {
        EXPECT_EQ(octave.width, 240);
      }
      if (octave.octave == 1) {
        EXPECT_EQ(octave.height, 45);
      }
    }
    EXPECT_EQ(candidates, std::ssize(shown.candidates));
    EXPECT_EQ(keypoints, std::ssize(shown.features.keypoints));
    const auto place = [](const Candidate& c) { return std::tuple(c.octave, c.layer, c.row, c.column); };
    EXPECT_TRUE(std::is_sorted(shown.candidates.begin(), shown.candidates.end(),
                               [&](const Candidate& a, const Candidate& b) { return place(a) < place(b); }));
    EXPECT_EQ(inspector.scale_space(), nullptr);
    EXPECT_GT(inspector.memory_of_planes(image.view(), device).usual.host, 0u);
  }
  const Image small(8, 8, 1, PixelType::u8);  // it has no room for corners
  const Inspection none = inspection::Inspector(FoagddOptions{}).inspect(small.view(), nullptr, device, show_nothing);
  ASSERT_EQ(none.octaves.size(), 1u);
  EXPECT_EQ(none.octaves[0].width, 8);
}

}  // namespace
}  // namespace octavo
