#pragma once

// COLMAP's own tools, which undistort images and convert models.

#include <filesystem>

#include "octavo/multiview/sfm.h"
#include "octavo/progress.h"

namespace octavo::exports {

/// What a tool works on.
struct ToolJob {
  SfmMapper tool;                    ///< COLMAP or pycolmap (sfm::beside_glomap)
  std::filesystem::path model, log;  ///< the folder of a model; the file that gets what the tool prints
};

/// Makes images without distortion and their model in the folder `output`, which is there: `images`, with the names of
/// the model, `sparse` with PINHOLE cameras, and what COLMAP's dense reconstruction begins with. Throws
/// Error(file_error) for a tool that fails, with its last line, and for a stop.
void undistort(const ToolJob& job, const std::filesystem::path& photos, const std::filesystem::path& output,
               const JobContext& context);

/// Throws Error(file_error) for the tool pycolmap, which has no converter to Bundler.
void require_bundler_tool(const SfmMapper& tool);

/// Makes `bundle.out` and `list.txt` in the folder `output`, which is there, by the program COLMAP. Throws as undistort
/// does.
void convert_to_bundler(const ToolJob& job, const std::filesystem::path& output, const JobContext& context);

}  // namespace octavo::exports
