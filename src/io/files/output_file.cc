// A reader of the file, or a program that restarts after a crash, also of the machine, must never read half of it.
// POSIX guarantees that rename replaces a name atomically within one file system, so the temporary file is in the same
// folder. Its name depends on the file's name only, so that the next run finds and reuses what a killed run has left. A
// lock, which ends with the process that holds it, says whether another process writes it now.

#include "io/files/output_file.h"

#include <fcntl.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "engine/core/check.h"
#include "io/files/ending.h"
#include "io/files/file_descriptor.h"
#include "io/files/part_file.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw Error(ErrorCode::file_error, "cannot write '" + file.string() + "': " + why);
}

[[noreturn]] void refuse(const fs::path& file, int error) { refuse(file, std::generic_category().message(error)); }

using io::FileDescriptor;
using io::FileFacts;
using io::part_of;

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

// Why no file can be added to the folder; empty if one can.
std::string why_closed(const fs::path& folder) {
  std::error_code problem;
  const fs::file_status status = fs::status(folder, problem);
  if (status.type() == fs::file_type::not_found) return "there is no folder '" + folder.string() + "'";
  if (status.type() == fs::file_type::none) return "the folder '" + folder.string() + "': " + problem.message();
  if (!fs::is_directory(status)) return fmt::format("'{}' is not a folder", folder.string());
  const int error = io::writing_error(folder);
  if (error == 0) return {};
  return "the folder '" + folder.string() + "' takes no files: " + std::generic_category().message(error);
}

bool is_too_long(const fs::path& name, const fs::path& folder) {
  const std::size_t most = io::longest_name(folder);
  return most > 0 && name.native().size() > most;
}

// What a file's name stands for.
struct Place {
  fs::path target;   // the file that is written, after all links
  bool is_stream{};  // it exists and is no regular file
};

// Throws if the file cannot be written.
Place place_of_file(const fs::path& file) {
  if (file.empty()) refuse(file, "the name is empty");
  std::error_code problem;
  const fs::file_status status = fs::status(file, problem);
  if (status.type() == fs::file_type::none) refuse(file, problem.message());
  if (fs::is_directory(status)) refuse(file, "it is a folder");
  if (fs::exists(status)) {
    if (const int error = io::writing_error(file)) refuse(file, error);
    if (!fs::is_regular_file(status)) return {file, true};
  }
  // A chain of links without an end has no status.
  fs::path target = file;
  while (fs::is_symlink(fs::symlink_status(target, problem))) {
    target = target.parent_path() / fs::read_symlink(target, problem);
    if (problem) refuse(file, problem.message());
  }
  if (!target.has_filename()) refuse(file, "this is the name of a folder");
  const fs::path folder = folder_of(target);
  if (const std::string why = why_closed(folder); !why.empty()) refuse(file, why);
  for (const fs::path& name : {target, part_of(target)}) {
    if (is_too_long(name.filename(), folder)) refuse(file, ENAMETOOLONG);
  }
  return {target, false};
}

}  // namespace

// Parts go into the part file, or directly to a stream. The descriptor's lock on the part file outlives the renaming.
class OutputFile::Impl {
 public:
  explicit Impl(const fs::path& file) : file_(file), place_(place_of_file(file)), descriptor_(open()) {}
  ~Impl() {
    std::error_code ignored;
    if (!place_.is_stream && !finished_) fs::remove(part(), ignored);
  }

  void write(std::span<const std::byte> bytes) const {
    if (const int error = descriptor_.write(bytes)) refuse(file_, error);
  }

  [[nodiscard]] int descriptor() const { return descriptor_.number(); }

  void sync() const {
    if (const int error = descriptor_.flush()) refuse(file_, error);
    if (place_.is_stream) return;
    if (const int error = descriptor_.sync()) refuse(file_, error);
  }

  void rename(const fs::path& target) {
    if (place_.is_stream) return;
    std::error_code problem;
    fs::rename(part(), target, problem);
    if (problem) refuse(target, problem.message());
    finished_ = true;
  }

  void finish() {
    sync();
    rename(place_.target);
  }

