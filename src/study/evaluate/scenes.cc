// The sequences of a data set as scenes. Images are read when a comparison needs them.

#include <fmt/core.h>

#include "octavo/io/image_files.h"
#include "study/evaluate/comparison.h"
#include "study/evaluate/known_view.h"

namespace octavo {

std::vector<KnownScene> scenes_of(const Dataset& dataset, const std::filesystem::path& root,
                                  const ReadOptions& options) {
  const auto reader = [&](const std::filesystem::path& path) {
    return [file = root / path, options] { return read_image(file, options); };
  };
  const auto named = [&](const std::filesystem::path& path) {
    return ImageName{path, fmt::format("'{}'", (root / path).string())};
  };
  std::vector<KnownScene> scenes;
  for (const Sequence& sequence : dataset.sequences) {
    KnownScene scene{
        .name = sequence.name, .first_name = named(sequence.first), .first = reader(sequence.first), .others = {}};
    for (const TruePair& pair : sequence.others) {
      scene.others.push_back({named(pair.image), [read = reader(pair.image), truth = pair.truth] {
                                return KnownView{read(), truth};
                              }});
    }
    scenes.push_back(std::move(scene));
  }
  return scenes;
}

}  // namespace octavo
