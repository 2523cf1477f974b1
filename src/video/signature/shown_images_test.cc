#include "video/signature/shown_images.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "engine/device/cpu_isa.h"
#include "video/signature/made_clips.h"

namespace octavo {
namespace {

const MadeScene photograph(1, 1, 300, 100), another(2, 1, 300, 100), third(3, 1, 300, 100);

ClipSignature image_of(const MadeScene& scene) {
  ClipSignature image;
  image.frames.push_back(scene.frame(0));
  return image;
}

// A clip with a frame for each of the scenes, half a second each.
ClipSignature clip_of(const std::vector<const MadeScene*>& scenes, const MadeCopy& copy = {}) {
  ClipSignature clip{.seconds = 0.5 * static_cast<double>(scenes.size()), .step = 0.5};
  for (std::size_t k = 0; k < scenes.size(); ++k) {
    FrameSignature frame = copied(scenes[k]->frame(0), copy, static_cast<unsigned>(k));
    frame.seconds = 0.5 * static_cast<double>(k);
    frame.until = frame.seconds + 0.5;
    clip.frames.push_back(std::move(frame));
  }
  return clip;
}

std::vector<CopySegment> found_in(const ClipSignature& query, const ClipSignature& other,
                                  const CopyOptions& options = {}) {
  return find_copies(query, other, all_hits(query, other), options);
}

TEST(ShownImages, HaveTheSpansInWhichTheyAreShown) {
  const ClipSignature image = image_of(photograph);
  const ClipSignature clip = clip_of({&another, &another, &photograph, &photograph, &photograph, &third, &third, &third,
                                      &third, &photograph, &another});
  ASSERT_TRUE(is_image(image));
  ASSERT_FALSE(is_image(clip));
  std::vector<CopySegment> found = found_in(image, clip);
  ASSERT_EQ(found.size(), 2u);
  std::ranges::sort(found, {}, &CopySegment::other_in);
  EXPECT_EQ(found[0].other_in, 1);
  EXPECT_EQ(found[0].other_out, 2.5);
  EXPECT_EQ(found[0].frames, 3);
  EXPECT_EQ(found[1].other_in, 4.5);
  EXPECT_EQ(found[1].other_out, 5) << "a span may be shorter than min_seconds";
  for (const CopySegment& one : found) {
    EXPECT_TRUE(one.still);
    EXPECT_TRUE(shows_image(one));
    EXPECT_EQ(one.query_in, 0);
    EXPECT_EQ(one.query_out, 0);
    EXPECT_EQ(one.speed, 1);
    EXPECT_EQ(one.ends_within, 0.5);
    EXPECT_GT(one.score, 3);
    EXPECT_NEAR(one.other_from_query.a, 1, 0.01);
  }
}

TEST(ShownImages, AreTheSameWhicheverIsTheQuery) {
  const ClipSignature image = image_of(photograph), clip = clip_of({&another, &photograph, &photograph, &third});
  const std::vector<CopySegment> found = found_in(clip, image);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].query_in, 0.5);
  EXPECT_EQ(found[0].query_out, 1.5);
  EXPECT_EQ(found[0].other_in, 0);
  EXPECT_EQ(found[0].other_out, 0);
  EXPECT_EQ(found[0].change_in, 0.5);
  EXPECT_EQ(coverage(found, clip.seconds, true), 0.5);
  EXPECT_EQ(coverage(found, image.seconds, false), 1) << "an image is covered wholly";
  EXPECT_EQ(coverage({}, image.seconds, false), 0);
}

TEST(ShownImages, BridgeASecond) {
  const ClipSignature image = image_of(photograph);
  const std::vector<CopySegment> bridged =
      found_in(image, clip_of({&photograph, &photograph, &third, &third, &photograph, &photograph}));
  ASSERT_EQ(bridged.size(), 1u);
  EXPECT_EQ(bridged[0].other_out, 3);
  EXPECT_EQ(bridged[0].frames, 4);
  EXPECT_EQ(found_in(image, clip_of({&photograph, &photograph, &third, &third, &third, &photograph})).size(), 2u);
}

