// Goes through the scenes, image by image; every image is read once, however many settings look at it.

#include "cli/evaluate/comparison.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "cli/progress.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

ImageSize size_of(const Image& image) { return {image.width(), image.height()}; }

std::vector<Features> features_of(const Image& image, const std::optional<Image>& mask, const ImageName& name,
                                  std::span<Contender> contenders) {
  std::vector<Features> found;
  for (Contender& contender : contenders) found.push_back(contender.features(image, mask, name));
  return found;
}

// The first image of a scene. Its features are found when they are needed, and again only where another part counts.
class First {
 public:
  First(Image image, const ImageName& name, std::span<Contender> contenders)
      : image_(std::move(image)), name_(name), contenders_(contenders) {}

  [[nodiscard]] ImageSize size() const { return size_of(image_); }

  const std::vector<Features>& features(const std::optional<Image>& mask) {
    if (!is_of_whole_ || mask) {
      is_of_whole_ = false;
      features_ = features_of(image_, mask, name_, contenders_);
      is_of_whole_ = !mask;
    }
    return features_;
  }

 private:
  Image image_;
  const ImageName& name_;
  std::span<Contender> contenders_;
  std::vector<Features> features_;
  bool is_of_whole_ = false;
};

// Does a step, or notes why it cannot be done, naming the image; errors of files name theirs already.
template <class Step>
bool attempt(std::vector<std::string>& problems, const ImageName& name, const Step& step) try {
  step();
  return true;
} catch (const Error& error) {
  const bool is_named = error.code() == ErrorCode::file_error;
  const std::string sentence = is_named ? error.what() : fmt::format("cannot use {}: {}", name.told, error.what());
  if (std::find(problems.begin(), problems.end(), sentence) == problems.end()) problems.push_back(sentence);
  return false;
}

// The shares of a pair that are 0 because correspondences judge none of what was found.
std::vector<std::string> unjudged(const PairScores& scores) {
  std::vector<std::string> shares;
  if (scores.keypoints_a + scores.keypoints_b > 0 && scores.points_a + scores.points_b == 0) {
    shares.emplace_back("repeatability");
  }
  if (scores.mutual_matches > 0 && scores.mutual_judged == 0) shares.emplace_back("MMA");
  if (scores.matches > 0 && scores.judged == 0) shares.emplace_back("precision");
  return shares;
}

}  // namespace

Comparison compare(std::span<const Scene> scenes, std::span<Contender> contenders, const RobustOptions& robust,
                   bool covisible_only) {
  Comparison comparison;
  std::size_t images = 0, done = 0;
  for (const Scene& scene : scenes) images += 1 + scene.others.size();
  Progress progress(images);
  for (std::size_t s = 0; s < scenes.size(); ++s) {
    const Scene& scene = scenes[s];
    std::optional<First> first;
    progress.show(done, scene.first_name.path.string());
    attempt(comparison.problems, scene.first_name, [&] { first.emplace(scene.first(), scene.first_name, contenders); });
    ++done;
    if (!first) {
      done += scene.others.size();
      continue;
    }
    for (std::size_t i = 0; i < scene.others.size(); ++i) {
      const Scene::Other& other = scene.others[i];
      progress.show(done++, other.name.path.string());
      attempt(comparison.problems, other.name, [&] {
        const Scene::Shown shown = other.show();
        const ImageSize size_a = first->size(), size_b = size_of(shown.image);
        check(shown.truth, size_a, size_b);
        const Covisible masks = covisible_only ? covisible(shown.truth, size_a, size_b) : Covisible{};
        const std::vector<Features>& features_a = first->features(masks.a);
        const std::vector<Features> features_b = features_of(shown.image, masks.b, other.name, contenders);
        ComparedPair pair{.scene = s, .other = i, .scores = {}};
        for (std::size_t c = 0; c < contenders.size(); ++c) {
          pair.scores.push_back(contenders[c].score(features_a[c], features_b[c], shown.truth, size_a, size_b, robust));
          const std::vector<std::string> shares = unjudged(pair.scores.back());
          if (shares.empty()) continue;
          comparison.warnings.push_back(
              fmt::format("setting '{}': {}: no known point is near enough to judge {}, 0 stands there",
                          contenders[c].setting().name, other.name.told, fmt::join(shares, ", ")));
        }
        comparison.pairs.push_back(std::move(pair));
      });
    }
  }
  for (const Contender& contender : contenders) {
    if (const std::string shortage = contender.shortage(); !shortage.empty()) comparison.warnings.push_back(shortage);
  }
  return comparison;
}

}  // namespace octavo::cli
