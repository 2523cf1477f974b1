// Replaces the commands for videos, scenes and mosaics, and the one that merges their shards, in a build without them
// (OCTAVO_VIDEO_AND_SCENES): they have no action.

#include "cli/command.h"

namespace octavo::cli {

void define_colmap(Command&) {}
void define_sfm(Command&) {}
void define_export(Command&) {}
void define_mosaic(Command&) {}
void define_video(Command&) {}
void define_merge(Command&) {}

}  // namespace octavo::cli
