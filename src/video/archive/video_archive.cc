// Puts the catalogue and the files of signatures together. A signature gets its name, and loses it, only while its
// process holds the catalogue's lock for writing. So the lock tells which files of signatures belong to a row.

#include "octavo/video/video_archive.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <mutex>
#include <system_error>
#include <utility>

#include "io/files/content_digest.h"
#include "octavo/error.h"
#include "video/archive/catalogue.h"
#include "video/archive/signature_store.h"
#include "video/signature/frame_times.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
using sqlite::Transaction;

fs::path catalogue_of(const fs::path& folder) { return folder / "catalogue.sqlite"; }

// Makes the archive, unless there is one.
void make_archive(const fs::path& folder, const SignatureOptions& settings, bool fast) {
  validate(settings);
  archive::make_durable_folder(folder / "segments");
  archive::Catalogue::make(catalogue_of(folder), settings, fast);
}

void require_value(const fs::path& folder, std::string_view option, const OptionValue& has, const OptionValue& wanted) {
  if (wanted == has) return;
  throw Error(ErrorCode::invalid_option, InvalidOption{std::string(option), option_text(wanted),
                                                       fmt::format("must be {}, with which the archive '{}' was made",
                                                                   option_text(has), folder.string())});
}

// The pair in its order.
Verdict in_order(Verdict verdict) {
  if (verdict.a == verdict.b) throw Error(ErrorCode::invalid_argument, "a verdict is on two different contents");
  if (verdict.b < verdict.a) std::swap(verdict.a, verdict.b);
  return verdict;
}

}  // namespace

std::string_view name_of(Judgement judgement) {
  switch (judgement) {
    case Judgement::same:
      return "same";
    case Judgement::different:
      return "different";
    default:
      return "ignore";
  }
}

std::optional<Judgement> judgement_of(std::string_view name) {
  for (const Judgement one : {Judgement::same, Judgement::different, Judgement::ignore}) {
    if (name == name_of(one)) return one;
  }
  return std::nullopt;
}

class VideoArchive::Impl {
 public:
  explicit Impl(fs::path folder)
      : folder_(std::move(folder)),
        may_change_(is_writable(folder_) && is_writable(existing(folder_))),
        catalogue_(existing(folder_), may_change_),
        signatures_(folder_ / "segments") {}

  [[nodiscard]] const fs::path& folder() const { return folder_; }
  [[nodiscard]] const SignatureOptions& settings() const { return catalogue_.settings(); }
  [[nodiscard]] bool is_fast() const { return catalogue_.is_fast(); }
  [[nodiscard]] bool may_change() const { return may_change_; }

  // Returns what a function reads, all of one moment. One thread at a time has the catalogue.
  template <class Read>
  auto read(const Read& read) {
    const std::lock_guard lock(mutex_);
    const Transaction transaction(catalogue_.database(), Transaction::Kind::read);
    return read(catalogue_);
  }

  // Makes a change in a transaction, then removes the signatures that it returns: those that no clip has any more.
  template <class Change>
  void change(const Change& change) {
    require_may_change();
    const std::lock_guard lock(mutex_);
    std::vector<std::string> unused;
    {
      Transaction transaction(catalogue_.database());
      unused = change(catalogue_);
      transaction.commit();
    }
    remove_unused(unused);  // after the change is durable
  }

  // Others may write to the archive while its files are listed.
  void remove_leftovers() {
    require_may_change();
    signatures_.remove_drafts();
    std::vector<std::string> unused = signatures_.digests();
    const std::lock_guard lock(mutex_);
    {
      const Transaction transaction(catalogue_.database(), Transaction::Kind::read);
      std::erase_if(unused, [&](const std::string& signature) { return catalogue_.has_signature(signature); });
    }
    remove_unused(unused);
  }

  [[nodiscard]] const archive::SignatureStore& signatures() const { return signatures_; }

 private:
  // Removes the signatures that no clip has: another process may have got the same one meanwhile.
  void remove_unused(const std::vector<std::string>& signatures) {
    if (signatures.empty()) return;
    const Transaction transaction(catalogue_.database());
    for (const std::string& signature : signatures) {
      if (!catalogue_.has_signature(signature)) signatures_.remove(signature);
    }
  }

