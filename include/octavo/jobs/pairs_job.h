#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/io/camera_facts.h"
#include "octavo/io/find_images.h"
#include "octavo/io/image_pairs.h"
#include "octavo/io/read_options.h"
#include "octavo/io/shard.h"
#include "octavo/job.h"
#include "octavo/multiview/choose_pairs.h"
#include "octavo/vlad.h"

// Which pictures of a collection are to be matched, from the pictures or from their features.

namespace OCTAVO_API octavo {

struct PairsJob {
  std::vector<PictureFile> pictures;  ///< or files of features; their names differ from each other
  bool of_features = false;           ///< `pictures` are files of features (features_at)
  PairOptions options{};
  ReadOptions read{};
  DetectorOptions detector = retrieval_detector();
  DeviceOptions device{};
  bool all_similarities = false;  ///< ChosenPairs::similar has all other pictures, as draw_similarities needs them
};

struct ChosenPairs {
  std::vector<PicturePair> pairs;                    ///< by indices into the pictures, the smaller one first
  std::vector<std::vector<SimilarPicture>> similar;  ///< of retrieval: of each picture, the most similar one first
  std::vector<std::optional<GpsPlace>> places;       ///< of gps: of each picture
  /// A sentence for each picture that has no pairs since it has no features, or does not tell its place.
  std::vector<std::string> notes;
  double picture_seconds = 0;  ///< [second] wall time of reading and extracting the pictures
  double search_seconds = 0;   ///< [second] wall time of the comparison
  bool is_finished = false;    ///< false: it was stopped
};

/// Chooses the pairs. A picture that fails is told to the context and has no pairs. The result is the same on every
/// device. Throws Error(invalid_option), also for names that occur twice and for places of features, and
/// Error(device_unavailable).
ChosenPairs choose_pairs(const PairsJob& job, const JobContext& context = {});

/// Makes the part of a shard of the pictures, by their names, for merge_parts, which chooses the pairs by likeness.
/// `job` has all pictures; `problems` are sentences about places without pictures. None of the pictures: it was
/// stopped, and nothing is written. Throws Error(file_error), Error(invalid_option), also if the pairs are not chosen
/// by likeness, and Error(device_unavailable).
std::optional<std::size_t> write_pairs_shard(const std::filesystem::path& part, const PairsJob& job, const Shard& shard,
                                             const std::vector<std::string>& problems, const JobContext& context = {});

}  // namespace octavo
