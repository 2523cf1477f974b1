#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/io/read_options.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"
#include "octavo/video/takes.h"
#include "octavo/video/video_file.h"

// Clips and images by the places where they were taken (Fassold and Rosner 2015). docs/places.md describes the method.

namespace OCTAVO_API octavo {

/// Clips and images at some places of the disk.
struct PlaceFiles {
  std::vector<std::filesystem::path> files;  ///< each once
  std::vector<std::string> problems;         ///< a sentence for each folder that gives none, or cannot be read
};

/// A folder gives the images and videos in it and in the folders below it (looks_like_image, looks_like_video), sorted.
/// Anything else is taken for a file, which need not exist.
PlaceFiles find_place_files(std::span<const std::string> places);

/// How much `find_places` compares and draws.
struct PlaceOptions {
  int max_frames = 12;          ///< of a shot that are matched, evenly spread; 0: all that MatchableViews chooses
  std::size_t neighbours = 30;  ///< match each frame with so many of other shots and images that look most alike
  int max_drawings = 100;       ///< of the page: pairs whose matches are drawn
  friend bool operator==(const PlaceOptions&, const PlaceOptions&) = default;
};

/// Name, range and meaning of every option.
template <>
const OptionTable<PlaceOptions>& option_table<PlaceOptions>();

/// Throws Error(invalid_option) for the first option out of range.
void validate(const PlaceOptions& options);

/// The images and videos whose places `find_places` finds.
struct PlaceJob {
  std::vector<std::filesystem::path> files;  ///< images by their names (looks_like_image); the others are clips
  PlaceOptions options{};
  ReadOptions read{};    ///< of images
  VideoOptions video{};  ///< of clips
  DeviceOptions device{};
  std::filesystem::path output{};  ///< the page, an HTML file; empty: none
};

/// A file that was read.
struct PlaceFile {
  std::filesystem::path file;
  std::optional<VideoFacts> clip;  ///< none: an image
};

/// An image, or a shot of a clip: what is at one place.
struct PlaceMember {
  std::size_t file = 0;        ///< index into FoundPlaces::files
  double in = 0, out = 0;      ///< [second] of the shot, as Shot has them; of an image both 0
  std::vector<double> frames;  ///< [second] the frames that were matched; of an image 0
};

/// Two frames whose geometry shows that they are of one place.
struct PlacePair {
  std::size_t a = 0, b = 0;              ///< indices into FoundPlaces::members
  double a_seconds = 0, b_seconds = 0;   ///< the times of the frames
  std::size_t inliers = 0, matches = 0;  ///< matches that agree, of how many
  bool is_plane = false;                 ///< by a homography; otherwise by a fundamental matrix
  bool is_sure = false;                  ///< twice as many agree as are needed
  bool joins = false;                    ///< the place hangs together by the pairs that join
};

/// Members that were taken at one place.
struct Place {
  std::vector<std::size_t> members;  ///< two or more, ascending
  std::vector<PlacePair> pairs;      ///< those with most inliers first
};

/// What `find_places` found.
struct FoundPlaces {
  std::vector<PlaceFile> files;      ///< those that could be read
  std::vector<PlaceMember> members;  ///< by files, then times
  std::vector<Place> places;         ///< those of most files first, then of most members
  std::vector<std::size_t> single;   ///< members that are in no place
  std::vector<PlacePair> doubtful;   ///< pairs that did not suffice to join two places
  std::vector<JunkShot> left_out;    ///< parts of clips that show nothing of a place; Shot::clip are indices of files
  bool is_finished = false;          ///< false: it was stopped, and there are no places
};

/// An object {"files", "places", "single", "doubtful", "left_out"} as `octavo video places --json` prints it.
std::string json_of(const FoundPlaces& found);

/// Finds the places, and writes the page, unless no file can be read. A file that cannot be read is told to the
/// context, and the others are grouped. Throws Error(invalid_option), Error(file_error) for a page that cannot be
/// written, Error(device_unavailable), Error(out_of_memory).
FoundPlaces find_places(const PlaceJob& job, const JobContext& context = {});

}  // namespace octavo
