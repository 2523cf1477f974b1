#pragma once

#include <filesystem>
#include <span>

#include "engine/core/internal_api.h"
#include "octavo/video/video_archive.h"

// Several archives become one.

namespace OCTAVO_INTERNAL_API octavo {

/// Takes the files, clips, signatures and verdicts of all `parts` over into the archive in the folder `to`, which is
/// made if it does not exist. Each file is there as a whole or not at all, so a merge that was killed is done again.
/// VideoArchive::digest is then that of one archive with all these files; the numbers of clips do not depend on the
/// order of the parts. Throws Error(invalid_option) for archives of other settings, and Error(file_error), also for two
/// parts with different signatures of a content, or opposite verdicts. `lost` is told of clips whose signatures cannot
/// be read; their files are not taken over.
void merge_archives(const std::filesystem::path& to, std::span<const std::filesystem::path> parts,
                    const LostClip& lost = {});

}  // namespace octavo
