// An inspection of FOAGDD shows the extraction: the planes give the corners, scale by scale, when the definition is
// applied to them here once more.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "octavo/error.h"
#include "octavo/foagdd.h"
#include "octavo/image.h"
#include "octavo/inspect.h"

namespace octavo {
namespace {

constexpr int scene_width = 150, scene_height = 110;

/// Rectangles of different contrasts, and a little noise.
Image scene() {
  std::mt19937 random(7);
  std::vector<double> grey(scene_width * scene_height, 100);
  for (int i = 0; i < 60; ++i) {
    const int x0 = static_cast<int>(random() % scene_width), y0 = static_cast<int>(random() % scene_height);
    const int w = 5 + static_cast<int>(random() % 30), h = 5 + static_cast<int>(random() % 30);
    const double step = static_cast<double>(random() % 120) - 60;
    for (int y = y0; y < std::min(y0 + h, scene_height); ++y) {
      for (int x = x0; x < std::min(x0 + w, scene_width); ++x)
        grey[static_cast<std::size_t>(y * scene_width + x)] += step;
    }
  }
  Image image(scene_width, scene_height, 1, PixelType::u8);
  for (int y = 0; y < scene_height; ++y) {
    for (int x = 0; x < scene_width; ++x) {
      const double noise = static_cast<double>(random() % 5);
      image.row(y)[x] =
          static_cast<std::byte>(std::clamp(grey[static_cast<std::size_t>(y * scene_width + x)] + noise, 0.0, 255.0));
    }
  }
  return image;
}

void show_no_plane(const StagePlane&, const Inspection&) {}

using Pixels = std::vector<float>;

std::map<std::string, Pixels> planes_of(const Image& image, const FoagddOptions& options, Inspection& inspection) {
  std::map<std::string, Pixels> planes;
  inspection = inspect(image.view(), nullptr, options, {}, [&](const StagePlane& plane, const Inspection&) {
    Pixels& pixels = planes[plane.name()];
    for (int y = 0; y < plane.pixels.height; ++y) {
      const auto* const row = reinterpret_cast<const float*>(plane.pixels.row(y));
      pixels.insert(pixels.end(), row, row + plane.pixels.width);
    }
  });
  return planes;
}

class InspectFoagddWith : public testing::TestWithParam<FoagddOptions> {};

TEST_P(InspectFoagddWith, TheShownMeasuresGiveTheCountsAndTheCorners) {
  const FoagddOptions options = GetParam();
  const Image image = scene();
  Inspection inspection;
  std::map<std::string, Pixels> planes = planes_of(image, options, inspection);
  ASSERT_EQ(planes.size(), static_cast<std::size_t>(options.verify_scales * (options.directions + 1)));

  const auto response = [&](int scale, int y, int x) {
    return planes.at("scale" + std::to_string(scale) + "_measure")[static_cast<std::size_t>(y * scene_width + x)];
  };
  const auto threshold = static_cast<float>(options.corner_threshold);
  std::vector<InspectedScale> expected;
  for (int scale = 1; scale <= options.verify_scales; ++scale)
    expected.push_back({.scale = scale, .sigma = 1.5 * scale});
  std::set<std::pair<float, float>> corners;
  for (int y = 6; y <= scene_height - 6; ++y) {
    for (int x = 6; x <= scene_width - 6; ++x) {
      ++expected[0].judged;
      bool highest = true;
      for (int i = 0; i < 25; ++i) highest = highest && response(1, y, x) >= response(1, y + i / 5 - 2, x + i % 5 - 2);
      if (!(response(1, y, x) > threshold)) {
        ++expected[0].below_threshold;
        continue;
      }
      ++(highest ? expected[0].passed : expected[0].not_highest);
      if (!highest) continue;
      bool stands = true;
      for (int scale = 2; stands && scale <= options.verify_scales; ++scale) {
        InspectedScale& s = expected[static_cast<std::size_t>(scale - 1)];
        ++s.judged;
        stands = response(scale, y, x) > threshold;
        ++(stands ? s.passed : s.below_threshold);
      }
      if (stands) corners.emplace(static_cast<float>(x), static_cast<float>(y));
    }
  }
  ASSERT_EQ(inspection.scales.size(), expected.size());
  for (std::size_t s = 0; s < expected.size(); ++s) {
    const InspectedScale &found = inspection.scales[s], &wanted = expected[s];
    EXPECT_EQ(
        std::tie(found.scale, found.sigma, found.judged, found.below_threshold, found.not_highest, found.passed),
        std::tie(wanted.scale, wanted.sigma, wanted.judged, wanted.below_threshold, wanted.not_highest, wanted.passed));
  }
  std::set<std::pair<float, float>> features, kept;
  for (const Keypoint& k : Foagdd(options).extract(image.view()).keypoints) features.emplace(k.x, k.y);
  for (const Candidate& c : inspection.candidates) {
    if (c.verdict == CandidateVerdict::kept) kept.emplace(c.x, c.y);
  }
  ASSERT_GT(features.size(), 5u);
  EXPECT_EQ(corners, features);
  EXPECT_EQ(kept, features);
}

TEST_P(InspectFoagddWith, EveryCandidateHasTheVerdictThatItsResponsesAskFor) {
  const FoagddOptions options = GetParam();
  const Image image = scene();
  const Inspection inspection = inspect(image.view(), nullptr, options, {}, show_no_plane);
  const Features features = Foagdd(options).extract(image.view());
  EXPECT_EQ(inspection.features, features);
  std::map<std::pair<float, float>, float> response_of_corner;
  for (const Keypoint& k : features.keypoints) response_of_corner[{k.x, k.y}] = k.response;
  const auto threshold = static_cast<float>(options.corner_threshold);
  std::array<std::int64_t, verdict_count> counted{};
  const std::vector<CandidateVerdict> known = verdicts_of(options);
  for (std::size_t i = 0; i < inspection.candidates.size(); ++i) {
    const Candidate& c = inspection.candidates[i];
    const std::span<const float> responses = inspection.responses_of(i);
    ++counted[static_cast<std::size_t>(c.verdict)];
    ASSERT_EQ(responses.size(), static_cast<std::size_t>(options.verify_scales));
    EXPECT_EQ(c.value, responses[0]);
    EXPECT_NE(std::find(known.begin(), known.end(), c.verdict), known.end());
    for (int s = 1; s < c.layer; ++s) EXPECT_GT(responses[static_cast<std::size_t>(s - 1)], threshold);
    const float last = responses[static_cast<std::size_t>(c.layer - 1)];
    if (c.verdict == CandidateVerdict::kept || c.verdict == CandidateVerdict::not_highest) {
      EXPECT_GT(last, threshold);
    } else {
      EXPECT_LE(last, threshold);
      EXPECT_GT(responses[0], threshold - static_cast<float>(2 * options.directions - 2) * std::log10(2.0f) - 1e-4f);
    }
    if (c.verdict == CandidateVerdict::kept) {
      EXPECT_EQ(c.value, response_of_corner.at({c.x, c.y}));
    }
  }
  ASSERT_EQ(inspection.octaves.size(), 1u);
  EXPECT_EQ(inspection.octaves[0].verdicts, counted);
  EXPECT_EQ(inspection.octaves[0].keypoints, static_cast<std::int64_t>(features.size()));
  EXPECT_GT(counted[static_cast<std::size_t>(CandidateVerdict::below_threshold)], 0);
  EXPECT_EQ(counted[static_cast<std::size_t>(CandidateVerdict::not_highest)], inspection.scales[0].not_highest);
  for (std::size_t s = 1; s < inspection.scales.size(); ++s) {
    EXPECT_EQ(counted[static_cast<std::size_t>(CandidateVerdict::scale_2) + s - 1],
              inspection.scales[s].below_threshold);
  }
}

INSTANTIATE_TEST_SUITE_P(Options, InspectFoagddWith,
                         testing::Values(FoagddOptions{}, FoagddOptions{.verify_scales = 1},
                                         FoagddOptions{.verify_scales = 5, .corner_threshold = 6},
                                         FoagddOptions{.directions = 5, .window = 5, .corner_threshold = 4.5}));

// The farthest pixels around the image that a measure reads: those of the widest taps and the largest window. The
// address sanitizer sees what lies beyond them.
TEST(InspectFoagdd, TheWidestFiltersStayWithinTheExtendedImage) {
  const FoagddOptions options{.verify_scales = 5, .window = 11};
  for (const auto& size : {std::pair(200, 200), std::pair(31, 12), std::pair(12, 45)}) {
    const int columns = size.first, rows = size.second;
    Image image(columns, rows, 1, PixelType::u8);
    for (int y = 0; y < rows; ++y) std::fill_n(image.row(y), columns, std::byte{255});
    const auto shown = [&](int threads) {
      Pixels measures;
      inspect(image.view(), nullptr, options, {.name = "cpu", .threads = threads},
              [&](const StagePlane& plane, const Inspection&) {
                const auto* row = reinterpret_cast<const float*>(plane.pixels.row(rows - 1));
                measures.insert(measures.end(), row, row + columns);
              });
      return measures;
    };
    EXPECT_EQ(shown(1), shown(3));
  }
}

// θ = 0 is the derivative along the columns of the image, downwards, and θ = π/2 that to the right.
TEST(InspectFoagdd, DerivativesFollowTheirDirections) {
  Image stripes(60, 60, 1, PixelType::u8);
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 60; ++x) stripes.row(y)[x] = static_cast<std::byte>(y < 30 ? 50 : 150);
  }
  std::map<std::string, Pixels> planes;
  inspect(stripes.view(), nullptr, FoagddOptions{}, {}, [&](const StagePlane& plane, const Inspection&) {
    EXPECT_EQ(plane.sigma, 1.5 * plane.scale);
    planes[plane.name()].push_back(reinterpret_cast<const float*>(plane.pixels.row(30))[30]);
  });
  for (int scale = 1; scale <= 3; ++scale) {
    const std::string start = "scale" + std::to_string(scale) + "_derivative";
    EXPECT_GT(planes.at(start + "0").front(), 1.0f);
    EXPECT_LT(planes.at(start + "4").front(), 1e-3f);
    EXPECT_NEAR(planes.at(start + "1").front(), planes.at(start + "7").front(), 1e-3f);
  }
}

