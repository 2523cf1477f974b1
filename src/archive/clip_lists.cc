#include "archive/clip_lists.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <system_error>

#include "archive/key_frames.h"
#include "imageio/file_descriptor.h"
#include "octavo/error.h"

namespace octavo {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "OctShard";
constexpr std::uint32_t version = 2;
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

// The right to change the folder, for one process at a time.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder) : descriptor_(folder, O_RDONLY | O_DIRECTORY) {
    if (descriptor_.number() < 0) imageio::fail_file("open", folder, errno);
    if (imageio::uninterrupted([&] { return flock(descriptor_.number(), LOCK_EX); }) != 0)
      imageio::fail_file("lock", folder, errno);
  }
  // Waits until the disk has the names of the files.
  void sync() const { fsync(descriptor_.number()); }

 private:
  imageio::FileDescriptor descriptor_;
};

std::optional<ClipLists> try_open(const fs::path& file) try { return ClipLists(file); } catch (const Error&) {
  return std::nullopt;
}

// Writes the lists of these clips, in the order of their contents, and gives the file its name when the disk has it.
class ListsFile {
 public:
  ListsFile(const VideoArchive& archive, std::vector<ArchivedClip> clips, const ProgressSink& progress)
      : archive_(archive), clips_(std::move(clips)), progress_(progress) {
    std::ranges::sort(clips_, {}, &ArchivedClip::content);
  }

  ClipLists write(const FolderLock& folder) {
    count();
    const fs::path part = archive_.lists_folder() / "lists.part";
    const fs::path file = archive_.lists_folder() / (name() + std::string(lists_ending));
    {
      MappedFile mapped(part, lists_offset(clips_.size()) + writer_.bytes(images_));
      write_table(mapped.bytes());
      write_lists(mapped.bytes().subspan(lists_offset(clips_.size())));
      mapped.sync();
    }
    fs::rename(part, file);
    folder.sync();
    return ClipLists(file);
  }

 private:
  // The same clips have the same name.
  [[nodiscard]] std::string name() const {
    std::string contents;
    for (const ArchivedClip& clip : clips_) contents += clip.content;
    return content_digest(std::as_bytes(std::span(contents)));
  }

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

std::vector<ClipLists> open_lists(const VideoArchive& archive, const ProgressSink& progress) try {
  fs::create_directory(archive.lists_folder());
  const FolderLock folder(archive.lists_folder());
  std::map<std::string, ArchivedClip> missing;
  for (ArchivedClip& clip : archive.clips()) missing.emplace(clip.content, std::move(clip));

  std::vector<ClipLists> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(archive.lists_folder())) {
    if (entry.path().extension() != lists_ending) continue;
    std::optional<ClipLists> lists = try_open(entry.path());
    if (lists) {
      found.push_back(std::move(*lists));
    } else {
      fs::remove(entry.path());
    }
  }
  // Of two files that list a clip, which a process that was killed leaves behind, the larger one took in the other.
  std::ranges::sort(found, {},
                    [](const ClipLists& lists) { return std::pair(~lists.lists().features(), lists.file()); });
  std::vector<ClipLists> kept;
  std::vector<std::uint64_t> kept_bytes;  // of the signatures of their clips
  for (ClipLists& lists : found) {
    if (std::ranges::all_of(lists.clips(), [&](const ListedClip& clip) { return missing.contains(clip.content); })) {
      // Clips of one content have one signature, so they stay good.
      std::uint64_t& bytes = kept_bytes.emplace_back(0);
      for (const ListedClip& clip : lists.clips()) bytes += missing.extract(clip.content).mapped().segment_size;
      kept.push_back(std::move(lists));
    } else {
      fs::remove(lists.file());
    }
  }
  if (missing.empty()) return kept;

  std::vector<ArchivedClip> clips;
  std::uint64_t bytes = 0;
  const auto take = [&](ArchivedClip clip) {
    bytes += clip.segment_size;
    clips.push_back(std::move(clip));
  };
  for (auto& [content, clip] : missing) take(std::move(clip));
  std::vector<fs::path> replaced;
  while (!kept.empty() && kept_bytes.back() <= bytes) {
    for (const ListedClip& clip : kept.back().clips()) {
      if (std::optional<ArchivedClip> known = archive.clip_of_content(clip.content)) take(std::move(*known));
    }
    replaced.push_back(kept.back().file());
    kept.pop_back();
    kept_bytes.pop_back();
  }
  kept.push_back(ListsFile(archive, std::move(clips), progress).write(folder));
  for (const fs::path& file : replaced) fs::remove(file);
  return kept;
} catch (const fs::filesystem_error& error) {
  throw Error(ErrorCode::file_error,
              "cannot make the lists of the archive '" + archive.folder().string() + "': " + error.code().message());
}

}  // namespace octavo
