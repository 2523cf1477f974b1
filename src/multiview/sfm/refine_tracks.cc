// The keypoints of a track are placed by a detector in each image for itself, a few tenths of a pixel from the point of
// the scene that they have in common. That of the largest scale, whose image shows most of it, is kept, and the others
// are moved to where their images show the same (Template; Dusmanu, Schönberger and Pollefeys, ECCV 2020, and
// Lindenberger et al., "Pixel-perfect structure-from-motion", ICCV 2021, do so with learned features). Patches of some
// tracks are in memory at a time; the photographs are read again for the next ones.

#include "multiview/sfm/refine_tracks.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <opencv2/core/utility.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/sqlite/sqlite.h"
#include "multiview/refine/template.h"
#include "multiview/sfm/database_copy.h"
#include "multiview/sfm/tracks.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo::sfm {
namespace {

namespace fs = std::filesystem;
using refine::Patch;

constexpr std::size_t most_patches = std::size_t{1} << 19;  // in memory: half a gigabyte

struct Sample {
  TrackKeypoint at;
  std::optional<Patch> patch{};
};

// Consecutive tracks, and all their keypoints one after the other.
struct Batch {
  std::vector<std::size_t> ends{};  // of each track, in `samples`
  std::vector<Sample> samples{};
};

void for_each(std::size_t count, const std::function<void(std::size_t)>& work) {
  cv::parallel_for_(cv::Range(0, static_cast<int>(count)), [&](const cv::Range& range) {
    for (int i = range.start; i < range.end; ++i) work(static_cast<std::size_t>(i));
  });
}

class Refinement {
 public:
  Refinement(std::vector<ImageKeypoints>& images, const fs::path& photographs, const JobContext& context)
      : images_(images), photographs_(photographs), context_(context), is_warned_(images.size()) {}

  void run(std::span<const Track> tracks) {
    Batch batch;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      for (const TrackKeypoint& one : tracks[i]) batch.samples.push_back({one});
      batch.ends.push_back(batch.samples.size());
      if (batch.samples.size() < most_patches && i + 1 < tracks.size()) continue;
      look(batch);
      move(batch);
      batch = {};
    }
  }

 private:
  // Takes the patches of the batch, image by image.
  void look(Batch& batch) {
    std::vector<std::vector<std::size_t>> of_image(images_.size());
    for (std::size_t i = 0; i < batch.samples.size(); ++i) of_image[batch.samples[i].at.image].push_back(i);
    for (std::size_t image = 0; image < images_.size(); ++image) {
      if (context_.stop.stop_requested()) throw Error(ErrorCode::file_error, "the refinement was ended by a request");
      if (of_image[image].empty()) continue;
      report(context_.progress, "images refined", image, images_.size());
      const std::optional<refine::PatchImage> photograph = read(image);
      if (!photograph) continue;
      for_each(of_image[image].size(), [&](std::size_t i) {
        Sample& sample = batch.samples[of_image[image][i]];
        sample.patch = photograph->around(keypoint(sample.at));
      });
    }
  }

  void move(const Batch& batch) {
    for_each(batch.ends.size(), [&](std::size_t track) {
      const std::size_t first = track == 0 ? 0 : batch.ends[track - 1];
      const std::span<const Sample> samples(batch.samples.data() + first, batch.ends[track] - first);
      const auto best = std::ranges::max_element(
          samples, {}, [&](const Sample& one) { return one.patch ? keypoint(one.at).scale : 0; });
      if (!best->patch) return;
      const refine::Template shown(*best->patch);
      for (const Sample& one : samples) {
        if (&one == &*best || !one.patch) continue;
        if (const auto found = shown.found(keypoint(one.at), *one.patch)) keypoint(one.at) = *found;
      }
    });
  }

  std::optional<refine::PatchImage> read(std::size_t index) {
    const ImageKeypoints& image = images_[index];
    try {
      const Image photograph = read_image(photographs_ / image.name, {.apply_exif_rotation = false});
      const ImageSize size{photograph.width(), photograph.height()};
      if (size == image.size) return refine::PatchImage(photograph.view());
      warn(index, fmt::format("'{}' is {} × {} pixels, but {} × {} in the database", image.name, size.width,
                              size.height, image.size.width, image.size.height));
    } catch (const Error& error) {
      warn(index, error.what());
    }
    return {};
  }

  void warn(std::size_t image, const std::string& why) {
    if (is_warned_[image]) return;
    is_warned_[image] = true;
    report_warning(context_, fmt::format("{}: its keypoints are not refined", why));
  }

  Keypoint& keypoint(const TrackKeypoint& at) { return images_[at.image].keypoints[at.keypoint]; }

  std::vector<ImageKeypoints>& images_;
  const fs::path& photographs_;
  const JobContext& context_;
  std::vector<bool> is_warned_;
};

}  // namespace

void write_refined_copy(const fs::path& database, const fs::path& photographs, const fs::path& copy,
                        const JobContext& context) {
  copy_database(database, copy, [](const std::string& table) { return table == "descriptors" ? "WHERE 0" : ""; });
  sqlite::Database made(copy, false, "database");
  made.call("database", database);
  std::vector<ImageKeypoints> images = read_keypoints(made, database);
  Refinement(images, photographs, context).run(read_tracks(made, images, database));
  sqlite::Transaction transaction(made);
  for (const ImageKeypoints& image : images) write_places(made, image);
  transaction.commit();
}

}  // namespace octavo::sfm
