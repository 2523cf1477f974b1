// What is told of images and pairs once they are connected: statuses, errors, warnings.

#include "multiview/mosaic/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "multiview/mosaic/median.h"
#include "multiview/mosaic/read_images.h"

namespace octavo::mosaic {
namespace {

const std::string& name_of(const std::vector<MosaicImage>& images, int i) {
  return images[static_cast<std::size_t>(i)].name;
}

// The strongest pair of an image, as words.
std::string best_pair_of(int image, const std::vector<VerifiedPair>& pairs, const std::vector<MosaicImage>& images) {
  const MosaicPair* best = nullptr;
  for (const VerifiedPair& pair : pairs) {
    const MosaicPair& one = pair.report;
    if (one.a != image && one.b != image) continue;
    if (best == nullptr || std::pair(one.inliers, one.matches) > std::pair(best->inliers, best->matches)) best = &one;
  }
  if (best == nullptr) return "it has no matches with any";
  const std::string& other = name_of(images, best->a == image ? best->b : best->a);
  if (best->status == MosaicPairStatus::undecidable) {
    return fmt::format("a pattern repeats, so that nothing decides where it lies beside '{}'", other);
  }
  if (best->status == MosaicPairStatus::watermark) {
    return fmt::format(
        "all that it shares with '{}' stands at the same pixels of both, such as a caption, a logo or a frame; a mask "
        "can hide it",
        other);
  }
  if (confidence_of(best->inliers, best->matches) > 1) {
    return fmt::format(
        "{} of {} matches with '{}' agree roughly, but too few exactly, as where the lens bends the images more than "
        "can be corrected, or where the scene has depth",
        best->inliers, best->matches, other);
  }
  return fmt::format("its best is '{}' with {} matches, of which {} agree", other, best->matches, best->inliers);
}

// Whether later images are the same as this one, and no pair of it tells of another.
bool has_copies(const std::vector<MosaicImage>& images, std::size_t image) {
  return std::any_of(images.begin() + static_cast<std::ptrdiff_t>(image), images.end(), [&](const MosaicImage& other) {
    return other.status == MosaicImageStatus::identical &&
           other.reason == fmt::format("it is the same image as '{}'", images[image].name);
  });
}

bool is_used(const MosaicPair& pair) { return pair.status == MosaicPairStatus::used; }

// The places that used pairs have in an image.
int shared_details(int image, const std::vector<MosaicPair>& pairs) {
  int details = 0;
  for (const MosaicPair& pair : pairs) {
    if (is_used(pair) && (pair.a == image || pair.b == image)) details += pair.inliers + pair.patches;
  }
  return details;
}

// The largest share of places with keypoints that agree, of the used pairs of each image.
std::vector<double> inlier_shares(const std::vector<VerifiedPair>& pairs, std::size_t images) {
  std::vector<double> largest(images);
  for (const VerifiedPair& pair : pairs) {
    if (!is_used(pair.report)) continue;
    for (const int image : {pair.report.a, pair.report.b}) {
      double& of_image = largest[static_cast<std::size_t>(image)];
      of_image = std::max(of_image, pair.inlier_share);
    }
  }
  return largest;
}

// Doubts of images that have, perhaps, one thing in common with the others, and not the scene: a headline of a page, a
// person who walks along.
std::vector<std::string> warnings_of_agreement(const Connected& connected, const std::vector<MosaicImage>& images) {
  // Of the usual share of the images. Right ones, of rooms with near things, have 0.53 and more of it, wrong ones 0.43
  // and less; a guess.
  constexpr double far_less = 0.45;
  // Depth displaces places, and leaves them nearby.
  const std::vector<std::optional<double>> found = shares_found(connected.pairs, images.size());
  const std::vector<double> with_keypoints = inlier_shares(connected.pairs, images.size());
  std::vector<double> all;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (images[i].status == MosaicImageStatus::placed && found[i]) all.push_back(*found[i]);
  }
  const double usual = all.empty() ? 0 : median_of(all);
  std::vector<std::string> list;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (images[i].status != MosaicImageStatus::placed) continue;
    const double of_any = std::max(found[i].value_or(0), with_keypoints[i]);
    if (of_any < local_share) {
      list.push_back(
          fmt::format("'{}' agrees with the others in {:.0f} % of the places that both show: they may have "
                      "one thing in common, and not the scene",
                      images[i].name, 100 * of_any));
    } else if (found[i] && *found[i] < far_less * usual) {
      list.push_back(
          fmt::format("'{}' agrees with the others in {:.0f} % of the places that both show, where usual "
                      "images of this mosaic do in {:.0f} %: they may have one thing in common, and not the "
                      "scene",
                      images[i].name, 100 * *found[i], 100 * usual));
    }
  }
  return list;
}

