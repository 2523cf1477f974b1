// The manifest of a folder is replaced as a whole when a job ends, and when one begins where another was killed. Until
// then a job's records are lines of a journal, which only grows, so a job costs time in proportion to its files. The
// journal is also the lock: each process holds it while it reads the manifest, and while it records and writes the
// files of one source.
//
// A record stands in the journal before its file exists, so no file can exist that this folder does not know. An entry
// of the journal ends with a line that says that its files are written. Without this line the process was killed or
// failed, and the files may be those from before: the digest tells. Any other file needs a look at its digest only if
// it was changed after the manifest, or the journal, that has its record; otherwise its size must agree.

#include "io/results/result_folder.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <optional>
#include <system_error>

#include "io/files/content_digest.h"
#include "io/files/file_descriptor.h"
#include "io/files/output_file.h"
#include "io/files/part_file.h"
#include "io/files/read_bytes.h"
#include "io/results/manifest.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
using io::FileDescriptor;

constexpr const char* manifest_name = "octavo-manifest.jsonl";
constexpr const char* journal_name = ".octavo-manifest.journal";
// The lines around an entry of the journal: the records of one source. The number is that of the format of manifests.
constexpr std::string_view entry_line = "{\"entry\":2}\n";
constexpr std::string_view written_line = "{\"written\":2}\n";

// The facts of a regular file; none for anything else.
std::optional<io::FileFacts> file_facts(const fs::path& file) {
  std::optional<io::FileFacts> facts = io::facts_of(file);
  if (facts && !facts->is_regular) facts.reset();
  return facts;
}

// Whether the file has these bytes. A file that cannot be read has others.
bool has_digest(const fs::path& file, const std::string& digest) {
  try {
    return content_digest(file) == digest;
  } catch (const Error&) {
    return false;
  }
}

// The text of a file; empty if there is none.
std::string text_of_file(const fs::path& file) { return file_facts(file) ? io::read_text(file) : std::string(); }

// The journal of a folder, locked. It is removed with the lock if it is empty.
class Journal {
 public:
  explicit Journal(const fs::path& folder)
      : file_(folder / journal_name), descriptor_(io::open_locked(file_, O_RDWR | O_CREAT | O_APPEND)) {
    if (descriptor_.number() < 0) refuse(errno);
  }
  ~Journal() {
    std::error_code ignored;
    if (is_empty()) fs::remove(file_, ignored);
  }
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  [[nodiscard]] const fs::path& file() const { return file_; }
  [[nodiscard]] bool is_empty() const {
    const std::optional<io::FileFacts> facts = descriptor_.facts();
    return facts && facts->size == 0;
  }

  // Adds an entry, and writes the files that it announces. Throws Error(file_error). If there is no room for the entry
  // there is none.
  template <class WriteFiles>
  void append(const std::string& lines, const WriteFiles& write_files) const {
    const std::optional<io::FileFacts> facts = descriptor_.facts();
    if (!facts) refuse(errno);
    std::byte last{'\n'};
    if (facts->size > 0 && descriptor_.read_at(facts->size - 1, std::span(&last, 1)) != 1) refuse(errno);
    std::string entry(entry_line);
    if (last != std::byte{'\n'}) entry.insert(0, 1, '\n');  // a process was killed while it wrote a line
    if (const int error = add(entry + lines)) {
      if (const int other = descriptor_.truncate(facts->size)) refuse(other);
      refuse(error);
    }
    write_files();
    static_cast<void>(add(written_line));  // without this line a reader compares the files
  }

  void clear() const {
    if (const int error = descriptor_.truncate(0)) refuse(error);
  }

 private:
  // Returns 0, or the error.
  [[nodiscard]] int add(std::string_view text) const {
    const int error = descriptor_.write(std::as_bytes(std::span(text)));
    return error == 0 ? descriptor_.flush() : error;
  }
  [[noreturn]] void refuse(int error) const {
    throw Error(ErrorCode::file_error,
                "cannot write '" + file_.string() + "': " + std::generic_category().message(error));
  }

  fs::path file_;
  FileDescriptor descriptor_;
};

// The records that count, and the settings of the manifest and the journal.
struct Content {
  std::map<std::string, ResultRecord> records;
  std::map<std::string, std::string> settings;
  std::set<io::FileIdentity> identities;
};

