#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/progress.h"
#include "octavo/video/takes.h"
#include "octavo/video/video.h"
#include "octavo/video/video_archive.h"

// The takes of many clips, or of an archive.

namespace OCTAVO_API octavo {

struct TakesJob {
  std::vector<std::filesystem::path> clips;
  const VideoArchive* archive = nullptr;  ///< its clips, in place of `clips`; null: none
  bool rough_cuts = false;                ///< do not read the files of the archive's clips for exact cuts
  TakeOptions options{};
  VideoOptions video{};
  DeviceOptions device{};
  std::filesystem::path sheet{};  ///< the file of a contact sheet, of which there is none without takes; empty: none
};

struct FoundTakes {
  std::vector<std::filesystem::path> files;  ///< of the clips that could be read; Shot::clip are indices of it
  TakeList list;
};

/// An object {"clips", "scenes", "left_out_shots"} as `octavo video takes --json` prints it.
std::string json_of(const FoundTakes& found);

/// Why a shot is left out: "short", "black", …
std::string_view reason_of(const JunkShot& part);

/// Finds the takes and draws the sheet. A clip that cannot be read is told to the context, each once; the takes of the
/// others are found. Throws Error(invalid_option), Error(file_error) for an archive that cannot be read and a sheet
/// that cannot be written, Error(device_unavailable), Error(out_of_memory).
FoundTakes find_takes(const TakesJob& job, const JobContext& context = {});

}  // namespace octavo
