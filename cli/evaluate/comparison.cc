// Goes through the scenes, image by image; every image is read once, however many settings look at it.

#include "cli/evaluate/comparison.h"

#include "cli/progress.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

ImageSize size_of(const Image& image) { return {image.width(), image.height()}; }

std::vector<Features> features_of(const Image& image, const std::filesystem::path& name,
                                  std::span<Contender> contenders) {
  std::vector<Features> found;
  for (Contender& contender : contenders) found.push_back(contender.features(image, name));
  return found;
}

// Does a step, or notes why it cannot be done, naming the image.
template <class Step>
bool attempt(std::vector<std::string>& problems, const std::filesystem::path& name, const Step& step) try {
  step();
  return true;
} catch (const Error& error) {
  const std::string sentence = error.what();
  const bool is_named = sentence.find(name.string()) != std::string::npos;
  problems.push_back(is_named ? sentence : name.string() + ": " + sentence);
  return false;
}

}  // namespace

Comparison compare(std::span<const Scene> scenes, std::span<Contender> contenders, const RobustOptions& robust) {
  Comparison comparison;
  std::size_t images = 0, done = 0;
  for (const Scene& scene : scenes) images += 1 + scene.others.size();
  Progress progress(images);
  for (std::size_t s = 0; s < scenes.size(); ++s) {
    const Scene& scene = scenes[s];
    ImageSize size_a;
    std::vector<Features> features_a;
    progress.show(done, scene.first_name.string());
    const bool begun = attempt(comparison.problems, scene.first_name, [&] {
      const Image image = scene.first();
      size_a = size_of(image);
      features_a = features_of(image, scene.first_name, contenders);
    });
    ++done;
    if (!begun) {
      done += scene.others.size();
      continue;
    }
    for (std::size_t i = 0; i < scene.others.size(); ++i) {
      const Scene::Other& other = scene.others[i];
      progress.show(done++, other.name.string());
      attempt(comparison.problems, other.name, [&] {
        const Scene::Shown shown = other.show();
        const ImageSize size_b = size_of(shown.image);
        check(shown.truth, size_a, size_b);
        const std::vector<Features> features_b = features_of(shown.image, other.name, contenders);
        ComparedPair pair{.scene = s, .other = i, .scores = {}};
        for (std::size_t c = 0; c < contenders.size(); ++c) {
          pair.scores.push_back(contenders[c].score(features_a[c], features_b[c], shown.truth, size_a, size_b, robust));
        }
        comparison.pairs.push_back(std::move(pair));
      });
    }
  }
  return comparison;
}

}  // namespace octavo::cli
