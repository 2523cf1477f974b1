#pragma once

// What the commands of archives of clips have in common.

#include <filesystem>
#include <string>
#include <vector>

#include "octavo/video/archive_search.h"
#include "octavo/video/copy_segment.h"
#include "octavo/video/video_archive.h"

namespace octavo::cli {

class Command;
class CommandOption;

/// Adds --index, which a call needs.
void add_archive_option(Command& command, std::filesystem::path& folder, const std::string& description);

/// Adds --index, which a call needs and may give again: the archives are then as one.
void add_archives_option(Command& command, std::vector<std::string>& folders);

/// Adds --negative.
CommandOption& add_negative(Command& command, bool& negative);

/// Adds --reversed.
CommandOption& add_reversed(Command& command, bool& reversed);

/// Adds --edl.
CommandOption& add_edl(Command& command, std::filesystem::path& folder);

/// Adds --no-mirror.
CommandOption& add_no_mirror(Command& command, SearchOptions& search);

/// A table of the segments that clips share, with a line for the names of its columns.
std::string segments_text(const std::vector<CopySegment>& segments, const std::string& a, const std::string& b);

/// "1:02:03", rounded to a second.
std::string clock_text(double seconds);

/// "8.1 MB".
std::string bytes_text(double bytes);

}  // namespace octavo::cli
