// Digests of contents by XXH3 (Collet 2019) of 128 bits. It is no protection against intent, but by chance two of a
// million contents have the same digest with a probability of 10^-27. It is faster than any disk.

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <unistd.h>
#include <cerrno>
#include <system_error>

#include "archive/content_hash.h"
#include "imageio/file_descriptor.h"
#include "imageio/read_bytes.h"
#include "octavo/error.h"
#include "octavo/video_archive.h"

namespace octavo {

struct archive::ContentHash::State {
  XXH3_state_t hash{};
};

archive::ContentHash::ContentHash() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->hash); }
archive::ContentHash::~ContentHash() = default;
archive::ContentHash::ContentHash(ContentHash&&) noexcept = default;
void archive::ContentHash::add(std::span<const std::byte> bytes) {
  XXH3_128bits_update(&state_->hash, bytes.data(), bytes.size());
}
std::string archive::ContentHash::text() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->hash);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

namespace {

[[noreturn]] void refuse_content(const std::filesystem::path& file, int error) {
  imageio::refuse(file.string(), std::generic_category().message(error));
}

}  // namespace

std::string content_digest(std::span<const std::byte> bytes) {
  archive::ContentHash hash;
  hash.add(bytes);
  return hash.text();
}

std::string content_digest(const std::filesystem::path& file, const std::stop_token& stop) {
  const imageio::FileDescriptor descriptor(file, O_RDONLY);
  if (descriptor.number() < 0) refuse_content(file, errno);
  posix_fadvise(descriptor.number(), 0, 0, POSIX_FADV_SEQUENTIAL);
  archive::ContentHash hash;
  std::vector<std::byte> buffer(1 << 20);
  while (!stop.stop_requested()) {
    const ssize_t count =
        imageio::uninterrupted([&] { return ::read(descriptor.number(), buffer.data(), buffer.size()); });
    if (count < 0) refuse_content(file, errno);
    if (count == 0) return hash.text();
    hash.add(std::span(buffer).first(static_cast<std::size_t>(count)));
  }
  return {};
}

std::optional<FileStamp> stamp_of(const std::filesystem::path& file) {
  struct stat facts {};
  if (stat(file.c_str(), &facts) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    refuse_content(file, errno);
  }
  if (S_ISDIR(facts.st_mode)) imageio::refuse(file.string(), "it is a directory");
  if (!S_ISREG(facts.st_mode)) imageio::refuse(file.string(), "it is no regular file");
  return FileStamp{static_cast<std::uint64_t>(facts.st_size),
                   std::int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + facts.st_mtim.tv_nsec};
}

std::string lack_of(const std::filesystem::path& file, const std::optional<FileStamp>& known) {
  try {
    const std::optional<FileStamp> now = stamp_of(file);
    if (!now) return "there is no such file";
    return now == known ? "" : "it changed since it was indexed";
  } catch (const Error& error) {
    if (error.code() != ErrorCode::file_error) throw;
    return error.what();
  }
}

std::filesystem::path archive_path(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path path = fs::weakly_canonical(file, error);
  // It stays relative if not even its first part exists.
  return error || !path.is_absolute() ? fs::absolute(file).lexically_normal() : path;
}

}  // namespace octavo
