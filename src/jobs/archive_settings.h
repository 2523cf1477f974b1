#pragma once

#include "io/json/json.h"
#include "octavo/video/video_archive.h"

namespace octavo::jobs {

/// The settings of all signatures of an archive, as an object.
inline Json settings_json(const VideoArchive& archive) {
  Json settings = parse_json(json_of(option_table<SignatureOptions>(), archive.settings()));
  settings["fast"] = archive.is_fast();
  return settings;
}

}  // namespace octavo::jobs
