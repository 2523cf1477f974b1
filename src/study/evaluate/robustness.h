#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/io/collection.h"
#include "octavo/io/image_formats.h"
#include "study/evaluate/comparison.h"
#include "study/evaluate/distortion.h"

// Photographs changed in known ways, as scenes for a comparison: how much change do features and matches survive?

namespace OCTAVO_INTERNAL_API octavo {

struct RobustnessOptions {
  std::vector<std::string> distortions{};  ///< names of those to go through (see octavo::distortions); empty: all
  std::uint64_t noise_seed = 0;            ///< the same seed gives the same images
  ReadOptions read{};                      ///< how photographs are read
  /// The folder to which images and homographies are written when a comparison makes them, as a data set in HPatches'
  /// layout, which find_dataset reads; empty: none.
  std::filesystem::path images{};
};

/// What the images of a scene were made from.
struct SceneOrigin {
  std::filesystem::path photograph;
  const Distortion* distortion = nullptr;  ///< the i-th other image of the scene has its i-th strength
};

struct DistortedScenes {
  std::vector<KnownScene> scenes;
  std::vector<SceneOrigin> origins;   ///< one for each scene
  std::vector<std::string> problems;  ///< a sentence for each photograph that cannot be read
};

/// The distortions that the options ask for, in the order of octavo::distortions. Throws Error(invalid_option) for a
/// name that is none of them.
std::vector<const Distortion*> distortions_of(const RobustnessOptions& options);

/// A scene for each photograph and distortion, with an image for each strength. A scene is called v_NAME_DISTORTION
/// where points move, otherwise i_NAME_DISTORTION. Throws Error(invalid_option) as distortions_of and if two scenes
/// would have one name, Error(file_error) where the folder `images` cannot be made.
DistortedScenes distorted_scenes(std::span<const ImageFile> photographs, const RobustnessOptions& options = {});

/// The pairs, as indices into Comparison::pairs, of the i-th strength of a distortion, over the photographs.
std::vector<std::size_t> pairs_at(const Comparison& comparison, const DistortedScenes& scenes,
                                  const Distortion& distortion, std::size_t strength);

}  // namespace octavo
