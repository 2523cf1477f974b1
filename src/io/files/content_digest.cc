// Digests of contents by XXH3 (Collet 2019) of 128 bits. It is no protection against intent, but by chance two of a
// million contents have the same digest with a probability of 10^-27. It is faster than any disk.

#include "io/files/content_digest.h"

#include <fcntl.h>
#include <fmt/core.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "io/files/content_hash.h"
#include "io/files/file_descriptor.h"
#include "io/files/read_bytes.h"

namespace octavo {

struct io::ContentHash::State {
  XXH3_state_t hash{};
};

io::ContentHash::ContentHash() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->hash); }
io::ContentHash::~ContentHash() = default;
io::ContentHash::ContentHash(ContentHash&&) noexcept = default;
void io::ContentHash::add(std::span<const std::byte> bytes) {
  XXH3_128bits_update(&state_->hash, bytes.data(), bytes.size());
}
std::string io::ContentHash::text() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->hash);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

namespace {

[[noreturn]] void refuse_content(const std::filesystem::path& file, int error) {
  io::refuse(file.string(), std::generic_category().message(error));
}

}  // namespace

std::string content_digest(std::span<const std::byte> bytes) {
  io::ContentHash hash;
  hash.add(bytes);
  return hash.text();
}

std::string content_digest(const std::filesystem::path& file, const std::stop_token& stop) {
  const io::FileDescriptor descriptor(file, O_RDONLY);
  if (descriptor.number() < 0) refuse_content(file, errno);
  descriptor.expect_reading();
  io::ContentHash hash;
  std::vector<std::byte> buffer(1 << 16);  // there may be little memory, as at the end of a job
  while (!stop.stop_requested()) {
    const std::ptrdiff_t count = descriptor.read(buffer);
    if (count < 0) refuse_content(file, errno);
    if (count == 0) return hash.text();
    hash.add(std::span(buffer).first(static_cast<std::size_t>(count)));
  }
  return {};
}

}  // namespace octavo
