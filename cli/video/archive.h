#pragma once

// What the commands of an archive of clips have in common.

#include <string>
#include <vector>

#include "io/json/json.h"
#include "octavo/video/video_archive.h"

namespace octavo::cli {

class Command;

/// Adds --index, which a call needs.
void add_archive_option(Command& command, std::string& folder, const std::string& description);

/// Adds --index, which a call needs and may give again: the archives are then as one.
void add_archives_option(Command& command, std::vector<std::string>& folders);

/// Opens the archives of these folders. Throws WrongCall for a folder that occurs twice.
std::vector<VideoArchive> open_archives(const std::vector<std::string>& folders);

/// What the catalogue knows of a clip, but its files.
Json clip_json(const ArchivedClip& clip);

/// "1:02:03", rounded to a second.
std::string clock_text(double seconds);

/// "8.1 MB".
std::string bytes_text(double bytes);

}  // namespace octavo::cli