TEST(InspectFoagdd, SaysWhatMaskOrientationAndBudgetDropped) {
  const Image image = scene();
  Image mask(scene_width, scene_height, 1, PixelType::u8);
  for (int y = 0; y < scene_height; ++y) std::memset(mask.row(y), y < scene_height / 2 ? 0 : 255, scene_width);
  const Inspection all = inspect(image.view(), nullptr, FoagddOptions{}, {}, show_no_plane);
  const Inspection masked = inspect(image.view(), &mask.view(), FoagddOptions{}, {}, show_no_plane);
  const Inspection few = inspect(image.view(), nullptr, FoagddOptions{.max_features = 4}, {}, show_no_plane);
  ASSERT_EQ(masked.candidates.size(), all.candidates.size());
  ASSERT_EQ(few.candidates.size(), all.candidates.size());
  int outside = 0, over = 0;
  for (std::size_t i = 0; i < all.candidates.size(); ++i) {
    const Candidate &a = all.candidates[i], &m = masked.candidates[i], &f = few.candidates[i];
    const bool was_kept = a.verdict == CandidateVerdict::kept, is_outside = a.row < scene_height / 2;
    EXPECT_EQ(m.verdict, was_kept && is_outside ? CandidateVerdict::outside_mask : a.verdict);
    EXPECT_TRUE(f.verdict == a.verdict || (was_kept && f.verdict == CandidateVerdict::over_budget));
    outside += m.verdict == CandidateVerdict::outside_mask ? 1 : 0;
    over += f.verdict == CandidateVerdict::over_budget ? 1 : 0;
  }
  EXPECT_GT(outside, 2);
  EXPECT_GT(over, 2);
}

