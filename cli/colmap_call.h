#pragma once

// The part that octavo colmap and octavo sfm share: images and pairs become a database of COLMAP.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "octavo/io/find_images.h"
#include "octavo/io/read_options.h"
#include "octavo/multiview/colmap_job.h"

namespace octavo::cli {

class Command;
class Work;

/// What the command line says about a database.
struct ColmapCall {
  ColmapCall() { job.detector = SiftOptions{.max_features = 8192}; }  // as COLMAP

  std::vector<std::string> places;  ///< of images: files, folders, patterns
  bool recursive = false;
  ReadOptions read;
  std::string pairs = "all";  ///< all, sequential:N, retrieval:K, or a file
  ColmapJob job;              ///< fill_database adds images and pairs
};

/// Adds --pairs, --recursive and the options of reading, cameras, matching, robust geometry, detectors and devices.
void add_colmap_options(Command& command, ColmapCall& call);

/// Refuses options that are given, but have no effect, and a wrong number in --pairs. Throws WrongCall.
void require_effects(const Command& command, const ColmapCall& call);

/// The images of the call. Throws WrongCall for names that occur twice, and Error for a database that
/// cannot be written or is one of the files that are read.
ImageFiles colmap_images(const ColmapCall& call, const std::filesystem::path& database);

/// Chooses the pairs of the images, if it has any, and fills the database; a call without images leaves it alone.
/// Ends the program if that is interrupted. Throws as fill_colmap_database does.
ColmapSummary fill_database(ColmapCall& call, ImageFiles found, bool has_pairs,
                            const std::function<ColmapSummary(const ColmapJob&, const JobContext&)>& fill, Work& work);

}  // namespace octavo::cli
