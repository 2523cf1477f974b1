// A reader of the file, or a program that restarts after a crash, must never read half of it. POSIX guarantees that
// rename replaces a name atomically within one file system, so the temporary file is in the same folder. Its name
// depends on the file's name only, so that the next run finds and reuses what a killed run has left. A lock, which ends
// with the process that holds it, says whether another process writes it now.

#include "octavo/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw Error(ErrorCode::file_error, "cannot write '" + file.string() + "': " + why);
}

[[noreturn]] void refuse(const fs::path& file, int error) { refuse(file, std::generic_category().message(error)); }

// Calls a function of the system again while a signal interrupts it.
template <typename Call>
auto uninterrupted(const Call& call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

// An open file. The destructor closes it.
class Descriptor {
 public:
  Descriptor(const fs::path& file, int flags) : number_(open(file.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666)) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;

  [[nodiscard]] int number() const { return number_; }

  // Returns 0, or the error.
  [[nodiscard]] int write(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = uninterrupted([&] { return ::write(number_, bytes.data(), bytes.size()); });
      if (written < 0) return errno;
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return 0;
  }
  // Some file systems report only when a descriptor is closed that the disk is full. This closes a copy, since the lock
  // must outlive the rename. Returns 0, or the error.
  [[nodiscard]] int flush() const {
    const int copy = dup(number_);
    return copy >= 0 && (close(copy) == 0 || errno == EINTR) ? 0 : errno;
  }

 private:
  int number_;
};

// The file's number in the system, which all its names have in common.
using Identity = std::pair<dev_t, ino_t>;

Identity identity_of(const struct stat& facts) { return {facts.st_dev, facts.st_ino}; }

// The empty part file, locked. Another process may have renamed the part while this one waited for the lock; the name
// then belongs to no file or to a new one.
Descriptor lock_part(const fs::path& part, const fs::path& file) {
  for (;;) {
    Descriptor descriptor(part, O_CREAT | O_NOFOLLOW);
    if (descriptor.number() < 0) refuse(file, errno);
    // Where the file system has no locks, two writers of one file at a time are not detected.
    uninterrupted([&] { return flock(descriptor.number(), LOCK_EX); });
    struct stat locked {
    }, named{};
    if (fstat(descriptor.number(), &locked) != 0) refuse(file, errno);
    if (stat(part.c_str(), &named) != 0 || identity_of(locked) != identity_of(named)) continue;
    if (ftruncate(descriptor.number(), 0) != 0) refuse(file, errno);
    return descriptor;
  }
}

void write_directly(const fs::path& file, std::span<const std::byte> bytes) {
  Descriptor descriptor(file, O_TRUNC);
  if (descriptor.number() < 0) refuse(file, errno);
  if (const int error = descriptor.write(bytes)) refuse(file, error);
  if (const int error = descriptor.flush()) refuse(file, error);
}

}  // namespace

void write_file(const fs::path& file, std::span<const std::byte> bytes) {
  std::error_code problem;
  const fs::file_status status = fs::status(file, problem);
  if (fs::is_directory(status)) refuse(file, "it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_directly(file, bytes);
  const fs::path target =
      fs::is_symlink(fs::symlink_status(file, problem)) ? fs::weakly_canonical(file, problem) : file;
  const fs::path part = target.parent_path() / ("." + target.filename().string() + ".part");
  Descriptor descriptor = lock_part(part, file);
  int error = descriptor.write(bytes);
  if (error == 0) error = descriptor.flush();
  if (error == 0) {
    fs::rename(part, target, problem);
    if (!problem) return;
    error = problem.value();
  }
  fs::remove(part, problem);
  refuse(file, error);
}

void write_file(const fs::path& file, std::string_view text) { write_file(file, std::as_bytes(std::span(text))); }

void require_not_read(std::span<const fs::path> written, std::span<const fs::path> read) {
  std::set<Identity> known;
  struct stat facts {};
  for (const fs::path& file : read) {
    if (stat(file.c_str(), &facts) == 0) known.insert(identity_of(facts));
  }
  for (const fs::path& file : written) {
    if (stat(file.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode) || !known.contains(identity_of(facts))) continue;
    throw Error(ErrorCode::invalid_option, InvalidOption{"output", "\"" + file.string() + "\"",
                                                         "this file is read too: choose another name or folder"});
  }
}

}  // namespace octavo