 private:
  [[nodiscard]] fs::path part() const { return part_of(place_.target); }

  [[nodiscard]] FileDescriptor open() const {
    FileDescriptor descriptor =
        place_.is_stream ? FileDescriptor(file_, O_WRONLY | O_TRUNC) : io::open_locked(part(), O_WRONLY | O_CREAT);
    if (descriptor.number() < 0) refuse(file_, errno);
    if (place_.is_stream) return descriptor;
    if (const int error = descriptor.truncate(0)) refuse(file_, error);
    descriptor.take_permissions(place_.target);
    return descriptor;
  }

  fs::path file_;
  Place place_;
  FileDescriptor descriptor_;
  bool finished_ = false;
};

OutputFile::OutputFile(const fs::path& file) : impl_(std::make_unique<Impl>(file)) {}
OutputFile::~OutputFile() = default;
OutputFile::OutputFile(OutputFile&&) noexcept = default;
void OutputFile::write(std::span<const std::byte> bytes) { impl_->write(bytes); }
void OutputFile::write(std::string_view text) { write(std::as_bytes(std::span(text))); }
int OutputFile::descriptor() const { return impl_->descriptor(); }
void OutputFile::finish() { impl_->finish(); }
void OutputFile::sync() { impl_->sync(); }
void OutputFile::rename(const fs::path& file) {
  impl_->rename(file);
  io::bring_to_disk(folder_of(file));
}

void write_file(const fs::path& file, std::span<const std::byte> bytes) {
  OutputFile output(file);
  output.write(bytes);
  output.finish();
}

void write_file(const fs::path& file, std::string_view text) { write_file(file, std::as_bytes(std::span(text))); }

void require_writable(std::span<const fs::path> files) {
  for (const fs::path& file : files) place_of_file(file);
}

void require_writable_folder(const fs::path& folder) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::file_error, "cannot write to the folder '" + folder.string() + "': " + why);
  };
  if (folder.empty()) refuse("the name is empty");
  std::error_code problem;
  fs::path nearest = folder;  // the folder, or the nearest one above it that exists
  std::vector<fs::path> missing;
  while (!nearest.empty() && fs::symlink_status(nearest, problem).type() == fs::file_type::not_found) {
    missing.push_back(nearest.filename());
    nearest = nearest.parent_path();
  }
  if (nearest.empty()) nearest = ".";
  if (const std::string why = why_closed(nearest); !why.empty()) refuse(why);
  const auto too_long = [&](const fs::path& name) { return is_too_long(name, nearest); };
  if (std::any_of(missing.begin(), missing.end(), too_long)) refuse(std::generic_category().message(ENAMETOOLONG));
}

void require_ending(std::span<const fs::path> files, std::span<const std::string_view> endings,
                    std::string_view option) {
  for (const fs::path& file : files) {
    if (std::find(endings.begin(), endings.end(), io::ending_of(file)) != endings.end()) continue;
    throw Error(ErrorCode::invalid_option, InvalidOption{std::string(option), "\"" + file.string() + "\"",
                                                         "must end in one of " + list_of(endings)});
  }
}

void require_writable_page(const fs::path& file) {
  require_ending(std::array{file}, std::array<std::string_view, 2>{".html", ".htm"});
  require_writable(std::array{file});
}

void require_not_read(std::span<const fs::path> written, std::span<const fs::path> read, std::string_view option) {
  std::set<io::FileIdentity> known;
  for (const fs::path& file : read) {
    if (const std::optional<FileFacts> facts = io::facts_of(file)) known.insert(facts->identity);
  }
  for (const fs::path& file : written) {
    const std::optional<FileFacts> facts = io::facts_of(file);
    if (!facts || !known.contains(facts->identity) || (!facts->is_regular && !facts->is_folder)) continue;
    throw Error(ErrorCode::invalid_option,
                InvalidOption{std::string(option), "\"" + file.string() + "\"",
                              fmt::format("this {} is read too: choose another name or folder",
                                          facts->is_folder ? "folder" : "file")});
  }
}

}  // namespace octavo
