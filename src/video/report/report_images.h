#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "io/pages/report_page.h"
#include "octavo/device.h"
#include "octavo/progress.h"
#include "octavo/video/video_archive.h"
#include "octavo/video/video_file.h"
#include "octavo/video/video_report.h"

// The images of a report: frames of the segments, the features that agree, and affinity matrices.

namespace OCTAVO_INTERNAL_API octavo {

/// A frame of a clip.
struct ReportFrame {
  PageImage image;
  double seconds = 0;  ///< [second] the time of the frame, from the clip's first frame
};

/// Frames of a segment. Those of a clip that cannot be read are missing.
struct SegmentFrames {
  std::array<std::optional<ReportFrame>, 3> a, b;  ///< at its begin, its middle, and its last frame
};

/// A frame of both clips at the same moment of the best segment, and what agrees: see draw_copy.
struct AgreeingFrames {
  ReportFrame a, b;
  std::vector<std::array<double, 4>> lines;  ///< from x, y in a to x, y in b [pixel of the images]
};

/// The affinity matrix of the clips, or of parts around the best segment if a clip is longer than two minutes. It is
/// made of the signatures, so it needs no file.
struct ReportAffinity {
  std::vector<std::byte> png;  ///< a pixel for each pair of frames; a's time runs down, b's to the right
  double a_in = 0, a_out = 0;  ///< [second] what the rows show of a
  double b_in = 0, b_out = 0;  ///< [second] what the columns show of b
};

struct PairImages {
  std::size_t pair = 0;                 ///< index into VideoReport::pairs
  std::size_t best = 0;                 ///< index of the best segment
  std::vector<SegmentFrames> segments;  ///< in the order of ReportPair::segments
  std::optional<AgreeingFrames> why;    ///< none: a file cannot be read
  std::optional<ReportAffinity> affinity;
};

struct ReportImages {
  std::vector<PairImages> pairs;               ///< of the best pairs that no verdict settles
  std::size_t left_out = 0;                    ///< pairs that no verdict settles, without images
  std::map<std::size_t, std::string> lacking;  ///< clips whose frames are missing, and the reason
};

/// Makes the images of the best pairs, at most ReportOptions::max_images. Each file is read once. Frames of
/// mirrored segments are shown as they are. Throws Error(file_error) for an archive that cannot be read,
/// Error(device_unavailable) and Error(out_of_memory).
ReportImages report_images(const VideoReport& report, const VideoArchive& archive, const ReportOptions& options,
                           const VideoOptions& video = {}, const DeviceOptions& device = {},
                           const ProgressSink& progress = {});

/// The frames of both clips at these moments, from their first frames on, and what agrees by the segment: of files that
/// can be read. None: a clip has ended by then. Throws what Video throws.
std::optional<AgreeingFrames> agreeing_frames_at(const CopySegment& segment, const std::filesystem::path& a,
                                                 double seconds_a, const std::filesystem::path& b, double seconds_b,
                                                 const VideoOptions& video = {}, const DeviceOptions& device = {});

/// The frame of a clip that is seen then, small, or large enough to be looked at. None: the clip has ended by then.
/// Throws what Video throws.
std::optional<PageImage> thumbnail_at(const std::filesystem::path& clip, double seconds,
                                      const VideoOptions& video = {});
std::optional<PageImage> view_at(const std::filesystem::path& clip, double seconds, const VideoOptions& video = {});

}  // namespace octavo
