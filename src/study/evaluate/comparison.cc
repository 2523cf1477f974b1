// Compares pipelines on scenes, image by image. Every image is made once for all pipelines.

#include "study/evaluate/comparison.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <new>
#include <optional>

#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/pair_scores.h"
#include "study/evaluate/known_view.h"

namespace octavo {
namespace {

ImageSize size_of(const Image& image) { return {image.width(), image.height()}; }

std::vector<Features> features_of(const Image& image, const std::shared_ptr<Image>& mask, const ImageName& name,
                                  std::span<Pipeline> pipelines) {
  std::vector<Features> found;
  for (Pipeline& pipeline : pipelines)
    found.push_back(pipeline.features(image.view(), mask ? &mask->view() : nullptr, name));
  return found;
}

// The first image of a scene. Its features are found when they are needed, and again only if the mask changes.
class First {
 public:
  First(Image image, const ImageName& name, std::span<Pipeline> pipelines)
      : image_(std::move(image)), name_(name), pipelines_(pipelines) {}

  [[nodiscard]] ImageSize size() const { return size_of(image_); }
  [[nodiscard]] const ImageView& image() const { return image_.view(); }

  const std::vector<Features>& features(const std::shared_ptr<Image>& mask) {
    if (!is_of_whole_ || mask) {
      is_of_whole_ = false;
      features_ = features_of(image_, mask, name_, pipelines_);
      is_of_whole_ = !mask;
    }
    return features_;
  }

 private:
  Image image_;
  const ImageName& name_;
  std::span<Pipeline> pipelines_;
  std::vector<Features> features_;
  bool is_of_whole_ = false;
};

void note(std::vector<std::string>& problems, const std::string& sentence) {
  if (std::find(problems.begin(), problems.end(), sentence) == problems.end()) problems.push_back(sentence);
}

// Runs a step. If it fails, adds a problem that names the image. The message of a file error names its file already.
template <class Step>
void attempt(std::vector<std::string>& problems, const ImageName& name, const Step& step) try {
  step();
} catch (const Error& error) {
  const bool is_named = error.code() == ErrorCode::file_error;
  note(problems, is_named ? error.what() : fmt::format("cannot use {}: {}", name.label, error.what()));
} catch (const std::bad_alloc&) {
  note(problems, fmt::format("cannot use {}: out of memory", name.label));
}

// The names of a pair's shares that are 0 because the truth judges no keypoint or no match.
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

Comparison compare(std::span<const KnownScene> scenes, std::span<Pipeline> pipelines, const CompareOptions& options) {
  validate(options.robust);
  Comparison comparison;
  std::size_t images = 0, done = 0;
  for (const KnownScene& scene : scenes) images += 1 + scene.others.size();
  const auto show_progress = [&](const ImageName& next) {
    if (options.progress) options.progress(done, images, next);
  };
  for (std::size_t s = 0; s < scenes.size(); ++s) {
    const KnownScene& scene = scenes[s];
    if (options.stop.stop_requested()) break;
    std::optional<First> first;
    show_progress(scene.first_name);
    attempt(comparison.problems, scene.first_name, [&] { first.emplace(scene.first(), scene.first_name, pipelines); });
    ++done;
    if (!first) {
      done += scene.others.size();
      continue;
    }
    for (std::size_t i = 0; i < scene.others.size(); ++i) {
      const KnownScene::Other& other = scene.others[i];
      if (options.stop.stop_requested()) break;
      show_progress(other.name);
      ++done;
      attempt(comparison.problems, other.name, [&] {
        const KnownView view = other.view();
        const ImageSize size_a = first->size(), size_b = size_of(view.image);
        check(view.truth, size_a, size_b);
        const Covisible masks = options.covisible_only ? covisible(view.truth, size_a, size_b) : Covisible{};
        const std::vector<Features>* features_a = nullptr;
        attempt(comparison.problems, scene.first_name, [&] { features_a = &first->features(masks.a); });
        if (features_a == nullptr) return;
        const std::vector<Features> features_b = features_of(view.image, masks.b, other.name, pipelines);
        ComparedPair pair{.scene = s, .other = i, .scores = {}};
        std::vector<std::string> warnings;
        for (std::size_t c = 0; c < pipelines.size(); ++c) {
          pair.scores.push_back(pipelines[c].score(first->image(), (*features_a)[c], view.image.view(), features_b[c],
                                                   view.truth, options.robust));
          const std::vector<std::string> shares = unjudged(pair.scores.back());
          if (shares.empty()) continue;
          const char* const reason = std::holds_alternative<TrueHomography>(view.truth)
                                         ? "no keypoint lies where both images show it"
                                         : "no known point is near enough";
          warnings.push_back(fmt::format("configuration '{}': {}: {}; 0 stands for {}", pipelines[c].name(),
                                         other.name.label, reason, fmt::join(shares, ", ")));
        }
        comparison.pairs.push_back(std::move(pair));
        comparison.warnings.insert(comparison.warnings.end(), warnings.begin(), warnings.end());
      });
    }
  }
  for (const Pipeline& pipeline : pipelines) {
    if (const std::string shortage = pipeline.shortage(); !shortage.empty()) comparison.warnings.push_back(shortage);
  }
  return comparison;
}

std::vector<PairGroup> groups_by_change(const Comparison& comparison, std::span<const KnownScene> scenes) {
  std::vector<PairGroup> groups{{"all", {}}, {"illumination", {}}, {"viewpoint", {}}};
  for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
    const std::string folder = std::filesystem::path(scenes[comparison.pairs[i].scene].name).filename().string();
    groups[0].pairs.push_back(i);
    if (folder.starts_with("i_")) groups[1].pairs.push_back(i);
    if (folder.starts_with("v_")) groups[2].pairs.push_back(i);
  }
  std::erase_if(groups, [&](const PairGroup& group) {
    return group.name != "all" && (group.pairs.empty() || group.pairs.size() == comparison.pairs.size());
  });
  return groups;
}

std::vector<PairGroup> groups_by_scene(const Comparison& comparison, std::span<const KnownScene> scenes) {
  std::vector<PairGroup> groups;
  for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
    const std::string& name = scenes[comparison.pairs[i].scene].name;
    if (groups.empty() || groups.back().name != name) groups.push_back({name, {}});
    groups.back().pairs.push_back(i);
  }
  return groups;
}

std::vector<PairScores> scores_of(const Comparison& comparison, std::size_t pipeline,
                                  std::span<const std::size_t> pairs) {
  std::vector<PairScores> scores;
  for (const std::size_t i : pairs) scores.push_back(comparison.pairs[i].scores[pipeline]);
  return scores;
}

Summary summarise(const Comparison& comparison, std::size_t pipeline, std::span<const std::size_t> pairs) {
  return summarise(scores_of(comparison, pipeline, pairs));
}

}  // namespace octavo
