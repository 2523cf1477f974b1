#pragma once

// The mappers that can be installed, and how each is called.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/multiview/sfm.h"

namespace octavo::sfm {

/// What a mapper works on.
struct MapperJob {
  std::filesystem::path photographs, database, pairs, output;
  std::filesystem::path input{};  ///< the model to which images are added; empty: models are made
  int threads = 1, seed = 0;
};

/// Throws Error(file_error): the sentence, and how to get a mapper.
[[noreturn]] void refuse_mapper(const std::string& sentence);

/// COLMAP or pycolmap: the mapper itself, or what is there beside the program glomap, which only makes models. Throws
/// Error(file_error) if nothing is.
SfmMapper beside_glomap(const SfmMapper& mapper);

/// The command line, as words, that verifies the pairs of `job.pairs`. Throws as beside_glomap does.
std::vector<std::string> verify_command(const SfmMapper& mapper, const MapperJob& job);

/// The command line that makes models in the folder `job.output`, or, with `job.input`, this model with more images.
/// Throws Error(file_error) for the latter by a GLOMAP without COLMAP or pycolmap beside it.
std::vector<std::string> map_command(const SfmMapper& mapper, const MapperJob& job);

/// The number of images that are registered when a mapper prints this line; 0 if the line does not say.
std::size_t registered_by(std::string_view line);

/// The words of the options `wanted`, name and value by turns, that the manual of a program has. Versions of COLMAP
/// have different names for the same option.
std::vector<std::string> known_options(std::string_view manual, const std::vector<std::pair<std::string, int>>& wanted);

}  // namespace octavo::sfm
