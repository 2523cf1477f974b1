#include "video/archive/clip_lists.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <system_error>

#include "io/files/content_digest.h"
#include "io/files/file_descriptor.h"
#include "io/files/output_file.h"
#include "io/files/part_file.h"
#include "octavo/error.h"
#include "video/archive/key_frames.h"

namespace octavo {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "OctShard";
constexpr std::uint32_t version = 3;
constexpr std::size_t head_bytes = 16;
constexpr std::size_t content_bytes = 32;
constexpr std::size_t clip_bytes = content_bytes + 8;
constexpr std::string_view lists_ending = ".lists";

std::size_t lists_offset(std::size_t clips) { return (head_bytes + clips * clip_bytes + 7) / 8 * 8; }

std::uint32_t number_at(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

[[noreturn]] void damaged(const fs::path& file) {
  throw Error(ErrorCode::invalid_argument, "'" + file.string() + "' holds no lists of this version");
}

std::optional<ClipLists> try_open(const fs::path& file) try { return ClipLists(file); } catch (const Error&) {
  return std::nullopt;
}

// An empty file that is removed at the end. What is mapped of it stays.
class TemporaryFile {
 public:
  TemporaryFile() : file_(fs::temp_directory_path() / "octavo-lists-XXXXXX") {
    std::string name = file_;
    const int descriptor = mkstemp(name.data());
    file_ = name;
    if (descriptor < 0) io::fail_file("make", file_, errno);
    close(descriptor);
  }
  ~TemporaryFile() { unlink(file_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const fs::path& file() const { return file_; }

 private:
  fs::path file_;
};

// The folder of the lists, which one process at a time may change. That of an archive that cannot be written stays as
// it is, and need not exist.
class ListsFolder {
 public:
  explicit ListsFolder(const VideoArchive& archive)
      : folder_(archive.lists_folder()), may_change_(archive.may_change()) {
    if (may_change_) fs::create_directory(folder_);
    if (!fs::exists(folder_)) return;
    lock_.emplace(folder_, O_RDONLY | O_DIRECTORY);
    if (lock_->number() < 0) io::fail_file("open", folder_, errno);
    const auto lock = [&] { return flock(lock_->number(), may_change_ ? LOCK_EX : LOCK_SH); };
    if (io::uninterrupted(lock) != 0) io::fail_file("lock", folder_, errno);
  }

  [[nodiscard]] bool may_change() const { return may_change_; }

  // All files of lists. Those that are damaged are removed.
  [[nodiscard]] std::vector<ClipLists> read() const {
    std::vector<ClipLists> found;
    if (!lock_) return found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
      if (entry.path().extension() != lists_ending) continue;
      if (std::optional<ClipLists> lists = try_open(entry.path())) {
        found.push_back(std::move(*lists));
      } else {
        remove(entry.path());
      }
    }
    return found;
  }

  // A new file. It gets its name when the disk has it; where the folder cannot be changed it has none.
  template <class Write>
  [[nodiscard]] ClipLists add(const std::string& name, const Write& write) const {
    if (!may_change_) {
      const TemporaryFile nameless;
      write(nameless.file());
      return ClipLists(nameless.file());
    }
    const fs::path begun = folder_ / "lists", file = folder_ / (name + std::string(lists_ending));
    OutputFile output(begun);
    write(io::part_of(begun));
    output.sync();
    output.rename(file);
    return ClipLists(file);
  }

  void remove(const fs::path& file) const {
    if (may_change_) fs::remove(file);
  }

 private:
  fs::path folder_;
  bool may_change_;
  std::optional<io::FileDescriptor> lock_;
};

// Writes the lists of these clips, in the order of their contents.
class ListsFile {
 public:
  ListsFile(const VideoArchive& archive, std::vector<ArchivedClip> clips, const ProgressSink& progress)
      : archive_(archive), clips_(std::move(clips)), progress_(progress) {
    std::ranges::sort(clips_, {}, &ArchivedClip::content);
  }

  // The same clips have the same name.
  [[nodiscard]] std::string name() const {
    std::string contents;
    for (const ArchivedClip& clip : clips_) contents += clip.content;
    return content_digest(std::as_bytes(std::span(contents)));
  }

  void write(const fs::path& file) {
    count();
    MappedFile mapped(file, lists_offset(clips_.size()) + writer_.bytes(images_));
    write_table(mapped.bytes());
    write_lists(mapped.bytes().subspan(lists_offset(clips_.size())));
  }

 private:
  void count() {
    std::uint64_t images = 0;
    for (std::size_t i = 0; i < clips_.size(); ++i) {
      report(progress_, "counting words", i, clips_.size());
      const ClipSignature signature = archive_.signature(clips_[i]);
      const std::vector<std::uint32_t> keys = key_frames(signature);
      const auto first = static_cast<std::uint32_t>(images);
      table_.push_back({clips_[i].content, first, static_cast<std::uint32_t>(keys.size())});
      images += keys.size();
      if (images > UINT32_MAX) {
        throw Error(ErrorCode::out_of_memory,
                    "the archive has more than 2^32 key frames, which one file of lists cannot hold");
      }
      for (std::uint32_t k = 0; k < keys.size(); ++k) {
        for (const ListedFeature& one : listed_features(signature.frames[keys[k]])) writer_.count(first + k, one.word);
      }
    }
    images_ = static_cast<std::uint32_t>(images);
  }

  void write_table(std::span<std::byte> bytes) const {
    std::memcpy(bytes.data(), magic.data(), magic.size());
    std::memcpy(bytes.data() + 8, &version, sizeof version);
    const auto clips = static_cast<std::uint32_t>(clips_.size());
    std::memcpy(bytes.data() + 12, &clips, sizeof clips);
    std::byte* at = bytes.data() + head_bytes;
    for (const ListedClip& clip : table_) {
      std::memcpy(at, clip.content.data(), std::min(clip.content.size(), content_bytes));
      std::memcpy(at + content_bytes, &clip.first_image, sizeof clip.first_image);
      std::memcpy(at + content_bytes + 4, &clip.images, sizeof clip.images);
      at += clip_bytes;
    }
  }

  void write_lists(std::span<std::byte> bytes) {
    writer_.begin(bytes, images_);
    for (std::size_t i = 0; i < clips_.size(); ++i) {
      report(progress_, "listing words", i, clips_.size());
      const ClipSignature signature = archive_.signature(clips_[i]);
      const std::vector<std::uint32_t> keys = key_frames(signature);
      for (std::uint32_t k = 0; k < keys.size(); ++k) {
        for (const ListedFeature& one : listed_features(signature.frames[keys[k]])) {
          writer_.add(table_[i].first_image + k, one);
        }
      }
    }
  }

  const VideoArchive& archive_;
  std::vector<ArchivedClip> clips_;
  const ProgressSink& progress_;
  std::vector<ListedClip> table_;
  InvertedListsWriter writer_;
  std::uint32_t images_ = 0;
};

struct KeptLists {
  ClipLists lists;
  std::uint64_t bytes = 0;  // of the signatures of their clips
};

// The files whose clips are all among `missing`, the largest first. Their clips are taken out of it, and other files
// are removed.
std::vector<KeptLists> kept_lists(const ListsFolder& folder, std::map<std::string, ArchivedClip>& missing) {
  std::vector<ClipLists> found = folder.read();
  // Of two files that list a clip, which a process that was killed leaves behind, the larger one took in the other.
  std::ranges::sort(found, {},
                    [](const ClipLists& lists) { return std::pair(~lists.lists().features(), lists.file()); });
  std::vector<KeptLists> kept;
  for (ClipLists& lists : found) {
    if (std::ranges::all_of(lists.clips(), [&](const ListedClip& clip) { return missing.contains(clip.content); })) {
      // Clips of one content have one signature, so they stay good.
      std::uint64_t bytes = 0;
      for (const ListedClip& clip : lists.clips()) bytes += missing.extract(clip.content).mapped().signature_size;
      kept.push_back({std::move(lists), bytes});
    } else {
      folder.remove(lists.file());
    }
  }
  return kept;
}

}  // namespace

ClipLists::ClipLists(const fs::path& file) : file_(file), mapped_(file) {
  const std::span<const std::byte> bytes = std::as_const(mapped_).bytes();
  if (bytes.size() < head_bytes || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0 ||
      number_at(bytes, 8) != version) {
    damaged(file);
  }
  const std::size_t clips = number_at(bytes, 12);
  if (clips > (bytes.size() - head_bytes) / clip_bytes || lists_offset(clips) > bytes.size()) damaged(file);
  std::uint64_t images = 0;
  for (std::size_t i = 0; i < clips; ++i) {
    const std::size_t at = head_bytes + i * clip_bytes;
    ListedClip& clip = clips_.emplace_back();
    clip.content.assign(reinterpret_cast<const char*>(bytes.data() + at), content_bytes);
    clip.first_image = number_at(bytes, at + content_bytes);
    clip.images = number_at(bytes, at + content_bytes + 4);
    const bool is_in_order = i == 0 || clips_[i - 1].content < clip.content;  // so no clip is there twice
    if (clip.first_image != images || !is_in_order) damaged(file);
    images += clip.images;
  }
  lists_.emplace(bytes.subspan(lists_offset(clips)));
  if (lists_->images() != images) damaged(file);
}

const ListedClip& ClipLists::clip_of(std::uint32_t image) const {
  return *(std::ranges::upper_bound(clips_, image, {}, &ListedClip::first_image) - 1);
}

std::vector<ClipLists> open_lists(const VideoArchive& archive, const archive::LostClips& lost,
                                  const ProgressSink& progress) try {
  const ListsFolder folder(archive);
  std::map<std::string, ArchivedClip> missing;
  for (ArchivedClip& clip : archive.clips()) missing.emplace(clip.content, std::move(clip));
  std::vector<KeptLists> kept = kept_lists(folder, missing);

  // The signatures are read before the choice of files, since a clip that is lost must not be a reason to write.
  std::vector<ArchivedClip> clips;
  std::uint64_t bytes = 0;
  const auto take = [&](ArchivedClip clip) {
    if (!lost.are_there(archive, clip)) return;
    bytes += clip.signature_size;
    clips.push_back(std::move(clip));
  };
  for (auto& [content, clip] : missing) take(std::move(clip));
  std::vector<fs::path> replaced;
  while (!clips.empty() && folder.may_change() && !kept.empty() && kept.back().bytes <= bytes) {
    for (const ListedClip& clip : kept.back().lists.clips()) {
      if (std::optional<ArchivedClip> known = archive.clip_of_content(clip.content)) take(std::move(*known));
    }
    replaced.push_back(kept.back().lists.file());
    kept.pop_back();
  }
  std::vector<ClipLists> lists;
  for (KeptLists& one : kept) lists.push_back(std::move(one.lists));
  if (clips.empty()) return lists;
  ListsFile made(archive, std::move(clips), progress);
  lists.push_back(folder.add(made.name(), [&](const fs::path& file) { made.write(file); }));
  for (const fs::path& file : replaced) folder.remove(file);
  return lists;
} catch (const fs::filesystem_error& error) {
  throw Error(ErrorCode::file_error,
              "cannot make the lists of the archive '" + archive.folder().string() + "': " + error.code().message());
}

}  // namespace octavo
