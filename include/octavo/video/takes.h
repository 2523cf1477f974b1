#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"
#include "octavo/video/affinity.h"
#include "octavo/video/clip_signature.h"
#include "octavo/video/video_file.h"

// The takes of rushes: which shots show the same scene, and how their times correspond (Bailer, Lee and Thallinger
// 2007; Fassold and Rosner 2015). docs/takes.md describes the method.

namespace OCTAVO_API octavo {

/// When segments are takes of one thing.
struct TakeOptions {
  AffinityMeasure measure = AffinityMeasure::vlad;  ///< of two frames; signatures need matches
  std::int64_t every = 0;                           ///< VideoOptions::every; of files alone
  double fps = 2;                                   ///< frames a second that are compared
  int max_features = 256;                           ///< the largest number of features of a frame
  double min_seconds = 2;  ///< [second] shorter shots are left out: clapper boards, false starts
  /// Of two frames that show the same: the share of matched features, or the VLADs' product. 0: TakeList::min_affinity
  /// follows from the frames.
  double min_affinity = 0;
  double max_gap = 1.5;    ///< [second] of frames in a row, of either take, that show nothing of the other
  double min_share = 0.4;  ///< the share of the shorter take that shows the same, in the mean over two groups of takes
  friend bool operator==(const TakeOptions&, const TakeOptions&) = default;
};

/// Name, range and meaning of every option.
template <>
const OptionTable<TakeOptions>& option_table<TakeOptions>();

/// Throws Error(invalid_option) for the first option out of range.
void validate(const TakeOptions& options);

/// A part of a clip between two cuts. Times are from the first frame of the clip.
struct Shot {
  std::size_t clip = 0;  ///< in the order in which clips were added
  double in = 0;         ///< [second] when its first frame is shown
  double out = 0;        ///< [second] when its last frame ends
  /// The ends are those of frames. Otherwise they are known to 1/fps.
  bool exact = false;
  friend bool operator==(const Shot&, const Shot&) = default;
};

/// Times at which two takes show the same. [second] of their clips
struct TakePair {
  double take = 0, reference = 0;  ///< [second] from the first frame of each clip
  friend bool operator==(const TakePair&, const TakePair&) = default;
};

/// A shot of a scene.
struct Take {
  Shot shot;  ///< where it lies
  /// [second] How long after the reference's begin this take begins: negative if it begins with what comes before. The
  /// median over the pairs of `alignment`; none if it shows nothing of the reference.
  std::optional<double> offset;
  /// How well the take fits its scene: the mean share that it has in common with each of the other takes, 0…1. Of a
  /// scene with one take 0.
  double score = 0;
  double key = 0;                   ///< [second] of the clip: a frame that represents the take
  std::vector<TakePair> alignment;  ///< by time: frames that show the same as the reference; of the reference empty
  /// `alignment` and `offset` are exact to the frame: the take is a copy, or what moves in it tells the time. All
  /// frames around `key` were compared. Never without the files.
  bool is_exact = false;
  friend bool operator==(const Take&, const Take&) = default;
};

/// Takes that show the same, in the order of clips and times.
struct Scene {
  std::vector<Take> takes;    ///< one or more
  std::size_t reference = 0;  ///< the take that has most in common with the others
  friend bool operator==(const Scene&, const Scene&) = default;
};

/// A part of a clip that is in no take.
struct JunkShot {
  Shot shot;               ///< where it lies
  Junk junk = Junk::none;  ///< what it shows; none for a shot that is shorter than TakeOptions::min_seconds
  friend bool operator==(const JunkShot&, const JunkShot&) = default;
};

/// The takes of some clips.
struct TakeList {
  std::vector<Scene> scenes;       ///< in the order of their first takes
  std::vector<JunkShot> left_out;  ///< in the order of clips and times
  /// The least affinity of two frames that show the same. Unless TakeOptions gives it: of VLADs the one that chance
  /// exceeds in one of all pairs of frames of different shots; 0 of matches, which then need to be no chance.
  double min_affinity = 0;
  friend bool operator==(const TakeList&, const TakeList&) = default;
};

/// Finds the takes of clips. The result depends on the clips, their order and the options alone. Not to be shared
/// between threads.
class TakeFinder {
 public:
  /// Throws Error(invalid_option) and Error(device_unavailable).
  explicit TakeFinder(const TakeOptions& options = {}, const DeviceOptions& device = {});
  ~TakeFinder();
  TakeFinder(TakeFinder&&) noexcept;
  TakeFinder& operator=(TakeFinder&&) = delete;

  /// Reads a clip, twice: all its frames for cuts that are exact to the frame, and `fps` frames a second for their
  /// features. `video` gives the decoder and its limits. Returns the length [second]. Throws what Video throws; then
  /// the clip is not added.
  double add(const std::filesystem::path& clip, const VideoOptions& video = {}, const ProgressSink& progress = {});
  /// Adds a clip whose signature is known, such as that of an archive. Its file is read for the cuts alone; an empty
  /// path: cuts are looked for between the frames of the signature. Throws Error(invalid_argument) for another measure
  /// than matches, and what Video throws.
  void add(const ClipSignature& signature, const std::filesystem::path& file = {}, const VideoOptions& video = {},
           const ProgressSink& progress = {});
  /// The takes of all clips that were added. The time grows with the square of their length. Throws
  /// Error(out_of_memory).
  [[nodiscard]] TakeList find(const ProgressSink& progress = {}) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// A contact sheet of takes (u8, RGB): a row of key frames for each take, grouped by scene. Frames of a column are of
/// the same moment of the scene; where a take does not show it, the column is empty. The frame that represents the take
/// has a border. `files` are those of the clips, which are read again, but for the clips that are `unreadable`, whose
/// frames are empty. At most `most_sheet_rows` takes are drawn. `fail` gets a sentence for each clip that turns out to
/// be unreadable; the frames that it lacks are empty too. Throws Error(invalid_argument) without takes, and what Video
/// throws, but Error(file_error) only without `fail`.
Image draw_takes(const TakeList& takes, std::span<const std::filesystem::path> files, const VideoOptions& video = {},
                 const ProgressSink& progress = {}, const std::set<std::size_t>& unreadable = {},
                 const std::function<void(const std::string&)>& fail = {});

/// The most takes of a contact sheet.
inline constexpr std::size_t most_sheet_rows = 300;

}  // namespace octavo
