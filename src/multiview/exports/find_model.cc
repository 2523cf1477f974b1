// COLMAP's programs leave models in several places: mappers in sparse/0, sparse/1 …, the undistorter in sparse.

#include "multiview/exports/find_model.h"

#include <fmt/core.h>

#include <array>

#include "multiview/sfm/model_numbers.h"
#include "octavo/error.h"

namespace octavo::exports {

namespace fs = std::filesystem;

fs::path find_model(const fs::path& place) {
  for (const fs::path& folder : std::array{place, place / "sparse"}) {
    if (fs::exists(folder / "cameras.bin") || fs::exists(folder / "cameras.txt")) return folder;
    if (!fs::is_directory(folder)) continue;
    const std::vector<SfmModelResult> models = sfm::read_models(folder);
    if (!models.empty()) return models.front().folder;
  }
  throw Error(ErrorCode::file_error, fmt::format("there is no model in '{}': neither cameras.bin nor cameras.txt, nor "
                                                 "a folder sparse or 0 with one that has points",
                                                 place.string()));
}

}  // namespace octavo::exports
