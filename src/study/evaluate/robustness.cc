// Makes scenes of photographs and distortions. Every image is made when it is needed, so at most two images of a scene
// are in memory.

#include "study/evaluate/robustness.h"
#include "io/files/output_file.h"
#include "study/evaluate/distort.h"
#include "study/evaluate/known_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/option_table.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// The name of a sequence, as in HPatches: v_ for changes of viewpoint, i_ for effects of light and camera.
std::string folder_of(const fs::path& photograph, const Distortion& distortion) {
  std::string name = (photograph.parent_path() / photograph.stem()).string();
  std::replace(name.begin(), name.end(), '/', '_');
  return fmt::format("{}_{}_{}", distortion.moves ? "v" : "i", name, distortion.name);
}

// One photograph under one distortion. Scenes share it, as they may outlive the options.
struct Source {
  ImageFile photograph;
  const Distortion* distortion;
  RobustnessOptions options;
  fs::path folder;

  [[nodiscard]] std::string label() const { return fmt::format("'{}'", photograph.file.string()); }
  [[nodiscard]] fs::path path(std::size_t number) const { return folder / fmt::format("{}.png", number); }

  [[nodiscard]] Image first() const {
    Image image = undistorted(read_image(photograph.file, options.read).view());
    save(image, 1);
    return image;
  }

  [[nodiscard]] KnownView distorted(std::size_t i) const {
    const Image image = undistorted(read_image(photograph.file, options.read).view());
    Distorted made = changed(image, distortion->strengths[i]);
    const std::size_t number = i + 2;
    save(made.image, number);
    if (!options.images.empty()) {
      write_homography(options.images / folder / fmt::format("H_1_{}", number), made.b_from_a);
    }
    return {std::move(made.image), TrueHomography{made.b_from_a}};
  }

 private:
  // A photograph that is too small for one strength is too small for others too. The sentence names the photograph
  // only, so that it is the same for all strengths.
  [[nodiscard]] Distorted changed(const Image& image, double strength) const try {
    return distort(image.view(), distortion->name, strength, options.noise_seed);
  } catch (const Error& error) {
    throw Error(ErrorCode::file_error, fmt::format("cannot use {}: {}", label(), error.what()));
  }

  void save(const Image& image, std::size_t number) const {
    if (options.images.empty()) return;
    const fs::path file = options.images / path(number);
    make_folder(file.parent_path());
    write_image(file, image.view());
  }
};

KnownScene scene_of(const std::shared_ptr<const Source>& source) {
  KnownScene scene{.name = source->folder.string(),
                   .first_name = {source->path(1), source->label()},
                   .first = [source] { return source->first(); },
                   .others = {}};
  for (std::size_t i = 0; i < source->distortion->strengths.size(); ++i) {
    const std::string label =
        fmt::format("{}, {} {:g}", source->label(), source->distortion->name, source->distortion->strengths[i]);
    scene.others.push_back({{source->path(i + 2), label}, [source, i] { return source->distorted(i); }});
  }
  return scene;
}

void require_distinct_names(const std::vector<KnownScene>& scenes) {
  std::vector<std::string> names;
  for (const KnownScene& scene : scenes) names.push_back(scene.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return;
  throw Error(ErrorCode::invalid_option,
              fmt::format("two photographs would both be called {}; give them one call each", *twice));
}

}  // namespace

std::vector<const Distortion*> distortions_of(const RobustnessOptions& options) {
  const auto all = distortions();
  std::vector<std::string_view> known;
  for (const Distortion& one : all) known.push_back(one.name);
  for (const std::string& name : options.distortions) {
    if (std::find(known.begin(), known.end(), name) == known.end()) refuse_word("kinds", name, known);
  }
  std::vector<const Distortion*> wanted;
  for (const Distortion& one : all) {
    const auto& names = options.distortions;
    if (names.empty() || std::find(names.begin(), names.end(), one.name) != names.end()) wanted.push_back(&one);
  }
  return wanted;
}

DistortedScenes distorted_scenes(std::span<const ImageFile> photographs, const RobustnessOptions& options) {
  const std::vector<const Distortion*> wanted = distortions_of(options);
  if (!options.images.empty()) make_folder(options.images);
  DistortedScenes made;
  for (const ImageFile& photograph : photographs) {
    try {
      // Reads the photograph here, so that its problem is reported once and not for each scene.
      read_image(photograph.file, options.read);
    } catch (const Error& error) {
      made.problems.emplace_back(error.what());
      continue;
    }
    for (const Distortion* distortion : wanted) {
      const Source source{photograph, distortion, options, folder_of(photograph.name, *distortion)};
      made.scenes.push_back(scene_of(std::make_shared<const Source>(source)));
      made.origins.push_back({photograph.file, distortion});
    }
  }
  require_distinct_names(made.scenes);
  return made;
}

std::vector<std::size_t> pairs_at(const Comparison& comparison, const DistortedScenes& scenes,
                                  const Distortion& distortion, std::size_t strength) {
  std::vector<std::size_t> pairs;
  for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
    const ComparedPair& pair = comparison.pairs[i];
    if (scenes.origins[pair.scene].distortion == &distortion && pair.other == strength) pairs.push_back(i);
  }
  return pairs;
}

}  // namespace octavo
