// Entries of the cache folder ${XDG_CACHE_HOME:-~/.cache}/octavo, on Windows %LOCALAPPDATA%\octavo. An entry belongs to
// a key, which is any text, and holds bytes. The cache only saves time: a damaged entry counts as absent, and without a
// writable folder nothing is kept.
//
// A file is named by the digest of its key, and begins with the digest of its bytes. The digest is FNV-1a: it tells
// keys apart and finds damaged files. It is no defence against a user who can write to the folder.

#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace octavo {

class CacheEntry {
 public:
  /// `kind` is the name of a folder in the cache: "opencl".
  CacheEntry(const std::string& kind, const std::string& key);
  /// The bytes that were written, whole; nothing if there is no such entry, or a damaged one, or one of no bytes.
  [[nodiscard]] std::optional<std::string> read() const;
  /// Other processes see either the whole entry or none. Does nothing if the folder cannot be written.
  void write(const std::string& bytes) const;

 private:
  std::filesystem::path path_;  // empty if the environment names no folder
};

}  // namespace octavo
