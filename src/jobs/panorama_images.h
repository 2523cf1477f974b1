#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "multiview/colmap/colmap_database.h"
#include "octavo/io/collection.h"
#include "octavo/io/image_formats.h"
#include "octavo/jobs/collection_jobs.h"
#include "octavo/multiview/panorama.h"
#include "octavo/multiview/sfm.h"
#include "octavo/progress.h"

namespace octavo::jobs {

/// How the panoramas among photographs become views.
struct PanoramaCut {
  std::vector<ImageFile> photographs{};
  PanoramaOptions options{};
  ReadOptions read{};
  std::filesystem::path mask{};      ///< as ColmapJob::mask; what it hides of a panorama alpha hides of the views
  std::filesystem::path folder{};    ///< of the views
  std::filesystem::path database{};  ///< of the model; it need not be there
};

/// The images of a model: the views of panoramas, and the other photographs.
struct ModelImages {
  std::filesystem::path folder{};                 ///< that the names begin at
  std::vector<ImageFile> images{};                ///< in the order of the photographs
  std::vector<std::size_t> photograph_of{};       ///< of each image: its photograph
  std::vector<ImageFile> photographs{};           ///< by their names; without panoramas that failed
  std::vector<SfmPanorama> panoramas{};           ///< their names and views
  std::map<std::string, ColmapCamera> cameras{};  ///< of the views, by their names
};

/// Cuts the panoramas into views, and links the other photographs beside them. Views of "a/b.jpg" are
/// FOLDER/a/b.jpg/yaw000.jpg …; they appear together, with a note that says of which panorama they are, so that the
/// same call again takes them as they are. Views of 16 bits and those with alpha are PNG, those of floats TIFF. They
/// have the EXIF data of the panorama, but for what tells of its pixels. Where there are no panoramas nothing is
/// written, and `folder` of the result is empty. A panorama that is no whole one fails, and is left out. None: it was
/// stopped. Throws Error(file_error) for a folder that is there and is of other options or of anything else, and for a
/// panorama that is in the database as an ordinary photograph.
std::optional<ModelImages> cut_panoramas(const PanoramaCut& job, const JobContext& context);

/// The pairs that a text names (pairs_by_text) of such images. By order and by a list panoramas are paired as they are,
/// with all of their views; by likeness views are paired, each with as many images besides those of its own panorama.
/// Views of one panorama have no pairs with each other. `job` is without images.
PairList pairs_of_views(const std::string& text, const ModelImages& images, PairsJob job, const JobContext& context);

}  // namespace octavo::jobs
