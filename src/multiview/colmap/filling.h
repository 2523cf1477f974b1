#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/images/masks.h"
#include "multiview/colmap/colmap_database.h"
#include "multiview/colmap/feature_source.h"
#include "multiview/colmap/pair_matching.h"
#include "octavo/api.h"
#include "octavo/keypoint.h"
#include "octavo/multiview/colmap_job.h"

namespace OCTAVO_API octavo {
struct Photograph;  // octavo/io/image_files.h
}  // namespace octavo

namespace octavo::colmap {

/// Two images by their image_id; the first is the smaller.
using IdPair = std::pair<std::int64_t, std::int64_t>;

/// The work of a job, or of one of its shards, into a database. What the database has is left out. Each image and
/// each pair is one transaction, so a job that is killed goes on from there.
class Filling {
 public:
  /// All must outlive the object.
  Filling(const ColmapJob& job, ColmapDatabase& database, const JobContext& context)
      : job_(job), database_(database), context_(context) {}

  /// How images get cameras.
  enum class Cameras {
    shared,  ///< as the job says
    noted,   ///< each has its own, and a note has its key (camera_note): only all images tell who shares one
  };
  void extract(std::span<const ImageFile> images, Cameras cameras);

  /// The pairs of the job whose images `source` has, in their order.
  std::set<IdPair> pairs_in(const FeatureSource& source);
  /// Matches these pairs with the features of `source`.
  void match(const std::set<IdPair>& pairs, const FeatureSource& source);
  /// The name of an image of pairs_in.
  [[nodiscard]] const std::string& name_of(std::int64_t image) const { return names_.at(image); }

  /// Whether the job was asked to stop. Once it is so it stays.
  bool is_stopped() { return is_stopped_ = is_stopped_ || context_.stop.stop_requested(); }
  /// Ends the work, unless the job was stopped.
  ColmapSummary finish();

 private:
  // That of the job, whose progress the context is told.
  [[nodiscard]] DeviceOptions device() const;
  void fail(const std::string& sentence);
  void tell(std::string_view stage, std::string_view name, std::size_t done, std::size_t total) const;
  [[nodiscard]] ColmapImage row_of(const ImageFile& image, const Photograph& facts, ImageSize size) const;
  [[nodiscard]] Masks masks_of_job() const;
  void extract_by_detector(std::span<const ImageFile* const> images, Cameras cameras);
  void take_given(std::span<const ImageFile* const> images, Cameras cameras);
  void store(const ImageFile& image, ImageSize size, const Photograph& facts, const Features& features,
             Cameras cameras);
  [[nodiscard]] bool is_known(const ImageFile& image) const {
    return job_.known_cameras.contains(image.name.generic_string());
  }
  bool is_done(const IdPair& pair);
  std::vector<IdPair> missing_pairs(const std::set<IdPair>& pairs, const FeatureSource& source);
  void add(const MatchedPair& pair);
  [[nodiscard]] bool verifies() const { return job_.options.verify != ColmapOptions::Verify::none; }
  [[nodiscard]] std::uint64_t memory() const { return std::uint64_t{job_.options.feature_memory} << 20; }
  [[nodiscard]] std::uint64_t gpu_memory() const { return std::uint64_t{job_.options.gpu_feature_memory} << 20; }

  const ColmapJob& job_;
  ColmapDatabase& database_;
  const JobContext& context_;
  ColmapSummary summary_;
  std::map<std::int64_t, std::string> names_;  // of the images of pairs
  bool is_stopped_ = false;
};

}  // namespace octavo::colmap