// Whether the pair, a used one of the largest group, closes a loop: the tree does not have it.
bool closes_a_loop(const Connected& connected, std::size_t pair) {
  const MosaicPair& one = connected.pairs[pair].report;
  const std::vector<Tree::Branch>& branches = connected.tree.branches;
  return is_used(one) && connected.is_member(one.a) &&
         std::none_of(branches.begin(), branches.end(),
                      [pair](const Tree::Branch& branch) { return branch.pair == pair; });
}

std::vector<std::string> warnings_of_model(const Choice& choice, double threshold) {
  std::vector<std::string> list;
  if (choice.chosen.model == MosaicModel::rotation && !choice.frames.held_focal.empty()) {
    const bool is_known = std::ranges::none_of(choice.frames.held_focal, [&](int size) {
      return choice.frames.log_focal[static_cast<std::size_t>(size)] == usual_log_focal;
    });
    list.push_back(fmt::format("the images do not show the focal length, because the camera hardly turns: that of {}",
                               is_known ? "the EXIF data is taken" : "a usual lens is assumed"));
  }
  if (choice.chosen.held_out > threshold) {
    list.push_back(
        fmt::format("the images do not meet: held-out matches are {:.1f} pixels off; the camera moved and the scene "
                    "is not flat",
                    choice.chosen.held_out));
  }
  return list;
}

// Whether things of a pair lie apart in the mosaic since the camera moved, or they did. That a moving camera explains
// its matches is not enough: it explains who walks by as well, whom seams avoid.
bool shows_depth(const VerifiedPair& pair) {
  // The places that are found nearby and do not agree, of those that are found, and the places that agree. Pairs with
  // walkers have 0.1 and less, and 0.47 and more; guesses.
  constexpr double many_apart = 0.1, few_agreeing = 0.4;
  const Agreement& seen = pair.agreement;
  if (!pair.parallax.shows_depth() || !seen.is_known()) return pair.parallax.shows_depth();
  return seen.found - seen.agreeing >= many_apart * seen.found || seen.share() < few_agreeing;
}

std::vector<std::string> warnings_of_depth(const Connected& connected, const std::vector<MosaicImage>& images,
                                           double threshold) {
  constexpr std::size_t most = 3;  // that are told one by one
  std::vector<std::string> list;
  // Distortion bends a plane too, by as much.
  if (connected.choice.chosen.distortion) return list;
  std::size_t count = 0;
  for (const VerifiedPair& pair : connected.pairs) {
    if (!is_used(pair.report) || !connected.is_member(pair.report.a) || !shows_depth(pair)) continue;
    if (++count > most) continue;
    const auto [tried, found, agreeing] = pair.agreement;
    const std::string seen = pair.agreement.is_known()
                                 ? fmt::format(
                                       "of {} places that both show, {} are not within {:g} pixels of where "
                                       "the mosaic puts them",
                                       tried, tried - agreeing, 2 * threshold)
                                 : fmt::format(
                                       "of {} matches that a moving camera explains, {} lie more than {:g} "
                                       "pixels from where a homography puts them",
                                       pair.parallax.epipolar, pair.parallax.off, 2 * threshold);
    list.push_back(fmt::format("'{}' and '{}' show a scene with depth from two places, or things that moved: {}",
                               name_of(images, pair.report.a), name_of(images, pair.report.b), seen));
  }
  if (count > most) list.push_back(fmt::format("so do {} more pairs of images", count - most));
  return list;
}

std::vector<std::string> warnings_of_pairs(const Connected& connected, const std::vector<MosaicImage>& images,
                                           const std::vector<MosaicPair>& pairs, double threshold) {
  std::vector<std::string> list;
  const auto is_drawn = [&](const MosaicPair& pair) { return is_used(pair) && connected.is_member(pair.a); };
  for (const MosaicPair& pair : pairs) {
    if (!is_drawn(pair) || pair.residual <= 2 * threshold) continue;
    list.push_back(fmt::format("'{}' and '{}' are {:.1f} pixels apart in their overlap", name_of(images, pair.a),
                               name_of(images, pair.b), pair.residual));
  }
  return list;
}

