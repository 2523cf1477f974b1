#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/io/image_formats.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"
#include "octavo/video/affinity.h"
#include "octavo/video/copy_segment.h"
#include "octavo/video/takes.h"
#include "octavo/video/video_archive.h"
#include "octavo/video/video_file.h"
#include "octavo/video/video_tracks.h"

// Jobs on videos: frames, drawn keypoints, two clips compared, takes, and places.

namespace OCTAVO_API octavo {

class Video;  // octavo/video/video.h

// Frames, taken out of videos: as images, as a list and as a contact sheet.

/// What was taken of a video.
struct TakenFrames {
  std::string clip;          ///< as it was given
  VideoFacts facts;          ///< what the file tells of itself
  std::int64_t decoded = 0;  ///< frames of the video that were decoded
  std::size_t taken = 0;     ///< those that were taken; of these:
  std::size_t black = 0, flat = 0, titles = 0, bars = 0, repeats = 0,
              interlaced = 0;  ///< what they show, and how they came
};

/// A line of text.
std::string text_of(const TakenFrames& taken);

/// What `take_frames` takes from a video.
struct FramesJob {
  std::vector<std::string> clips;
  std::function<Video(const VideoOptions&)> standard_input{};  ///< opens what "-" stands for; none: "-" is a file
  VideoOptions video{};                                        ///< without `colour`, which the job decides
  bool grey = false;                                           ///< grey images: the luma that detectors see
  std::filesystem::path output{};                              ///< the folder of the images; empty: there are none
  std::filesystem::path contact_sheet{};                       ///< an image of all frames; empty: there is none
  /// Is told the list as JSON, piece by piece, each as soon as its frame is there: an object, of several videos an
  /// array of objects. False ends the job. May be empty.
  std::function<bool(std::string_view piece)> list{};
  std::function<void(const TakenFrames&)> take{};  ///< is told each video at its end; may be empty
};

/// Takes the frames. A video that cannot be read is told to the context as a failure, what it had is in the list, and
/// the others are read. What the decoder says is a warning. A job that is stopped ends the list. Throws, before the
/// work, Error(invalid_option), also for videos of one name, whose images would overwrite each other, and for a sheet
/// of several videos; and Error(file_error) for outputs that cannot be written.
void take_frames(const FramesJob& job, const JobContext& context = {});

// From the frames of a clip to frames with drawn keypoints and tracks, in stages that run at the same time.

/// The film that `make_film` makes.
struct KeypointFilm {
  std::string clip;
  std::function<Video(const VideoOptions&)> standard_input{};  ///< opens the clip "-"; none: "-" is a file
  std::string output{};                                        ///< empty: the frames are not drawn
  int standard_output = -1;                                    ///< descriptor of the output "-"; −1: "-" is a file
  bool tracks = true, grey = false;
  VideoCodec codec = VideoCodec::automatic;
  VideoOptions video{};  ///< with `live`, frames for which there is no time are dropped; the job decides about `colour`
  TrackOptions track{};
  DetectorOptions detector{};
  DeviceOptions device{};
};

/// What was done, and at which rate.
struct FilmReport {
  VideoFacts facts;                    ///< what the file tells of itself
  std::vector<VideoWarning> warnings;  ///< what the decoder says
  std::string device, codec;           ///< the codec is empty without an output
  ImageSize size;                      ///< [pixel] of the first frame
  std::int64_t frames = 0;             ///< that were extracted
  std::int64_t dropped = 0;            ///< frames of a live clip that came too fast; the others are `frames`
  std::size_t keypoints = 0;           ///< of all frames
  TrackStatistics tracks;              ///< zeros without tracks
  double clip_seconds = 0;             ///< from the first frame to the end of the last one
  double seconds = 0;                  ///< that the work took
  /// All frames together. The first and the last are those of CPU cores in other processes, the others are waited for
  /// here. They overlap.
  double decode_seconds = 0, extract_seconds = 0, match_seconds = 0, draw_seconds = 0, encode_seconds = 0;
  std::string error;  ///< why the clip was not read to its end; empty: it was