TEST(ShownImages, FadeWithoutAnotherSpan) {
  ClipSignature clip = clip_of({&photograph, &photograph, &photograph, &photograph, &third});
  FrameSignature faded = copied(photograph.frame(0), {.kept = 0.2}, 9);
  faded.seconds = clip.frames[3].seconds;
  faded.until = clip.frames[3].until;
  clip.frames[3] = faded;
  const std::vector<CopySegment> found = found_in(image_of(photograph), clip);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].other_out, 1.5);
  // The same few features elsewhere in the frame are a smaller image of it.
  FrameSignature smaller = copied(photograph.frame(0), {.scale = 0.4, .tx = 300, .kept = 0.2}, 9);
  smaller.seconds = faded.seconds;
  smaller.until = faded.until;
  clip.frames[3] = smaller;
  EXPECT_EQ(found_in(image_of(photograph), clip).size(), 2u);
}

// Each frame is 6 % larger than the one before, so that the first and the last have no similarity in common.
TEST(ShownImages, AreFollowedThroughAZoom) {
  ClipSignature clip = clip_of(std::vector<const MadeScene*>(8, &photograph));
  for (std::size_t k = 0; k < clip.frames.size(); ++k) {
    const double scale = std::pow(1.06, static_cast<double>(k));
    FrameSignature frame = copied(photograph.frame(0), {.scale = scale, .unrelated = 20}, static_cast<unsigned>(k));
    frame.seconds = clip.frames[k].seconds;
    frame.until = clip.frames[k].until;
    clip.frames[k] = frame;
  }
  const std::vector<CopySegment> found = found_in(image_of(photograph), clip);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].other_in, 0);
  EXPECT_EQ(found[0].other_out, 4);
  EXPECT_EQ(found[0].frames, 8);
  EXPECT_NEAR(found[0].other_from_query.a, std::pow(1.06, 3.5), 0.06) << "that of the middle";
}

TEST(ShownImages, AreNoOthers) {
  EXPECT_TRUE(found_in(image_of(photograph), clip_of({&another, &third, &another})).empty());
  EXPECT_TRUE(found_in(image_of(photograph), image_of(another)).empty());
  CopyOptions strict;
  strict.min_score = 100;
  EXPECT_TRUE(found_in(image_of(photograph), clip_of({&photograph, &photograph}), strict).empty());
}

// All of the image's features lie in a tenth of the frame, as those of a logo do.
TEST(ShownImages, AreMoreThanALogo) {
  ClipSignature image = image_of(photograph);
  for (SignatureFeature& feature : image.frames[0].features) {
    feature.x = static_cast<std::uint16_t>(feature.x / 4);
    feature.y = static_cast<std::uint16_t>(feature.y / 4);
  }
  ClipSignature clip = image;
  clip.seconds = clip.frames[0].until = 5;
  EXPECT_TRUE(found_in(image, clip).empty());
}

TEST(ShownImages, OfTwoImagesAreOneSegment) {
  ClipSignature copy = image_of(photograph);
  copy.frames[0] = copied(copy.frames[0], {.scale = 0.8, .tx = 30}, 5);
  copy.frames[0].seconds = copy.frames[0].until = 0;
  const std::vector<CopySegment> found = found_in(image_of(photograph), copy);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].other_from_query.a, 0.8, 0.01);
  EXPECT_NEAR(found[0].other_from_query.tx, 30, 2);
  EXPECT_EQ(found[0].ends_within, 0);
  EXPECT_TRUE(found[0].exact_ends);
}

TEST(ShownImages, HaveOneFormOfThoseThatShowTheSame) {
  CopySegment plain{.other_in = 1, .other_out = 3, .still = true, .inliers = 50}, mirrored = plain, later = plain;
  mirrored.mirrored = later.mirrored = true;
  mirrored.inliers = later.inliers = 40;
  later.other_in = 5;
  later.other_out = 6;
  EXPECT_EQ(without_reflections({mirrored, plain, later}), (std::vector<CopySegment>{plain, later}));
  CopySegment images{.still = true, .inliers = 50}, other_form = images;
  other_form.mirrored = true;
  EXPECT_EQ(without_reflections({images, other_form}), (std::vector<CopySegment>{images}));
}

}  // namespace
}  // namespace octavo
