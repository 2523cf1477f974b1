// Replaces the commands for videos, scenes and mosaics, and the one that merges their shards, in a build without them
// (OCTAVO_VIDEO_AND_SCENES): there are none.

#include "cli/command.h"

namespace octavo::cli {

void add_colmap(Command&, int&) {}
void add_sfm(Command&, int&) {}
void add_export(Command&, int&) {}
void add_mosaic(Command&, int&) {}
void add_video(Command&, int&) {}
void add_merge(Command&, int&) {}

}  // namespace octavo::cli