  void require_may_change() const {
    if (may_change_) return;
    throw Error(ErrorCode::file_error,
                fmt::format("the archive '{}' cannot be changed: this user may not write to it", folder_.string()));
  }

  static bool is_writable(const fs::path& file) { return faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) == 0; }

  static fs::path existing(const fs::path& folder) {
    if (!VideoArchive::exists(folder)) {
      throw Error(ErrorCode::file_error, fmt::format("there is no archive in '{}'", folder.string()));
    }
    return catalogue_of(folder);
  }

  fs::path folder_;
  bool may_change_;
  std::mutex mutex_;
  archive::Catalogue catalogue_;
  archive::SignatureStore signatures_;
};

bool VideoArchive::exists(const fs::path& folder) {
  std::error_code error;
  const fs::path catalogue = catalogue_of(folder);
  return fs::is_regular_file(catalogue, error) && !archive::Catalogue::is_unfinished(catalogue);
}

VideoArchive::VideoArchive(const fs::path& folder) : impl_(std::make_unique<Impl>(folder)) {}

VideoArchive::VideoArchive(const fs::path& folder, const SignatureOptions& settings, bool fast) {
  make_archive(folder, settings, fast);
  impl_ = std::make_unique<Impl>(folder);
  require_settings(settings, fast);
}

VideoArchive::~VideoArchive() = default;
VideoArchive::VideoArchive(VideoArchive&&) noexcept = default;

const fs::path& VideoArchive::folder() const { return impl_->folder(); }
const SignatureOptions& VideoArchive::settings() const { return impl_->settings(); }
bool VideoArchive::is_fast() const { return impl_->is_fast(); }
bool VideoArchive::may_change() const { return impl_->may_change(); }
void VideoArchive::require_settings(const SignatureOptions& settings, bool fast) const {
  for (const Option<SignatureOptions>& option : option_table<SignatureOptions>().options) {
    require_value(folder(), option.name, option.read(this->settings(), option), option.read(settings, option));
  }
  require_value(folder(), "fast", is_fast(), fast);
}

fs::path VideoArchive::lists_folder() const { return folder() / "lists"; }

std::vector<ArchivedClip> VideoArchive::clips() const {
  return impl_->read([](archive::Catalogue& catalogue) { return catalogue.clips(); });
}

std::optional<ArchivedClip> VideoArchive::clip_of_content(std::string_view content) const {
  return impl_->read([&](archive::Catalogue& catalogue) -> std::optional<ArchivedClip> {
    const std::optional<std::int64_t> id = catalogue.clip_of_content(content);
    return id ? catalogue.clip(*id) : std::nullopt;
  });
}

std::optional<ArchivedClip> VideoArchive::clip_of_file(const fs::path& file) const {
  return impl_->read([path = archive_path(file)](archive::Catalogue& catalogue) -> std::optional<ArchivedClip> {
    const std::optional<ArchivedFile> known = catalogue.file(path);
    return known && known->clip ? catalogue.clip(*known->clip) : std::nullopt;
  });
}

std::vector<ArchivedFile> VideoArchive::files() const {
  return impl_->read([](archive::Catalogue& catalogue) { return catalogue.files(); });
}

std::optional<ArchivedFile> VideoArchive::file(const fs::path& file) const {
  return impl_->read([path = archive_path(file)](archive::Catalogue& catalogue) { return catalogue.file(path); });
}

std::vector<std::byte> VideoArchive::signature_bytes(const ArchivedClip& clip) const {
  const auto refuse = [&](std::string_view why) {
    throw Error(ErrorCode::file_error,
                fmt::format("the signature of '{}' in the archive '{}' {}: forget the clip and index it again",
                            clip.files.front().string(), folder().string(), why));
  };
  std::vector<std::byte> bytes;
  try {
    bytes = impl_->signatures().read(clip.signature_digest);
  } catch (const Error& error) {
    refuse(fmt::format("is lost ({})", error.what()));
  }
  if (content_digest(bytes) != clip.signature_digest) refuse("is damaged");
  return bytes;
}

