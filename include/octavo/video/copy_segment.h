#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"
#include "octavo/video/clip_signature.h"
#include "octavo/video/video_file.h"

// Where two clips show the same: pairs of frames that match, and the segments that they make. docs/video-search.md
// describes the method.

namespace OCTAVO_API octavo {

/// A similarity b_from_a of frames, of which a was stretched first: (x, y) → (a·s·x − b·y + tx, b·s·x + a·y + ty)
/// [pixel of the frames as extracted], where s is the stretch.
struct Similarity {
  double a = 1, b = 0, tx = 0, ty = 0;  ///< scale·cos and scale·sin of the turn; the shift
  double stretch = 1;                   ///< of the width alone, 0.5…2; exactly 1: the image is not stretched
  friend bool operator==(const Similarity&, const Similarity&) = default;
};

/// How two frames match.
struct FrameMatch {
  int matches = 0;        ///< pairs of features with near codes
  int inliers = 0;        ///< those that agree with `b_from_a`; 0 if there is no such similarity
  Similarity b_from_a{};  ///< the one with most inliers
  /// The share of the smaller of both areas (that of a's frame within b's, or b's within a's) over which inliers are
  /// spread, 0…1.
  double spread = 0;
  /// −log10 of the number of such matches that chance gives: of `inliers` of `matches` pairs that lie anywhere. Above 0
  /// for a match that is no chance.
  double significance = 0;
  friend bool operator==(const FrameMatch&, const FrameMatch&) = default;
};

/// Matches the features of two frames: mutual nearest codes within a Hamming distance, then the similarity
/// with most inliers, to which each pair alone gives a hypothesis by its places, scales and orientations. No
/// randomness. `isa` is DeviceOptions::isa, here and below; all give the same. Throws Error(invalid_option) for one
/// that is not there.
FrameMatch match_frames(const FrameSignature& a, const FrameSignature& b, const std::string& isa = "auto");

/// A pair of frames that may match.
struct FrameHit {
  std::int32_t query = 0;  ///< index into the frames of the query's signature
  std::int32_t other = 0;  ///< index into the frames of the other clip's signature
  float score = 0;         ///< greater is better
  friend bool operator==(const FrameHit&, const FrameHit&) = default;
};

/// A part of a clip that shows the same as a part of another.
struct CopySegment {
  double query_in = 0, query_out = 0;  ///< [second] from the query's first frame
  double other_in = 0, other_out = 0;  ///< [second] from the other clip's first frame
  double speed = 1;                    ///< seconds of the other clip for a second of the query; below 0: backwards
  bool mirrored = false;               ///< the query was mirrored, left to right
  bool negative = false;               ///< the query is the negative of the other clip
  /// Both clips show one image that stands, or one is an image, which has no time, over which the other may also move.
  /// Each span is then the time for which a clip shows it, and no moment of one belongs to a moment of the other; the
  /// speed is 1.
  bool still = false;
  /// The image moves within the other one from frame to frame, as in a hand that shakes. `other_from_query` is the
  /// mean, and refine_ends leaves the ends as they are.
  bool shaken = false;
  /// Fitted to all frames that are the same; of an image, that of one of the clip's frames.
  Similarity other_from_query{};
  int frames = 0;   ///< the query's frames that were verified
  int inliers = 0;  ///< the sum over these frames
  /// −log10 of the expected number of such segments between two clips that share nothing: 3 is one in a thousand pairs.
  double score = 0;
  /// [second] of the query, next to either end: when what stands there changes. The ends themselves where it does not
  /// stand, or never changes.
  double change_in = 0, change_out = 0;
  double ends_within = 0;   ///< [second] so far off the ends may be, by what the images tell
  bool exact_ends = false;  ///< refine_ends found them, to two frames of the clip with fewer frames a second
  friend bool operator==(const CopySegment&, const CopySegment&) = default;
};

/// Whether one of both files is an image.
inline bool shows_image(const CopySegment& segment) {
  return segment.query_out == segment.query_in || segment.other_out == segment.other_in;
}

/// When frames of two clips count as a segment that was copied.
struct CopyOptions {
  double min_seconds = 2;  ///< [second] of both clips; shorter segments do not count, but those of an image
  int min_frames = 4;      ///< verified frames that a segment of two clips needs
  double min_speed = 0.5;  ///< seconds of the other clip for a second of the query
  double max_speed = 2;    ///< the largest such speed
  double min_score = 3;    ///< CopySegment::score that a segment needs
  /// By how much the image may move from frame to frame, as a share of the side of the smaller frame. More than 0 also
  /// finds film from a hand that shakes, and gives more false segments of clips of one place.
  double shake = 0;
  friend bool operator==(const CopyOptions&, const CopyOptions&) = default;
};

/// Name, kind, range, unit and meaning of every option.
template <>
const OptionTable<CopyOptions>& option_table<CopyOptions>();

/// Throws Error(invalid_option) for the first option out of range.
void validate(const CopyOptions& options);

/// The segments that two clips share, or the times at which a clip shows an image, best first. `hits` propose: pairs of
/// frames that an index or all_hits gives. A segment's frames lie near one line of times, match with similarities that
/// agree, and leave no long gap.
std::vector<CopySegment> find_copies(const ClipSignature& query, const ClipSignature& other,
                                     std::span<const FrameHit> hits, const CopyOptions& options = {},
                                     const std::string& isa = "auto", const ProgressSink& progress = {});

/// All pairs of frames that match, for clips without an index: the time is that of the product of the frames.
std::vector<FrameHit> all_hits(const ClipSignature& query, const ClipSignature& other, const std::string& isa = "auto",
                               const ProgressSink& progress = {});

/// Gives segments their ends to the frame: decodes both clips once and compares the frames around the ends. An end
/// `…_out` is the time when the last frame ends. Ends that the frames do not tell stay as they are, as in still
/// images; a speed that they do not tell becomes 1. A segment is left out if what moves in both clips does not move
/// alike: they show the same place at different times; and one that is shaken, if most of its images are not the same.
/// Throws what Video throws.
std::vector<CopySegment> refine_ends(std::span<const CopySegment> segments, const std::filesystem::path& query,
                                     const std::filesystem::path& other, const VideoOptions& video = {},
                                     const ProgressSink& progress = {});

/// What two clips share.
struct ClipComparison {
  std::vector<CopySegment> segments;        ///< best first; their ends are exact to the frame
  double query_seconds = 0;                 ///< [second] the length
  double other_seconds = 0;                 ///< [second] that of the other clip
  VideoFacts query_facts{}, other_facts{};  ///< what the files tell of themselves
  std::string reason{};                     ///< why there is no segment, if one of the clips can share none
};

/// Why no segment of a clip can be found, with its name at the start and without a full stop; empty if one can: it is
/// shorter than segments are, or no frame has features. An option is named in backticks.
std::string why_never_found(const std::string& name, const ClipSignature& clip, double min_seconds);

/// Forms of a query that are compared beside those as it is and mirrored. Each takes time.
struct FurtherForms {
  bool negative = false;  ///< the negative
  bool reversed = false;  ///< backwards
};

/// Compares two clips, without an index, as they are and mirrored. Throws what sign_clip and find_copies throw.
ClipComparison compare_clips(const std::filesystem::path& query, const std::filesystem::path& other,
                             const CopyOptions& options = {}, const VideoOptions& video = {},
                             const DeviceOptions& device = {}, const ProgressSink& progress = {},
                             const FurtherForms& further = {});

/// Of segments of a clip in several forms (mirrored, negative, reversed): those that remain if, of two that show the
/// same part, the one with more inliers counts. An image that is symmetric is found both ways. Of forwards and
/// backwards those with more inliers a second count. Best first.
std::vector<CopySegment> without_reflections(std::vector<CopySegment> segments);

/// The share of a time of `seconds` that these segments cover, 0…1: of the query, or of the other clip. An image, whose
/// length is 0, is covered by any segment.
double coverage(std::span<const CopySegment> segments, double seconds, bool of_query);

}  // namespace octavo