  /// The share of a sum over all frames that a frame has in the mean; 0 without frames.
  [[nodiscard]] double per_frame(double sum) const;
  [[nodiscard]] double frames_per_second() const;  ///< of the work
  [[nodiscard]] double times_real_time() const;    ///< seconds of the clip for a second of the work
};

/// Does it. What the decoder says is told to the context as warnings, and as a failure why the clip was not read to its
/// end; the output then holds the frames before. A stop ends the work early, and well. Throws, before the work,
/// Error(invalid_option) and Error(file_error) for an output that cannot be written or is the clip; and the errors of a
/// clip that cannot be opened, of the extraction and of the output.
FilmReport make_film(const KeypointFilm& film, const JobContext& context = {});

/// The object that `octavo video keypoints --json` prints.
std::string json_of(const KeypointFilm& film, const FilmReport& report);
/// The same as a line of text, without its end.
std::string text_of(const KeypointFilm& film, const FilmReport& report);

// Two clips: the segments that both share, and their affinity matrix, with images and data.

/// The two clips of `compare`, and how they are compared.
struct CompareJob {
  std::filesystem::path a, b;     ///< a is the query
  std::filesystem::path image{};  ///< of the best segment (draw_copy), if there is one; empty: none
  CopyOptions copy{};             ///< what counts as a segment
  FurtherForms further{};         ///< of a, that are compared too
  VideoOptions video{};
  DeviceOptions device{};
};

/// Compares the clips. Throws what compare_clips throws, and, before the work, Error(invalid_option) and
/// Error(file_error) for an image that cannot be written or is one of the clips.
ClipComparison compare(const CompareJob& job, const JobContext& context = {});

/// The object that `octavo video compare --json` prints, with an indent.
std::string json_of(const CompareJob& job, const ClipComparison& found);
/// The same as text.
std::string text_of(const CompareJob& job, const ClipComparison& found);

/// What `find_affinity` compares, and what it draws.
struct AffinityJob {
  std::filesystem::path a, b;     ///< a's time runs down, b's to the right
  std::filesystem::path image{};  ///< the matrix, blocks and segments (draw_affinity); empty: none
  std::filesystem::path data{};   ///< the same as a NumPy archive, .npz; empty: none
  bool segments = true;           ///< look for segments
  AffinityOptions affinity{};
  VideoOptions video{};
  DeviceOptions device{};
};

/// What `find_affinity` found.
struct ClipAffinity {
  AffinityMatrix matrix;  ///< of the sampled frames
  ClipComparison shared;  ///< what both share, if it is looked for
};

/// Computes the matrix, and writes its image and data. Throws what affinity_of and compare_clips throw, and, before the
/// work, Error(invalid_option) and Error(file_error) for outputs as `compare` does.
ClipAffinity find_affinity(const AffinityJob& job, const JobContext& context = {});

/// The object that `octavo video affinity --json` prints.
std::string json_of(const AffinityJob& job, const ClipAffinity& found);

// The takes of many clips, or of archives.

/// The clips of `find_takes`.
struct TakesJob {
  std::vector<std::filesystem::path> clips;  ///< files, in the order of Shot::clip
  std::span<const VideoArchive> archives{};  ///< their clips, as if they were one, in place of `clips`; empty: none
  bool rough_cuts = false;                   ///< do not read the files of archives' clips for exact cuts
  TakeOptions options{};                     ///< what counts as a take
  VideoOptions video{};
  DeviceOptions device{};
  std::filesystem::path sheet{};  ///< the file of a contact sheet, of which there is none without takes; empty: none
  /// Timelines of the scenes: OpenTimelineIO (.otio), FCPXML (.fcpxml), and a folder of EDLs, which is made. Empty:
  /// none.
  std::filesystem::path otio{}, fcpxml{}, edl{};
};

/// What `find_takes` found.
struct FoundTakes {
  std::vector<std::filesystem::path> files;  ///< of the clips that could be read; Shot::clip are indices of it
  std::vector<ClipFacts> facts{};            ///< of the same clips
  TakeList list;                             ///< the scenes, and what is left out
};

/// An object {"clips", "scenes", "left_out_shots"} as `octavo video takes --json` prints it.
std::string json_of(const FoundTakes& found);
/// The same as text.
std::string text_of(const FoundTakes& found);

/// Why a shot is left out: "short", "black", …
std::string_view reason_of(const JunkShot& part);

/// Finds the takes, draws the sheet and writes the timelines. A clip that cannot be read is told to the context, each
/// once; the takes of the others are found. Throws Error(invalid_option), also for archives of different settings,
/// Error(file_error) for an archive that cannot be read and outputs that cannot be written, Error(device_unavailable),
/// Error(out_of_memory).
FoundTakes find_takes(const TakesJob& job, const JobContext& context = {});

// Clips and images by the places where they were taken (Fassold and Rosner 2015). docs/places.md describes the method.

/// Clips and images at some places of the disk.
struct PlaceFiles {
  std::vector<std::filesystem::path> files;  ///< each once
  /// A sentence for each folder that gives none, or cannot be read, and each file that is not what an archive knows.
  std::vector<std::string> problems;
};

/// A folder gives the images and videos in it and in the folders below it (looks_like_image, looks_like_video), sorted.
/// Anything else is taken for a file, which need not exist. Archives give a file of each of their contents, sorted,
/// before the others. Throws Error(file_error) and Error(invalid_option) for archives that cannot be read, or have
/// different settings.
PlaceFiles find_place_files(std::span<const std::string> places, std::span<const VideoArchive> archives = {});

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
  std::size_t member_a = 0, member_b = 0;         ///< indices into FoundPlaces::members
  double seconds_a = 0, seconds_b = 0;            ///< the times of the frames
  std::size_t inlier_count = 0, match_count = 0;  ///< matches that agree, of how many
  bool is_plane = false;                          ///< by a homography; otherwise by a fundamental matrix
  bool is_sure = false;                           ///< twice as many agree as are needed
  bool joins = false;                             ///< the place hangs together by the pairs that join
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
/// The same as text.
std::string text_of(const FoundPlaces& found);

/// Finds the places, and writes the page, unless no file can be read. A file that cannot be read is told to the
/// context, and the others are grouped. Throws Error(invalid_option), Error(file_error) for a page that cannot be
/// written, Error(device_unavailable), Error(out_of_memory).
FoundPlaces find_places(const PlaceJob& job, const JobContext& context = {});

}  // namespace octavo