ClipSignature VideoArchive::signature(const ArchivedClip& clip) const {
  ClipSignature signature = decode_signature(signature_bytes(clip), clip.files.front().string());
  signature.step = step_of(settings(), clip.facts.frame_rate);
  return signature;
}

std::string VideoArchive::digest() const {
  std::string text = json_of(option_table<SignatureOptions>(), settings()) + (is_fast() ? " fast\n" : "\n");
  for (const ArchivedClip& clip : clips()) text += clip.content + " " + clip.signature_digest + "\n";
  return content_digest(std::as_bytes(std::span(text)));
}

class VideoArchive::NewSignature::Impl {
 public:
  explicit Impl(archive::SignatureStore::Draft made) : draft(std::move(made)) {}
  archive::SignatureStore::Draft draft;
};

VideoArchive::NewSignature::NewSignature(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
VideoArchive::NewSignature::~NewSignature() = default;
VideoArchive::NewSignature::NewSignature(NewSignature&&) noexcept = default;
void VideoArchive::NewSignature::write(std::span<const std::byte> bytes) { impl_->draft.write(bytes); }

VideoArchive::NewSignature VideoArchive::new_signature(std::string_view content) {
  return NewSignature(std::make_unique<NewSignature::Impl>(impl_->signatures().begin(std::string(content))));
}

std::int64_t VideoArchive::add(const ArchivedClip& clip, NewSignature signature, const fs::path& given,
                               const FileStamp& stamp) {
  archive::SignatureStore::Draft& draft = signature.impl_->draft;
  ArchivedClip added = clip;
  added.signature_digest = draft.finish();
  added.signature_size = draft.size();
  impl_->change([&](archive::Catalogue& catalogue) {
    if (const std::optional<std::int64_t> known = catalogue.clip_of_content(clip.content)) {
      added.id = *known;
    } else {
      draft.give_name();
      added.id = catalogue.add_clip(added);
    }
    return catalogue.set_file(
        {.file = archive_path(given), .given = given, .stamp = stamp, .clip = added.id, .failure = {}});
  });
  return added.id;
}

bool VideoArchive::add_file(std::string_view content, const fs::path& given, const FileStamp& stamp) {
  const fs::path path = archive_path(given);
  bool has_content = false;
  impl_->change([&](archive::Catalogue& catalogue) -> std::vector<std::string> {
    const std::optional<std::int64_t> id = catalogue.clip_of_content(content);
    has_content = id.has_value();
    if (!id) return {};
    const std::optional<ArchivedFile> before = catalogue.file(path);
    std::vector<std::string> unused =
        catalogue.set_file({.file = path, .given = given, .stamp = stamp, .clip = id, .failure = {}});
    if (before && before->clip == id) return unused;
    const std::vector<fs::path> others = catalogue.clip(*id).value().files;
    for (const fs::path& other : others) {
      std::error_code error;
      if (fs::status(other, error).type() != fs::file_type::not_found) continue;
      catalogue.remove_file(other);
      break;
    }
    return unused;
  });
  return has_content;
}

void VideoArchive::add_failure(const fs::path& given, const std::optional<FileStamp>& stamp,
                               const std::string& failure) {
  impl_->change([&](archive::Catalogue& catalogue) {
    return catalogue.set_file(
        {.file = archive_path(given), .given = given, .stamp = stamp, .clip = {}, .failure = failure});
  });
}

void VideoArchive::adopt(const VideoArchive& from, const ArchivedFile& file) {
  if (!file.clip) {
    impl_->change([&](archive::Catalogue& catalogue) -> std::vector<std::string> {
      const std::optional<ArchivedFile> known = catalogue.file(file.file);
      if (known && known->clip) return {};
      return catalogue.set_file(file);
    });
    return;
  }
  const std::optional<ArchivedClip> clip =
      from.impl_->read([&](archive::Catalogue& catalogue) { return catalogue.clip(*file.clip); });
  if (!clip) return;  // another process has removed it
  const std::optional<ArchivedClip> known = clip_of_content(clip->content);
  std::optional<NewSignature> signature;
  if (!known) {
    signature.emplace(new_signature(clip->content));
    signature->write(from.signature_bytes(*clip));
    signature->impl_->draft.finish();
  }
  impl_->change([&](archive::Catalogue& catalogue) {
    ArchivedFile added = file;
    added.clip = catalogue.clip_of_content(clip->content);
    if (!added.clip) {
      // Another process may have removed it meanwhile: the next call adds it.
      if (!signature)
        throw Error(ErrorCode::file_error, fmt::format("the archive '{}' changed meanwhile", folder().string()));
      signature->impl_->draft.give_name();
      added.clip = catalogue.add_clip(*clip);
    } else if (catalogue.clip(*added.clip)->signature_digest != clip->signature_digest) {
      throw Error(ErrorCode::file_error, fmt::format("the archives '{}' and '{}' have different signatures of '{}'",
                                                     folder().string(), from.folder().string(), file.file.string()));
    }
    return catalogue.set_file(added);
  });
}

bool VideoArchive::forget(const fs::path& file) {
  const fs::path path = archive_path(file);
  bool is_known = false;
  impl_->change([&](archive::Catalogue& catalogue) {
    is_known = catalogue.file(path).has_value();
    return catalogue.remove_file(path);
  });
  return is_known;
}

void VideoArchive::remove_leftovers() { impl_->remove_leftovers(); }

void VideoArchive::set_verdict(const Verdict& verdict) {
  impl_->change([verdict = in_order(verdict)](archive::Catalogue& catalogue) -> std::vector<std::string> {
    catalogue.set_verdict(verdict);
    return {};
  });
}

bool VideoArchive::remove_verdict(std::string_view a, std::string_view b) {
  bool existed = false;
  impl_->change([&](archive::Catalogue& catalogue) -> std::vector<std::string> {
    existed = catalogue.remove_verdict(std::min(a, b), std::max(a, b));
    return {};
  });
  return existed;
}

bool VideoArchive::replace_verdict(std::optional<Verdict> before, std::optional<Verdict> after) {
  if (before) before = in_order(std::move(*before));
  if (after) after = in_order(std::move(*after));
  if ((!before && !after) || (before && after && (before->a != after->a || before->b != after->b))) {
    throw Error(ErrorCode::invalid_argument, "a verdict is replaced by one on the same contents");
  }
  const std::string a = before ? before->a : after->a, b = before ? before->b : after->b;
  bool is_before = false;
  impl_->change([&](archive::Catalogue& catalogue) -> std::vector<std::string> {
    is_before = catalogue.verdict(a, b) == before;
    if (is_before && after) catalogue.set_verdict(*after);
    if (is_before && !after) catalogue.remove_verdict(a, b);
    return {};
  });
  return is_before;
}

std::vector<Verdict> VideoArchive::verdicts() const {
  return impl_->read([](archive::Catalogue& catalogue) { return catalogue.verdicts(); });
}

// A lock of one byte of the file `claims`, at a place that the content tells. It belongs to the open file (OFD), so it
// holds between threads too, and ends with the process. Two contents of the same place merely wait for each other.
std::optional<VideoArchive::Claim> VideoArchive::claim(std::string_view content) const {
  const fs::path file = folder() / "claims";
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  const auto refuse = [&] {
    throw Error(ErrorCode::file_error,
                fmt::format("cannot lock '{}': {}", file.string(), std::generic_category().message(errno)));
  };
  if (descriptor < 0) refuse();
  std::optional<Claim> claim(std::in_place, descriptor);
  std::uint64_t place = 0;
  const std::string_view digits = content.substr(0, 15);  // 60 bits
  std::from_chars(digits.data(), digits.data() + digits.size(), place, 16);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(place);
  lock.l_len = 1;
  if (fcntl(descriptor, F_OFD_SETLK, &lock) == 0) return claim;
  if (errno != EAGAIN && errno != EACCES) refuse();
  return std::nullopt;
}

VideoArchive::Claim::Claim(Claim&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
VideoArchive::Claim::~Claim() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace octavo
