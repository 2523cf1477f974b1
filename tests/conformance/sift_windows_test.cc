// The windows of orientations and descriptors on every instruction set equal the reference's.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "engine/device/cpu_isa.h"
#include "engine/scale_space/scale_space_reference.h"
#include "engine/sift/engine.h"
#include "engine/sift/keypoint.h"
#include "engine/sift/stages_reference.h"
#include "engine/sift/windows_cpu.h"
#include "octavo/sift_options.h"
#include "tests/conformance/contentious_images.h"
#include "tests/conformance/isas.h"

namespace octavo {
namespace {

// Compares the windows of an extremum on every instruction set with the reference's, and returns their number.
int compare_windows(const Plane& level, std::size_t octave, const Extremum& e, float scale) {
  const OrientationHistogram votes = reference::orientation_histogram(level, e, scale);
  const Orientations turns = orientations_of(votes, 1, 4);
  for (const Isa& isa : isas_to_compare()) {
    WindowsCpu cpu(isa);
    WindowPrefetch next;
    EXPECT_EQ(cpu.orientation_histogram(level, e, scale, next), votes) << isa.name;
    for (int k = 0; k < turns.count; ++k) {
      const Oriented keypoint{static_cast<int>(octave), e, scale, turns.turns[static_cast<std::size_t>(k)]};
      EXPECT_EQ(cpu.descriptor_histogram(level, keypoint, next), reference::descriptor_histogram(level, keypoint))
          << isa.name;
    }
  }
  return turns.count;
}

// The number of an image, and whether the scales are coarse.
class WindowsOf : public testing::TestWithParam<std::tuple<std::size_t, bool>> {};

TEST_P(WindowsOf, TheReferencesLevels) {
  const auto [number, coarse] = GetParam();
  const std::vector<TestImage> all = contentious_images();
  const Image& image = all[number].image;
  const SiftOptions options =
      coarse ? SiftOptions{.layers = 1, .sigma = 4, .contrast_threshold = 0.001} : SiftOptions{};
  const SiftParts parts = parts_of(options);
  const ScaleSpacePlan plan = plan_scale_space(image.width(), image.height(), parts.scale_space);
  const auto octaves = reference::scale_space(image.view(), options.luma, plan);
  int windows = 0;
  for (std::size_t o = 0; o < octaves.size() && !HasFailure(); ++o) {
    for (const Extremum& e : reference::extrema(octaves[o], parts.limits)) {
      windows += compare_windows(octaves[o][static_cast<std::size_t>(e.layer)], o, e, scale_of(e, parts.scale_space));
    }
  }
  EXPECT_GT(windows, 0);
}

std::string words_of_windows(const testing::TestParamInfo<WindowsOf::ParamType>& one) {
  const auto [number, coarse] = one.param;
  return contentious_images()[number].name + (coarse ? "_coarse" : "_usual");
}

INSTANTIATE_TEST_SUITE_P(Usual, WindowsOf, testing::Combine(testing::Values(0, 1, 2), testing::Values(false)),
                         words_of_windows);
// A checkerboard has no extrema at coarse scales.
INSTANTIATE_TEST_SUITE_P(Coarse, WindowsOf, testing::Combine(testing::Values(0, 1), testing::Values(true)),
                         words_of_windows);

// The columns that a window of orientations can reach are computed in floats. What is rounded lets no pixel beyond the
// border be read: there may be anything.
TEST(SiftConformance, OrientationsReadNothingBeyondTheBorder) {
  Plane level;
  level.resize(120, 120);
  for (int y = 0; y < level.height(); ++y) {
    for (int x = 0; x < level.width(); ++x) level.row(y)[x] = static_cast<float>((x * 37 + y * 101) % 64) / 64;
    std::fill_n(level.row(y) + level.width(), plane_slack, std::numeric_limits<float>::quiet_NaN());
  }
  int compared = 0;
  for (const int step : {1, 2}) {
    WindowFrame w{};
    w.layer = 1, w.row = 60, w.step = step;
    w.reach_x = w.reach_y = 12;
    w.vote = 1e6f;
    w.cells11 = w.cells22 = 0.102127f;
    w.turn11 = w.turn22 = 1;
    for (int last = 1; last < 12; ++last) {
      w.column = level.width() - 2 - last * step;
      // The place at which the window ends exactly there.
      w.x = static_cast<float>(last * step) - 1.6f / w.cells11;
      for (int i = 0; i < 64; ++i) w.x = std::nextafter(w.x, -1e9f);
      for (int i = 0; i < 128; ++i, w.x = std::nextafter(w.x, 1e9f), ++compared) {
        OrientationHistogram expected{};
        reference::add_votes(level, w, expected);
        for (const Isa& isa : isas_to_compare()) {
          OrientationHistogram votes{};
          WindowPrefetch next;
          WindowsCpu(isa).add_votes(level, w, next, votes);
          ASSERT_EQ(votes, expected) << isa.name << ", step " << step << ", last " << last << ", x " << w.x;
        }
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

}  // namespace
}  // namespace octavo