std::vector<std::string> warnings_of_images(const Connected& connected, const std::vector<MosaicImage>& images,
                                            const std::vector<MosaicPair>& pairs) {
  // [pixel] beyond which a seam shows, of few details that are shared, and of many: these may leave corners uncertain
  // that no other image shows, by the focal length. The right panoramas that we know have up to 4 pixels. Guesses.
  constexpr double largest_of_few = 1, largest = 5;
  constexpr int few = 100;
  std::vector<std::string> list;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (images[i].status != MosaicImageStatus::placed) continue;
    const double uncertainty = connected.choice.uncertainty[i];
    const int details = shared_details(static_cast<int>(i), pairs);
    if (uncertainty > (details < few ? largest_of_few : largest)) {
      list.push_back(
          fmt::format("the place of '{}' is known only within about {:.1f} pixels: it shares {} details with "
                      "the others",
                      images[i].name, uncertainty, details));
    }
  }
  return list;
}

}  // namespace

std::vector<MosaicImage> with_statuses(std::vector<MosaicImage> images, const Connected& connected) {
  const std::vector<int>& group = connected.group;
  for (std::size_t i = 0; i < images.size(); ++i) {
    MosaicImage& image = images[i];
    if (!is_wanted(image)) continue;
    if (connected.found && group[i] == 0) {
      image.status = MosaicImageStatus::placed;
      continue;
    }
    std::vector<std::string> others;
    for (std::size_t k = 0; k < group.size(); ++k) {
      if (k != i && group[k] == group[i]) others.push_back("'" + images[k].name + "'");
    }
    if (others.empty()) {
      image.status = MosaicImageStatus::no_overlap;
      image.reason = has_copies(images, i)
                         ? "the only image that overlaps it is a copy of it"
                         : "it overlaps no other image: " + best_pair_of(static_cast<int>(i), connected.pairs, images);
    } else {
      image.status = MosaicImageStatus::second_panorama;
      image.reason = "it belongs to another panorama, with " + others.front();
      if (others.size() > 1) image.reason += fmt::format(" and {} more", others.size() - 1);
    }
  }
  return images;
}

std::string reason_of_none(const std::vector<MosaicImage>& images, const std::vector<MosaicPair>& pairs) {
  const auto count = [&](MosaicImageStatus status) {
    return std::count_if(images.begin(), images.end(),
                         [status](const MosaicImage& image) { return image.status == status; });
  };
  const auto loaded = std::ssize(images) - count(MosaicImageStatus::failed);
  if (loaded == 0) return "no image can be read";
  if (loaded == 1) return "only one of the images can be read";
  if (count(MosaicImageStatus::identical) + 1 == loaded) return "the images are identical";
  const bool repeats = std::any_of(pairs.begin(), pairs.end(),
                                   [](const MosaicPair& pair) { return pair.status == MosaicPairStatus::undecidable; });
  return repeats ? "a pattern repeats, so that nothing decides where the images lie" : "no two images overlap";
}

std::vector<MosaicPair> judged_pairs(const Connected& connected, const std::vector<ImageSize>& sizes) {
  std::vector<MosaicPair> list;
  for (std::size_t i = 0; i < connected.pairs.size(); ++i) {
    const VerifiedPair& pair = connected.pairs[i];
    MosaicPair& judged = list.emplace_back(pair.report);
    const bool is_member = connected.is_member(judged.a) && connected.is_member(judged.b);
    const bool is_related =
        judged.status != MosaicPairStatus::unrelated && judged.status != MosaicPairStatus::watermark;
    if (!connected.found || !is_related || !is_member) continue;
    const PairError error = error_of(connected.choice.frames, pair);
    judged.residual = error.all;
    judged.held_out = error.held_out;
    if (closes_a_loop(connected, i)) {
      judged.loop_error = loop_error(connected.tree, i, connected.pairs, connected.choice.frames, sizes);
    }
  }
  return list;
}

std::optional<double> largest_loop_error(const Connected& connected, const std::vector<MosaicPair>& judged) {
  std::optional<double> largest;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    if (closes_a_loop(connected, i)) largest = std::max(largest.value_or(0), judged[i].loop_error);
  }
  return largest;
}

std::vector<std::string> warnings_of(const Connected& connected, const std::vector<MosaicImage>& images,
                                     const std::vector<MosaicPair>& pairs, double threshold) {
  std::vector<std::string> list = warnings_of_model(connected.choice, threshold);
  for (const std::vector<std::string>& more :
       {warnings_of_depth(connected, images, threshold), warnings_of_pairs(connected, images, pairs, threshold),
        warnings_of_images(connected, images, pairs), warnings_of_agreement(connected, images)}) {
    list.insert(list.end(), more.begin(), more.end());
  }
  return list;
}

}  // namespace octavo::mosaic
