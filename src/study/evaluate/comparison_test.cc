// Pipelines are compared pair by pair. A pair counts for all pipelines or for none. Masks and budgets act as in the
// engine.

#include "study/evaluate/comparison.h"
#include "io/files/output_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "engine/extract/selection.h"
#include "octavo/error.h"
#include "octavo/io/feature_files.h"
#include "octavo/pair_scores.h"
#include "study/evaluate/known_view.h"

namespace octavo {
namespace {

const DeviceOptions on_cpu{.name = "cpu", .threads = 1};

Image blank(int width, int height) {
  Image image(width, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) std::fill_n(image.row(y), width, std::byte{0});
  return image;
}

// Features at points. The i-th feature has the i-th descriptor, so that the i-th features of any two images match.
Features at(const std::vector<Point>& points) {
  Features features;
  for (std::size_t i = 0; i < points.size(); ++i) {
    features.keypoints.push_back({.x = static_cast<float>(points[i].x),
                                  .y = static_cast<float>(points[i].y),
                                  .scale = 2,
                                  .response = static_cast<float>(i % 3)});
    std::vector<std::uint8_t> descriptor(descriptor_length, 0);
    descriptor[i] = 255;
    features.descriptors.insert(features.descriptors.end(), descriptor.begin(), descriptor.end());
  }
  return features;
}

const std::vector<Point> six_points{{10, 10}, {80, 12}, {70, 80}, {15, 75}, {40, 40}, {60, 20}};

FindFeatures always(const std::vector<Point>& found) {
  return [found](const ImageView&, const ImageView*, const ImageName&) { return at(found); };
}

TrueHomography moved_by(double dx, double dy) { return {{1, 0, dx, 0, 1, dy, 0, 0, 1}}; }

// A scene of blank images. The homography from the first image to each of the others is the identity.
KnownScene scene_of(const std::string& name, int others) {
  KnownScene scene{.name = name, .first_name = {name + "/1", "'" + name + "/1'"}, .first = {}, .others = {}};
  scene.first = [] { return blank(100, 90); };
  for (int i = 2; i < 2 + others; ++i) {
    const std::string file = name + "/" + std::to_string(i);
    scene.others.push_back({{file, "'" + file + "'"}, [] { return KnownView{blank(100, 90), moved_by(0.25, 0)}; }});
  }
  return scene;
}

TEST(Pipeline, RoundsMaskPixelsAsTheEngineDoes) {
  // The largest float below ½. In float arithmetic x + ½ rounds to 1, so ⌊x + ½⌋ is 1.
  const float halfway = std::nextafter(0.5f, 0.0f);
  const Features features = at({{halfway, 0}, {0, halfway}, {halfway - 0.001, 0}, {-0.5, 0}, {98.5, 0}, {99.4, 89.4}});
  for (const int lit_x : {0, 1}) {
    for (const int lit_y : {0, 1}) {
      Image mask = blank(100, 90);
      mask.row(lit_y)[lit_x] = mask.row(0)[99] = std::byte{255};
      Pipeline pipeline(
          "all", [&](const ImageView&, const ImageView*, const ImageName&) { return features; }, 0, {}, on_cpu);
      const Features kept = pipeline.features(blank(100, 90).view(), &mask.view(), {"", "'an image'"});
      std::vector<Keypoint> expected;
      for (const Keypoint& k : features.keypoints) {
        if (inside(mask.view(), k.x, k.y)) expected.push_back(k);
      }
      EXPECT_EQ(kept.keypoints, expected);
      EXPECT_EQ(kept.descriptors.size(), kept.keypoints.size() * descriptor_length);
      const bool first_is_kept = std::count(expected.begin(), expected.end(), features.keypoints[0]) == 1;
      EXPECT_EQ(first_is_kept, lit_x == 1 && lit_y == 0);
    }
  }
}

TEST(Pipeline, KeepsTheStrongestInTheirOrder) {
  Pipeline pipeline("few", always(six_points), 3, {}, on_cpu);  // their responses are 0, 1, 2, 0, 1, 2
  const Features kept = pipeline.features(blank(100, 90).view(), nullptr, {"", "'an image'"});
  ASSERT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept.keypoints[0].x, 80);
  EXPECT_EQ(kept.keypoints[1].x, 70);
  EXPECT_EQ(kept.keypoints[2].x, 60);
  EXPECT_EQ(kept.descriptor(0)[1], 255);
  EXPECT_EQ(pipeline.shortage(), "");
}

TEST(Pipeline, SaysWhereItFoundLessThanItMay) {
  Pipeline pipeline("few", always(six_points), 7, {}, on_cpu);
  pipeline.features(blank(100, 90).view(), nullptr, {"", "'an image'"});
  EXPECT_EQ(pipeline.shortage(),
            "configuration 'few': 1 of 1 images have fewer than 7 keypoints, the fewest are 6 in 'an image'");
}

TEST(Pipeline, DoesNotCountWhatItFindsToWarmUp) {
  Pipeline pipeline("few", always(six_points), 7, {}, on_cpu);
  pipeline.warm_up(blank(100, 90).view(), {"", "'an image'"});
  EXPECT_EQ(pipeline.shortage(), "");
}

TEST(Pipeline, RefusesANegativeBudget) { EXPECT_THROW(Pipeline("few", always(six_points), -1, {}, on_cpu), Error); }

TEST(Pipeline, ReadsFeaturesFromFiles) {
  const TestFolder folder;
  make_folder(folder / "graf");
  write_npz_features(folder / "graf" / "1.ppm.npz", at(six_points));
  const FindFeatures find = features_in(folder.path);
  const ImageName name{"graf/1.ppm", "'graf/1.ppm'"};
  EXPECT_EQ(find(blank(100, 90).view(), nullptr, name).keypoints.size(), six_points.size());
  EXPECT_THROW(find(blank(100, 90).view(), nullptr, {"graf/2.ppm", ""}), Error);
  try {
    find(blank(70, 90).view(), nullptr, name);
    FAIL() << "a keypoint outside of the image was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("keypoint 1 lies at (80, 12), outside 'graf/1.ppm'"), std::string::npos)
        << error.what();
  }
}

TEST(Configuration, BecomesAPipeline) {
  SiftOptions sift;
  sift.max_features = 1;
  Image square = blank(100, 90);
  for (int y = 30; y < 50; ++y) std::fill_n(square.row(y) + 40, 20, std::byte{255});
  Pipeline pipeline = pipeline_of({.name = "one", .detector = sift}, on_cpu);
  EXPECT_EQ(pipeline.name(), "one");
  EXPECT_EQ(pipeline.features(square.view(), nullptr, {"", "'a square'"}).size(), 1u);
  EXPECT_THROW(pipeline_of({.name = "none", .match = {.ratio = 2}}, on_cpu), Error);
}

TEST(Configuration, IsWrittenAsJson) {
  const std::string ours =
      json_of(Configuration{.name = "a \"b\"", .detector = FoagddOptions{}, .arguments = "--ratio 0.7"});
  EXPECT_EQ(ours.find("{\"name\":\"a \\\"b\\\"\",\"arguments\":\"--ratio 0.7\",\"detector\":\"foagdd\""), 0u) << ours;
  EXPECT_NE(ours.find("\"max_distance2\":null"), std::string::npos) << ours;
  const std::string theirs = json_of(Configuration{.name = "x", .match = {.max_distance2 = 400}, .features = "folder"});
  EXPECT_EQ(theirs.find("{\"name\":\"x\",\"features\":\"folder\",\"max_features\":8192"), 0u) << theirs;
  EXPECT_NE(theirs.find("\"max_distance2\":400"), std::string::npos) << theirs;
  EXPECT_EQ(theirs.find("detector"), std::string::npos) << theirs;
}

TEST(Compare, GivesEachPipelineEachPair) {
  std::vector<Point> shifted = six_points;
  for (Point& p : shifted) p.x += 5;
  const auto wrong = [&](const ImageView&, const ImageView*, const ImageName& name) {
    return at(name.path.filename() == "1" ? six_points : shifted);
  };
  std::vector<Pipeline> pipelines;
  pipelines.emplace_back("right", always(six_points), 0, MatchOptions{}, on_cpu);
  pipelines.emplace_back("wrong", wrong, 0, MatchOptions{}, on_cpu);
  const std::vector<KnownScene> scenes{scene_of("v_wall", 2), scene_of("i_fog", 1)};
  std::vector<std::string> seen;
  const Comparison comparison =
      compare(scenes, pipelines, {.progress = [&](std::size_t done, std::size_t total, const ImageName& next) {
                EXPECT_EQ(done, seen.size());
                EXPECT_EQ(total, 5u);
                seen.push_back(next.path.string());
              }});
  EXPECT_EQ(seen, (std::vector<std::string>{"v_wall/1", "v_wall/2", "v_wall/3", "i_fog/1", "i_fog/2"}));
  EXPECT_TRUE(comparison.problems.empty());
  ASSERT_EQ(comparison.pairs.size(), 3u);
  EXPECT_EQ(comparison.pairs[2].scene, 1u);
  EXPECT_EQ(comparison.pairs[2].other, 0u);
  for (const ComparedPair& pair : comparison.pairs) {
    ASSERT_EQ(pair.scores.size(), 2u);
    EXPECT_EQ(pair.scores[0].matches, 6);
    EXPECT_EQ(pair.scores[0].correct[0], 6);
    EXPECT_EQ(pair.scores[1].correct[2], 0);
    EXPECT_EQ(pair.scores[1].correct[4], 6);
  }

  const std::vector<PairGroup> by_change = groups_by_change(comparison, scenes);
  ASSERT_EQ(by_change.size(), 3u);
  EXPECT_EQ(by_change[0].name, "all");
  EXPECT_EQ(by_change[1].name, "illumination");
  EXPECT_EQ(by_change[1].pairs, (std::vector<std::size_t>{2}));
  EXPECT_EQ(by_change[2].pairs, (std::vector<std::size_t>{0, 1}));
  const std::vector<PairGroup> by_scene = groups_by_scene(comparison, scenes);
  ASSERT_EQ(by_scene.size(), 2u);
  EXPECT_EQ(by_scene[0].name, "v_wall");
  EXPECT_EQ(summarise(comparison, 0, by_scene[0].pairs).pairs, 2);
  EXPECT_DOUBLE_EQ(summarise(comparison, 1, by_scene[0].pairs).correct[2], 0);
}

TEST(Compare, LeavesOutAPairThatOnePipelineCannotDo) {
  const auto sometimes = [](const ImageView&, const ImageView*, const ImageName& name) -> Features {
    if (name.path == "v_wall/2") throw Error(ErrorCode::invalid_argument, "it is too hard");
    if (name.path == "v_wall/3") throw std::bad_alloc();
    return at(six_points);
  };
  std::vector<Pipeline> pipelines;
  pipelines.emplace_back("always", always(six_points), 0, MatchOptions{}, on_cpu);
  pipelines.emplace_back("sometimes", sometimes, 0, MatchOptions{}, on_cpu);
  std::vector<KnownScene> scenes{scene_of("broken", 2), scene_of("v_wall", 3)};
  scenes[0].first = []() -> Image { throw Error(ErrorCode::file_error, "cannot read 'broken/1'"); };
  const Comparison comparison = compare(scenes, pipelines);
  ASSERT_EQ(comparison.pairs.size(), 1u);
  EXPECT_EQ(comparison.pairs[0].other, 2u);
  EXPECT_EQ(comparison.problems,
            (std::vector<std::string>{"cannot read 'broken/1'", "cannot use 'v_wall/2': it is too hard",
                                      "cannot use 'v_wall/3': out of memory"}));
}

TEST(Compare, NamesTheFirstImageIfItsFeaturesFail) {
  const auto fails = [](const ImageView&, const ImageView*, const ImageName& name) -> Features {
    if (name.path == "v_wall/1") throw Error(ErrorCode::invalid_argument, "it is too hard");
    return at(six_points);
  };
  std::vector<Pipeline> pipelines;
  pipelines.emplace_back("fails", fails, 0, MatchOptions{}, on_cpu);
  const Comparison comparison = compare(std::vector{scene_of("v_wall", 2)}, pipelines);
  EXPECT_TRUE(comparison.pairs.empty());
  EXPECT_EQ(comparison.problems, (std::vector<std::string>{"cannot use 'v_wall/1': it is too hard"}));
}

TEST(Compare, CountsOnlyWhatBothImagesShow) {
  std::vector<Pipeline> pipelines;
  pipelines.emplace_back("all", always(six_points), 0, MatchOptions{}, on_cpu);
  std::vector<KnownScene> scenes{scene_of("v_wall", 1)};
  scenes[0].others[0].view = [] { return KnownView{blank(100, 90), moved_by(30, 0)}; };
  EXPECT_EQ(compare(scenes, pipelines).pairs.at(0).scores[0].keypoints_a, 6);
  const Comparison covisible = compare(scenes, pipelines, {.covisible_only = true});
  EXPECT_EQ(covisible.pairs.at(0).scores[0].keypoints_a, 4);  // B does not show A's x = 80 and 70
  EXPECT_EQ(covisible.pairs.at(0).scores[0].keypoints_b, 4);  // A does not show B's x = 10 and 15
}

TEST(Compare, WarnsOfPairsWithNothingInCommon) {
  std::vector<Pipeline> pipelines;
  pipelines.emplace_back("all", always(six_points), 0, MatchOptions{}, on_cpu);
  std::vector<KnownScene> scenes{scene_of("v_wall", 1)};
  scenes[0].others[0].view = [] { return KnownView{blank(100, 90), moved_by(95, 0)}; };
  EXPECT_EQ(
      compare(scenes, pipelines).warnings,
      (std::vector<std::string>{"configuration 'all': 'v_wall/2': no keypoint lies where both images show it; 0 stands "
                                "for repeatability"}));
}

TEST(Compare, EndsWhereAStopIsRequested) {
  std::vector<Pipeline> pipelines;
  pipelines.emplace_back("all", always(six_points), 0, MatchOptions{}, on_cpu);
  const std::vector<KnownScene> scenes{scene_of("a", 3), scene_of("b", 3)};
  std::stop_source source;
  const auto stop_at = [&](std::size_t done, std::size_t, const ImageName&) {
    if (done == 2) source.request_stop();
  };
  EXPECT_EQ(compare(scenes, pipelines, {.progress = stop_at, .stop = source.get_token()}).pairs.size(), 2u);
}

}  // namespace
}  // namespace octavo