// Reads the manifest and the journal, compares them with the files, and removes unfinished files.
class Reader {
 public:
  Reader(const fs::path& folder, const Journal& journal) : folder_(folder) {
    const fs::path manifest = folder / manifest_name;
    const std::string text = text_of_file(manifest);
    if (!text.empty() && !io::is_manifest(text)) {
      throw Error(ErrorCode::file_error, "cannot use '" + manifest.string() +
                                             "': it is not a manifest of this version of Octavo; remove it or choose "
                                             "another folder");
    }
    add(text, modified(manifest));
    const std::string entries = text_of_file(journal.file());
    const std::int64_t recorded = modified(journal.file());
    for (std::size_t begin = 0; begin < entries.size();) {
      const std::size_t end = std::min(entries.find(entry_line, begin + 1), entries.size());
      const std::string_view entry = std::string_view(entries).substr(begin, end - begin);
      add(entry, entry.ends_with(written_line) ? recorded : always_compare);
      begin = end;
    }
    remove_parts(entries);
  }

  Content content() {
    for (const auto& [name, candidates] : candidates_) check(name, candidates);
    return std::move(content_);
  }

 private:
  static constexpr std::int64_t always_compare = std::numeric_limits<std::int64_t>::min();

  struct Candidate {
    ResultRecord record;
    std::int64_t recorded;  // a file that was changed at this time or later is compared by its digest
  };

  static std::int64_t modified(const fs::path& file) {
    const auto facts = file_facts(file);
    return facts ? facts->modified : always_compare;
  }

  void add(std::string_view text, std::int64_t recorded) {
    io::ManifestLines lines = io::parse_manifest(text);
    for (auto& [name, record] : lines.records) candidates_[name].push_back({std::move(record), recorded});
    content_.settings.merge(lines.settings);
  }

  // No other process writes these files now, since it would hold the journal.
  void remove_parts(std::string_view entries) const {
    std::error_code problem;
    for (const auto& [name, record] : io::parse_manifest(entries).records) {
      fs::remove(io::part_of(folder_ / name), problem);
    }
    fs::remove(io::part_of(folder_ / manifest_name), problem);
  }

  // Keeps the newest record that fits the file.
  void check(const std::string& name, const std::vector<Candidate>& candidates) {
    const fs::path file = folder_ / name;
    const auto facts = file_facts(file);
    if (!facts) return;
    for (auto candidate = candidates.rbegin(); candidate != candidates.rend(); ++candidate) {
      if (facts->size != candidate->record.size) continue;
      const bool is_settled = facts->modified < candidate->recorded;
      if (!is_settled && !has_digest(file, candidate->record.digest)) continue;
      content_.identities.insert(facts->identity);
      content_.records[name] = candidate->record;
      return;
    }
  }

  fs::path folder_;
  std::map<std::string, std::vector<Candidate>> candidates_;
  Content content_;
};

// Makes the manifest say what the folder holds, and empties the journal.
Content merge(const fs::path& folder, const Journal& journal) {
  Content content = Reader(folder, journal).content();
  const fs::path manifest = folder / manifest_name;
  if (!content.records.empty() || file_facts(manifest)) {
    write_file(manifest, io::manifest_text(content.records, content.settings));
  }
  journal.clear();
  return content;
}

}  // namespace

ReadSource read_source(const fs::path& file) {
  const auto facts = file_facts(file);  // before the bytes: a file that is changed meanwhile has a later time
  ReadSource read{.source = {}, .bytes = io::read_bytes(file)};
  read.source = source_of(file, read.bytes);
  if (facts) read.source.modified = facts->modified;
  return read;
}

ResultSource source_at(const fs::path& file) {
  const auto facts = file_facts(file);
  std::error_code unknown;
  if (!facts && fs::exists(file, unknown)) return {.file = file};
  // The facts come before the bytes: a file that is changed meanwhile has a later time.
  const std::string digest = content_digest(file);
  return {.file = file, .size = facts ? facts->size : 0, .modified = facts ? facts->modified : 0, .digest = digest};
}

ResultSource source_of(const fs::path& name, std::span<const std::byte> bytes) {
  return {.file = name, .size = bytes.size(), .modified = 0, .digest = content_digest(bytes)};
}

