#pragma once

// Signatures that cannot be read are told, and cost no other clip its result.

#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "octavo/error.h"
#include "octavo/video/video_archive.h"

namespace octavo::archive {

/// Reads signatures for several threads.
class LostClips {
 public:
  explicit LostClips(LostClip tell) : tell_(std::move(tell)) {}

  /// None: the signature cannot be read, which is told.
  std::optional<ClipSignature> signature(const VideoArchive& archive, const ArchivedClip& clip) const {
    std::optional<ClipSignature> read;
    attempt(archive, clip, [&] { read = archive.signature(clip); });
    return read;
  }
  /// Whether the bytes of the signature can be read. If not, this is told.
  [[nodiscard]] bool are_there(const VideoArchive& archive, const ArchivedClip& clip) const {
    return attempt(archive, clip, [&] { static_cast<void>(archive.signature_bytes(clip)); });
  }

 private:
  template <class Read>
  bool attempt(const VideoArchive& archive, const ArchivedClip& clip, const Read& read) const try {
    read();
    return true;
  } catch (const Error& error) {
    if (!tell_ || error.code() == ErrorCode::out_of_memory) throw;
    if (!archive.clip_of_content(clip.content)) return false;  // another process has removed it
    const std::lock_guard lock(mutex_);
    tell_(clip, error.what());
    return false;
  }

  LostClip tell_;
  mutable std::mutex mutex_;
};

}  // namespace octavo::archive