TEST(InspectFoagdd, DescribedCornersShowTheImageOfTheirDescriptors) {
  const Image image = scene();
  const FoagddOptions options{.describe = true};
  int blurs = 0;
  const Inspection inspection =
      inspect(image.view(), nullptr, options, {}, [&](const StagePlane& plane, const Inspection& so_far) {
        if (plane.stage != "blur") return;
        ++blurs;
        EXPECT_EQ(plane.name(), "octave0_blur0");
        EXPECT_EQ(plane.sigma, options.descriptor_scale);
        EXPECT_FALSE(so_far.features.descriptors.empty());
      });
  EXPECT_EQ(blurs, 1);
  EXPECT_EQ(inspection.features, Foagdd(options).extract(image.view()));
  std::int64_t keypoints = 0;
  for (const Candidate& c : inspection.candidates) keypoints += c.keypoints;
  EXPECT_EQ(keypoints, static_cast<std::int64_t>(inspection.features.size()));
}

TEST(InspectFoagdd, ThreadsAndInstructionSetsChangeNothing) {
  const Image image = scene();
  const auto digest = [&](const DeviceOptions& device) {
    std::size_t sum = 0;
    inspect(image.view(), nullptr, FoagddOptions{}, device, [&](const StagePlane& plane, const Inspection&) {
      for (int y = 0; y < plane.pixels.height; ++y) {
        const std::string_view row(reinterpret_cast<const char*>(plane.pixels.row(y)),
                                   static_cast<std::size_t>(plane.pixels.width) * sizeof(float));
        sum = sum * 31 + std::hash<std::string_view>()(row);
      }
    });
    return sum;
  };
  const auto expected = digest({.name = "reference", .threads = 1});
  for (const Device& device : list_devices()) {
    for (const std::string& isa : device.name == "cpu" ? device.isas : std::vector<std::string>{}) {
      EXPECT_EQ(digest({.name = "cpu", .threads = 3, .isa = isa}), expected) << isa;
    }
  }
}

TEST(InspectFoagdd, FlatAndTinyImagesHaveNoCandidates) {
  Image flat(40, 30, 1, PixelType::u8);
  for (int y = 0; y < 30; ++y) std::memset(flat.row(y), 90, 40);
  const Inspection none = inspect(flat.view(), nullptr, FoagddOptions{.corner_threshold = -100}, {}, show_no_plane);
  EXPECT_TRUE(none.candidates.empty());
  EXPECT_EQ(none.scales.front().below_threshold, none.scales.front().judged);
  Image tiny(11, 30, 1, PixelType::u8);
  for (int y = 0; y < 30; ++y) std::memset(tiny.row(y), 90, 11);
  EXPECT_TRUE(inspect(tiny.view(), nullptr, FoagddOptions{}, {}, show_no_plane).octaves.empty());
}

TEST(InspectFoagdd, RefusesWhatItCannotShow) {
  EXPECT_THROW(inspect(scene().view(), nullptr, FoagddOptions{.window = 4}, {}, show_no_plane), Error);
  EXPECT_FALSE(has_differences(FoagddOptions{}));
  EXPECT_TRUE(has_differences(SiftOptions{}));
}

}  // namespace
}  // namespace octavo
