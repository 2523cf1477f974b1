#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/video/clip_signature.h"
#include "octavo/video/video_file.h"

// An archive of clips that can be searched: a folder with a catalogue and the signature of each clip.
// docs/video-search.md describes its files, and what a crash leaves of them.

namespace OCTAVO_API octavo {

class Video;  // octavo/video/video.h

/// What the catalogue knows of the content of a clip.
struct ClipFacts {
  std::string container;               ///< VideoFacts::container
  std::string codec;                   ///< VideoFacts::codec
  int width = 0;                       ///< [pixel] as stored
  int height = 0;                      ///< [pixel] as stored
  Ratio frame_rate{0, 1};              ///< [1/second] by the file; 0: unknown
  double seconds = 0;                  ///< ClipSignature::seconds
  std::int64_t frames = 0;             ///< those that were decoded
  std::vector<VideoWarning> warnings;  ///< Video::warnings
  std::string decoder;                 ///< name and version, for people
  std::string time_code{};             ///< VideoFacts::time_code
  friend bool operator==(const ClipFacts&, const ClipFacts&) = default;
};

/// As is_image of VideoFacts.
bool is_image(const ClipFacts& facts);

/// The facts of a video that was read to its end.
ClipFacts facts_of(const Video& video);

/// A clip whose signature is in the archive. Files of the same bytes are one clip.
struct ArchivedClip {
  std::int64_t id = 0;                       ///< stays; no other clip of the archive ever gets it
  std::string content;                       ///< the digest of the file's bytes (content_digest)
  std::uint64_t size = 0;                    ///< [byte] of the file
  std::vector<std::filesystem::path> files;  ///< absolute paths, sorted; one or more
  ClipFacts facts;
  std::string signature_digest;      ///< the digest of the signature's bytes
  std::uint64_t signature_size = 0;  ///< [byte]
  double work_seconds = 0;           ///< [second] that decoding and signing took
};

/// The size and the time of the last change of a file. Another value tells that the file may have changed.
struct FileStamp {
  std::uint64_t size = 0;     ///< [byte]
  std::int64_t modified = 0;  ///< [ns] since 1970
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// A file that the archive knows.
struct ArchivedFile {
  std::filesystem::path file;        ///< absolute, without links and dots
  std::filesystem::path given;       ///< as it was given
  std::optional<FileStamp> stamp;    ///< none: the file could not be found
  std::optional<std::int64_t> clip;  ///< ArchivedClip::id; none: it could not be indexed
  std::string failure;               ///< why it could not be indexed; empty: it could
};

/// What a person says of two clips.
enum class Judgement : std::uint8_t {
  same,       ///< they show the same
  different,  ///< they do not
  ignore,     ///< the pair is not of interest
};

/// "same", "different" or "ignore".
std::string_view name_of(Judgement judgement);

/// The judgement of this name, or none.
std::optional<Judgement> judgement_of(std::string_view name);

/// A judgement on two contents, which holds whether the archive has them or not.
struct Verdict {
  std::string a, b;  ///< digests of contents; a < b
  Judgement judgement = Judgement::same;
  std::string note;
  friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// Size and time of a file. None if there is no file. Throws Error(file_error) for what is no regular file, or cannot
/// be reached.
std::optional<FileStamp> stamp_of(const std::filesystem::path& file);

/// Why a file cannot be read as what an archive knows by this stamp, "it changed since it was indexed"; empty: it can.
std::string lack_of(const std::filesystem::path& file, const std::optional<FileStamp>& known);

/// The name by which the archive knows a file: absolute, without links and dots. The file need not exist.
std::filesystem::path archive_path(const std::filesystem::path& file);

/// Is told of each clip that a job leaves out since its signature cannot be read, and why, by one thread at a time. It
/// may be told of a clip more than once. Empty: the job ends instead, with Error(file_error).
using LostClip = std::function<void(const ArchivedClip& clip, const std::string& sentence)>;

/// An archive. Several threads may use an object at a time, and several processes the same folder. Every change is one
/// transaction: after a crash, also of the machine, it is there as a whole or not at all. Functions throw
/// Error(file_error), which names the folder and the reason, if the catalogue cannot be read or written.
class VideoArchive {
 public:
  /// Whether the folder has a catalogue. Throws nothing.
  static bool exists(const std::filesystem::path& folder);

  /// Opens an archive. Throws Error(file_error) if there is none, if another program made the file of the catalogue, or
  /// a later version of Octavo. An archive that this process may not change is read as it is now: what others change
  /// later does not show.
  explicit VideoArchive(const std::filesystem::path& folder);

  /// Opens an archive, or makes one with these settings; `fast` is VideoOptions::fast. Throws Error(invalid_option),
  /// which names the option and both values, if there is one with other settings.
  VideoArchive(const std::filesystem::path& folder, const SignatureOptions& settings, bool fast = false);

