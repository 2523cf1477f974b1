#include "engine/device/cache_entry.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
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
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache != '\0') return std::filesystem::path(cache) / "octavo";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return std::filesystem::path(home) / ".cache" / "octavo";
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
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), ignored);
  std::string temporary = path_ + ".XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) return;
  close(descriptor);
  std::ofstream file(temporary, std::ios::binary);
  file << digest(bytes) << bytes;
  file.close();
  if (file) std::filesystem::rename(temporary, path_, ignored);
  if (!file || ignored) std::filesystem::remove(temporary, ignored);
}

}  // namespace octavo
