#pragma once

// What tests of archives share: archives of made signatures, and the names of what is in them.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/test_folder.h"
#include "io/files/content_digest.h"
#include "octavo/video/clip_signature.h"
#include "octavo/video/video_archive.h"

namespace octavo {

/// Adds a clip of this name with this signature: its file holds its name. Returns its content.
inline std::string add_clip(VideoArchive& archive, const TestFolder& folder, const std::string& name,
                            const ClipSignature& signature) {
  const std::filesystem::path file = folder.write(name, "the clip " + name);
  ArchivedClip clip;
  clip.content = content_digest(file);
  clip.size = stamp_of(file).value().size;
  clip.facts.seconds = signature.seconds;
  VideoArchive::NewSignature made = archive.new_signature(clip.content);
  made.write(encode_signature(signature));
  archive.add(clip, std::move(made), file, stamp_of(file).value());
  return clip.content;
}

inline std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

/// The names of all files below a folder, sorted.
inline std::vector<std::string> files_below(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace octavo