ResultFolder::ResultFolder(fs::path folder) : folder_(std::move(folder)) {
  std::error_code problem;
  if (!fs::is_directory(folder_, problem)) return;
  const Journal journal(folder_);
  // A journal with entries is that of a job that was killed, or that runs now.
  Content content = journal.is_empty() ? Reader(folder_, journal).content() : merge(folder_, journal);
  records_ = std::move(content.records);
  settings_ = std::move(content.settings);
  identities_ = std::move(content.identities);
}

const ResultRecord* ResultFolder::up_to_date(const fs::path& name, const fs::path& source,
                                             std::string_view settings) const {
  const ResultRecord* const record = made_with(name, settings);
  const auto facts = file_facts(source);
  if (record == nullptr || !facts) return nullptr;
  if (record->source.size != facts->size) return nullptr;
  const bool is_the_same_file =
      record->source.modified == facts->modified && record->source.file == relative_path(source);
  return is_the_same_file || has_digest(source, record->source.digest) ? record : nullptr;
}

const ResultRecord* ResultFolder::up_to_date(const fs::path& name, const ResultSource& source,
                                             std::string_view settings) const {
  const ResultRecord* const record = made_with(name, settings);
  const bool is_known = record != nullptr && !source.digest.empty() && record->source.size == source.size;
  return is_known && record->source.digest == source.digest ? record : nullptr;
}

// The record of a file that was made with these settings; null if there is none.
const ResultRecord* ResultFolder::made_with(const fs::path& name, std::string_view settings) const {
  const auto found = records_.find(name.generic_string());
  if (found == records_.end()) return nullptr;
  return found->second.settings == content_digest(std::as_bytes(std::span(settings))) ? &found->second : nullptr;
}

bool ResultFolder::holds(const fs::path& file) const {
  const auto facts = file_facts(file);
  return facts && identities_.contains(facts->identity);
}

void ResultFolder::write(const ResultSource& source, std::uint64_t keypoints, std::span<const ResultFile> files) const {
  ResultSource recorded = source;
  recorded.file = relative_path(source.file);
  std::string lines;
  for (const ResultFile& file : files) {
    const std::string settings = content_digest(std::as_bytes(std::span(file.settings)));
    lines += io::line_of_settings(settings, file.settings);
    lines += io::line_of_record(file.name.generic_string(), {.size = file.bytes.size(),
                                                             .digest = content_digest(file.bytes),
                                                             .settings = settings,
                                                             .keypoints = keypoints,
                                                             .source = recorded});
  }
  write(lines, files);
}

void ResultFolder::write(const std::string& lines, std::span<const ResultFile> files) const {
  make_folder(folder_);
  const Journal journal(folder_);
  journal.append(lines, [&] {
    for (const ResultFile& file : files) {
      make_folder((folder_ / file.name).parent_path());
      write_file(folder_ / file.name, file.bytes);
    }
  });
}

void ResultFolder::adopt(const ResultFolder& from, const std::string& name) const {
  ResultRecord record = from.records_.at(name);
  const fs::path file = from.folder_ / name;
  std::vector<std::byte> bytes = io::read_bytes(file);
  if (content_digest(bytes) != record.digest) {
    throw Error(ErrorCode::file_error, "cannot use '" + file.string() + "': it changed meanwhile");
  }
  // A source that is no file, such as the standard input, keeps its name.
  std::error_code problem;
  fs::path& source = record.source.file;
  if (source.has_parent_path() || fs::exists(from.folder_ / source, problem)) {
    const fs::path path = fs::absolute(from.folder_ / source).lexically_normal();
    source = path.lexically_relative(fs::absolute(folder_).lexically_normal());
  }
  const auto settings = from.settings_.find(record.settings);
  const std::string values = settings != from.settings_.end() ? settings->second : "{}";
  const ResultFile result{.name = name, .settings = values, .bytes = std::move(bytes)};
  write(io::line_of_settings(record.settings, values) + io::line_of_record(name, record), std::span(&result, 1));
}

void ResultFolder::finish() const {
  std::error_code problem;
  if (fs::is_directory(folder_, problem)) merge(folder_, Journal(folder_));
}

// Relative paths stay true where sources and results move together. The path of a source that is no file, such as the
// standard input, is its name.
fs::path ResultFolder::relative_path(const fs::path& source) const {
  std::error_code problem;
  if (!fs::exists(source, problem)) return source;
  const fs::path from = fs::absolute(folder_).lexically_normal();
  const fs::path path = fs::absolute(source).lexically_normal().lexically_relative(from);
  return path.empty() ? source : path;
}

}  // namespace octavo
