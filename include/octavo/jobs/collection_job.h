#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "octavo/api.h"
#include "octavo/io/collection.h"
#include "octavo/io/shard.h"
#include "octavo/multiview/colmap_job.h"
#include "octavo/multiview/sfm.h"
#include "octavo/progress.h"

// The photographs of a collection become a database of COLMAP, and a model of cameras and points.

namespace OCTAVO_API octavo {

struct CollectionJob {
  ImageFiles found;           ///< its problems are told as failures
  std::string pairs = "all";  ///< as pairs_by_text takes it
  std::filesystem::path database;
  ColmapJob colmap{};            ///< without images and pairs, which the above give
  std::optional<Shard> shard{};  ///< the database is then a part for merge_parts: of the images, or
  /// of the pairs, with the features of this database, which is only read; empty: the shard extracts the images.
  std::filesystem::path features{};
};

/// Chooses the pairs and fills the database, as fill_colmap_database describes it; without images it is left alone.
/// Throws what that throws, Error(invalid_option) also for names that occur twice, a database that is read, and pairs
/// by likeness in a shard; Error(file_error) for a database that cannot be written.
ColmapSummary make_database(CollectionJob job, const JobContext& context = {});

struct ModelJob {
  std::filesystem::path photographs{};  ///< the folder
  std::filesystem::path folder{};       ///< of the model, which is made
  std::filesystem::path database{};  ///< of the photographs, which is made already; empty: FOLDER/database.db is made
  bool recursive = false;            ///< also the photographs in subfolders
  CollectionJob collection{};        ///< how it is made; `found` and `database` are those above
  SfmOptions options{};
};

struct MadeModel {
  ColmapSummary database{};  ///< if it was made
  SfmResult result{};        ///< without images if there are no photographs
  bool is_finished = false;  ///< false: it was stopped, and the same job goes on
};

/// Makes the database, unless it is there, and models of it (reconstruct), and writes the page FOLDER/report.html. The
/// result has the failures of both as `problems`. Throws what make_database and reconstruct throw, before the work
/// where that is known; Error(file_error) for a folder of photographs that is not there.
MadeModel make_model(const ModelJob& job, const JobContext& context = {});

}  // namespace octavo