  ~VideoArchive();
  VideoArchive(VideoArchive&&) noexcept;
  VideoArchive& operator=(VideoArchive&&) = delete;

  /// Where it is.
  [[nodiscard]] const std::filesystem::path& folder() const;
  /// The settings of all signatures of the archive.
  [[nodiscard]] const SignatureOptions& settings() const;
  /// Whether all clips are decoded with VideoOptions::fast.
  [[nodiscard]] bool is_fast() const;
  /// Whether this process may change the archive. If not, such as on a read-only disk, it can be read and searched.
  [[nodiscard]] bool may_change() const;
  /// Throws Error(invalid_option), which names the option and both values, if the archive has other settings.
  void require_settings(const SignatureOptions& settings, bool fast) const;
  /// A folder for what is made of the signatures and can be made again, such as inverted lists. It may not exist.
  [[nodiscard]] std::filesystem::path lists_folder() const;

  /// All clips, in the order of `content`, which does not depend on the order of indexing.
  [[nodiscard]] std::vector<ArchivedClip> clips() const;
  /// The clip of this content, or none.
  [[nodiscard]] std::optional<ArchivedClip> clip_of_content(std::string_view content) const;
  /// The clip of this file, or none.
  [[nodiscard]] std::optional<ArchivedClip> clip_of_file(const std::filesystem::path& file) const;
  /// All files, sorted by path.
  [[nodiscard]] std::vector<ArchivedFile> files() const;
  /// The one of this path, or none.
  [[nodiscard]] std::optional<ArchivedFile> file(const std::filesystem::path& file) const;

  /// The bytes of a clip's signature. Throws Error(file_error), which names the clip, if they cannot be read or are not
  /// those that were written.
  [[nodiscard]] std::vector<std::byte> signature_bytes(const ArchivedClip& clip) const;
  /// The signature itself: decode_signature of these bytes.
  [[nodiscard]] ClipSignature signature(const ArchivedClip& clip) const;

  /// A digest of the settings, the contents and their signatures. It does not depend on the names of files, on the
  /// order of indexing, or on threads, devices and times.
  [[nodiscard]] std::string digest() const;

  /// The bytes of a signature on their way into the archive. They are dropped unless `add` takes them.
  class NewSignature {
   public:
    ~NewSignature();
    NewSignature(NewSignature&&) noexcept;
    NewSignature& operator=(NewSignature&&) = delete;
    /// Appends bytes, such as those of a SignatureEncoder.
    void write(std::span<const std::byte> bytes);

   private:
    friend class VideoArchive;
    class Impl;
    explicit NewSignature(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
  };
  /// Begins the signature of a content. It must not outlive the archive. Others that begin the same one wait.
  [[nodiscard]] NewSignature new_signature(std::string_view content);

  /// Adds a clip with its signature and the file that it was made from. Of `clip`, the members `content`, `size`,
  /// `facts` and `work_seconds` count. A content that the archive has stays as it is. A file that had another content
  /// loses it, and a clip without files is forgotten. Returns the clip's id.
  std::int64_t add(const ArchivedClip& clip, NewSignature signature, const std::filesystem::path& given,
                   const FileStamp& stamp);
  /// Adds a file whose content the archive has. If a file of this content is no longer where it was, it has moved: its
  /// entry is replaced. Returns false, and changes nothing, if the archive does not have the content.
  bool add_file(std::string_view content, const std::filesystem::path& given, const FileStamp& stamp);
  /// Notes that a file cannot be indexed.
  void add_failure(const std::filesystem::path& given, const std::optional<FileStamp>& stamp,
                   const std::string& failure);
  /// Takes over what another archive knows of a file, with its clip and the signature. Both have the same settings.
  /// What this archive knows of the file is replaced, unless it has a clip and the other one has none. Throws
  /// Error(file_error) if both have the content with different signatures; it names the file.
  void adopt(const VideoArchive& from, const ArchivedFile& file);
  /// Removes a file from the archive, and its clip with the signature if no other file has the same content. The file
  /// itself stays. Returns false if the archive does not know it.
  bool forget(const std::filesystem::path& file);

  /// Removes what killed processes left behind: unfinished signatures, and signatures that no clip has. Other processes
  /// may work on the archive.
  void remove_leftovers();

  /// Sets the verdict on a pair of contents, in either order. Throws Error(invalid_argument) if they are the same.
  void set_verdict(const Verdict& verdict);
  /// Returns false if there was none.
  bool remove_verdict(std::string_view a, std::string_view b);
  /// Replaces a verdict if it is still `before`, or there is still none, by `after`, or by none. Returns false, and
  /// changes nothing, if another process or thread was faster. Throws Error(invalid_argument) unless one of them is
  /// given, and both are on the same pair.
  bool replace_verdict(std::optional<Verdict> before, std::optional<Verdict> after);
  /// All verdicts, in the order of `a` and `b`.
  [[nodiscard]] std::vector<Verdict> verdicts() const;

