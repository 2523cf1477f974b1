#include "engine/device/cache_entry.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>

#include "engine/core/digest.h"

namespace octavo {
namespace {

std::string digest(std::string_view bytes) {
  Digest digest;
  digest.add(bytes.data(), bytes.size());
  return digest.text();
}

// Empty if the environment gives none.
std::filesystem::path cache_folder() {
  struct Place {
    const char* variable;
    const char* folder;
  };
  for (const Place& place :
       {Place{"XDG_CACHE_HOME", "octavo"}, {"LOCALAPPDATA", "octavo"}, {"HOME", ".cache/octavo"}}) {
    const char* const value = std::getenv(place.variable);
    if (value != nullptr && *value != '\0') return std::filesystem::path(value) / place.folder;
  }
  return {};
}

}  // namespace

CacheEntry::CacheEntry(const std::string& kind, const std::string& key) {
  const std::filesystem::path folder = cache_folder();
  if (!folder.empty()) path_ = folder / kind / (digest(key) + ".bin");
}

std::optional<std::string> CacheEntry::read() const {
  std::ifstream file(path_, std::ios::binary);
  std::string expected(16, '\0');
  if (!file.read(expected.data(), static_cast<std::streamsize>(expected.size()))) return std::nullopt;
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (bytes.empty() || digest(bytes) != expected) return std::nullopt;
  return bytes;
}

void CacheEntry::write(const std::string& bytes) const {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(path_.parent_path(), ignored);
  std::filesystem::path temporary = path_;
  temporary += "." + std::to_string(std::random_device()());
  std::ofstream file(temporary, std::ios::binary);
  file << digest(bytes) << bytes;
  file.close();
  if (file) std::filesystem::rename(temporary, path_, ignored);
  if (!file || ignored) std::filesystem::remove(temporary, ignored);
}

}  // namespace octavo
