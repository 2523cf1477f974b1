#pragma once

// Archives of made signatures, for tests.

#include <string>

#include "archive/test_folder.h"
#include "octavo/clip_signature.h"
#include "octavo/video_archive.h"

namespace octavo {

/// Adds a clip of this name with this signature: its file holds its name. Returns its content.
inline std::string add_clip(VideoArchive& archive, const TestFolder& folder, const std::string& name,
                            const ClipSignature& signature) {
  const std::filesystem::path file = folder.write(name, "the clip " + name);
  ArchivedClip clip;
  clip.content = content_digest(file);
  clip.size = stamp_of(file).value().size;
  clip.facts.seconds = signature.seconds;
  VideoArchive::NewSegment segment = archive.new_segment(clip.content);
  segment.write(encode_signature(signature));
  archive.add(clip, std::move(segment), file, stamp_of(file).value());
  return clip.content;
}

}  // namespace octavo