  /// The right to index a content: while it is held, no other thread or process gets it. It ends with its owner.
  class Claim {
   public:
    explicit Claim(int descriptor) : descriptor_(descriptor) {}
    ~Claim();
    Claim(Claim&& other) noexcept;
    Claim& operator=(Claim&&) = delete;

   private:
    int descriptor_;
  };
  /// None if another thread or process holds it now.
  [[nodiscard]] std::optional<Claim> claim(std::string_view content) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Clips, brought into an archive.

/// Videos that were found at some places.
struct VideoFiles {
  std::vector<std::filesystem::path> files;  ///< each once
  std::vector<std::string> names;            ///< of each: its path below the folder that was given, or the file's name
  std::vector<std::string> problems;         ///< a sentence for each folder that gives no video, or cannot be read
};

/// The videos at some places. A folder gives the videos in it and in the folders below it (looks_like_video), sorted;
/// with `images` the images too (looks_like_image). Anything else is taken for a video or an image, which need not
/// exist.
VideoFiles find_videos(std::span<const std::string> places, bool images = false);

/// How far the work on a clip is, in seconds of the clip.
struct ClipStep {
  double done = 0;   ///< [second]
  double total = 0;  ///< [second] by the file; 0: unknown
};

/// What a ClipReader tells while it reads a clip, and when it ends.
struct ClipReading {
  std::stop_token stop{};                                     ///< once a stop is requested it ends
  std::function<void(const ClipStep&)> progress;              ///< is called often
  std::function<void(std::span<const std::byte>)> signature;  ///< the next bytes of the signature (SignatureEncoder)
};

/// Reads a clip and makes its signature. Returns none if it had to stop. Throws what Video throws. Several threads call
/// it at a time.
using ClipReader = std::function<std::optional<ClipFacts>(const std::filesystem::path& clip, const ClipReading& tell)>;

/// A ClipReader that makes signatures by a ClipSigner for each clip. Throws Error(invalid_option), and
/// Error(file_error) if the decoder is not found.
ClipReader clip_reader(const SignatureOptions& signature, const VideoOptions& video = {},
                       const DeviceOptions& device = {});

/// What has become of a file.
enum class ClipOutcome : std::uint8_t {
  indexed,        ///< its signature was made
  recognised,     ///< another file of the same content was indexed before, or this one under another name
  unchanged,      ///< it is in the archive
  failed,         ///< it cannot be indexed
  failed_before,  ///< the same, found out by an earlier job; the file has not changed since
};

/// "indexed", "recognised", "unchanged", "failed" or "failed before".
std::string_view name_of(ClipOutcome outcome);

/// A clip of `index_clips`, and what became of it.
struct IndexedClip {
  std::filesystem::path file;  ///< as it was given
  ClipOutcome outcome = ClipOutcome::indexed;
  std::optional<ArchivedClip> clip;  ///< none if it failed
  std::string failure;               ///< why; does not name the file
};

/// How far `index_clips` is.
struct IndexProgress {
  std::size_t files = 0;       ///< all of them
  std::size_t done = 0;        ///< those that are finished
  double share = 0;            ///< 0 to 1, of the bytes of files that are to be decoded: those that are done
  double clip_seconds = 0;     ///< [second] of clips, decoded so far
  double elapsed = 0;          ///< [second] since the job began
  std::filesystem::path file;  ///< one that is worked on
};

/// The clips of `index_clips`.
struct IndexJob {
  std::size_t jobs = 1;                          ///< clips at a time, each with a thread of its own; 1 or more
  bool retry = false;                            ///< try files again that failed before
  ClipReader read;                               ///< see clip_reader
  std::function<void(const IndexedClip&)> take;  ///< gets each file as it is finished, one at a time; may be empty
  std::function<void(const IndexProgress&)> progress;  ///< is called now and then, one at a time; may be empty
  std::stop_token stop{};                              ///< once a stop is requested the clips in work are dropped
};

/// Brings files into an archive, and removes what killed jobs left behind. Each file is in the archive as soon as it is
/// finished. A file of the same path, size and time as before is not read. Of files of the same content one is decoded,
/// also if several processes index them at a time. A file that was in the archive and is no longer there stays in it,
/// but is told as failed: its disk may be absent. Throws Error(file_error) if the archive cannot be written, and
/// Error(device_unavailable); the files that are finished stay.
void index_clips(VideoArchive& archive, std::span<const std::filesystem::path> files, const IndexJob& job);

}  // namespace octavo
