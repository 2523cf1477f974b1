#pragma once

// What a part of a database has besides the tables of COLMAP: notes in the table `octavo`. The note `part` is that of
// the shard (PartNote); each image has its place in the list of all images, and the key of its camera.

#include <string>
#include <string_view>

#include "multiview/colmap/colmap_database.h"
#include "octavo/io/shard.h"

namespace octavo::colmap {

inline constexpr std::string_view part_note_name = "part";
inline constexpr std::string_view note_prefix = "note ";  ///< of ColmapDatabase::note in the table

std::string place_note(std::string_view image);
std::string camera_note(std::string_view image);

/// The settings of a part: those of the job behind a text that says which part it is.
std::string part_settings(std::string_view what, const Shard& shard, const std::string& job_settings);
/// The settings of the job again.
std::string job_settings_in(const std::string& part_settings);

}  // namespace octavo::colmap
