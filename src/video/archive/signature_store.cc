#include "video/archive/signature_store.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "io/files/file_descriptor.h"
#include "io/files/read_bytes.h"
#include "octavo/error.h"

namespace octavo::archive {
namespace {

namespace fs = std::filesystem;
using io::FileDescriptor;

constexpr std::string_view signature_ending = ".signature";

[[noreturn]] void refuse_signature(const fs::path& file, int error) {
  throw Error(ErrorCode::file_error,
              fmt::format("cannot write '{}': {}", file.string(), std::generic_category().message(error)));
}

// The beginning of a digest is the name of its folder.
bool is_digest(const std::string& text) {
  const auto is_digit = [](char letter) {
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f');
  };
  return text.size() > 2 && std::ranges::all_of(text, is_digit);
}

// Calls `take` with every file of the folders in `folder`.
template <class Take>
void for_each_file(const fs::path& folder, const Take& take) {
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code is_gone;
    if (entry->is_regular_file(is_gone)) files.push_back(entry->path());
  }
  if (error) throw Error(ErrorCode::file_error, fmt::format("cannot read '{}': {}", folder.string(), error.message()));
  for (const fs::path& file : files) take(file);
}

void remove_file(const fs::path& file) {
  if (unlink(file.c_str()) != 0 && errno != ENOENT) refuse_signature(file, errno);
}

}  // namespace

void make_durable_folder(const fs::path& folder) {
  std::error_code error;
  const fs::path above = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
  if (fs::is_directory(folder, error)) return;
  if (above != folder) make_durable_folder(above);
  fs::create_directory(folder, error);
  if (error) {
    throw Error(ErrorCode::file_error,
                fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
  }
  io::bring_to_disk(above);
}

void SignatureStore::Draft::write(std::span<const std::byte> bytes) {
  file_.write(bytes);
  hash_.add(bytes);
  size_ += bytes.size();
}

const std::string& SignatureStore::Draft::finish() {
  file_.sync();
  digest_ = hash_.text();
  make_durable_folder(store_->file_of(digest_).parent_path());
  return digest_;
}

void SignatureStore::Draft::give_name() { file_.rename(store_->file_of(digest_)); }

std::vector<std::byte> SignatureStore::read(const std::string& digest) const { return io::read_bytes(file_of(digest)); }

void SignatureStore::remove(const std::string& digest) const {
  if (is_digest(digest)) remove_file(file_of(digest));
}

void SignatureStore::remove_drafts() const {
  for_each_file(folder_, [](const fs::path& file) {
    if (file.extension() != ".part") return;
    const FileDescriptor descriptor(file, O_WRONLY);
    if (descriptor.number() < 0 || flock(descriptor.number(), LOCK_EX | LOCK_NB) != 0) return;
    // Its process may have given it its name and ended just before, and another one may have begun a new file.
    const std::optional<io::FileFacts> locked = descriptor.facts(), named = io::facts_of(file);
    if (locked && named && locked->identity == named->identity) remove_file(file);
  });
}

std::vector<std::string> SignatureStore::digests() const {
  std::vector<std::string> digests;
  for_each_file(folder_, [&](const fs::path& file) {
    if (file.extension() == signature_ending) digests.push_back(file.stem().string());
  });
  return digests;
}

// A catalogue may come from anywhere, and so its digests.
fs::path SignatureStore::file_of(const std::string& digest) const {
  if (!is_digest(digest)) {
    throw Error(ErrorCode::file_error,
                fmt::format("cannot use the archive '{}': its catalogue is damaged: '{}' is no digest of a signature",
                            folder_.parent_path().string(), digest));
  }
  return folder_ / digest.substr(0, 2) / (digest + std::string(signature_ending));
}

}  // namespace octavo::archive
