// From an archive to a report. The search finds the pairs; here they get exact ends if these are wanted, and each clip
// a file that is still as it was when it was indexed.

#include "octavo/video/video_report.h"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "io/files/content_digest.h"
#include "octavo/error.h"
#include "octavo/video/clip_signature.h"
#include "octavo/video/video.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

using Pair = std::pair<std::string, std::string>;

// Gathers clips and pairs.
class Gathering {
 public:
  Gathering(const VideoArchive& archive, const ReportOptions& options, const SearchOptions& search, bool is_search) {
    report_.archive = fs::absolute(archive.folder()).lexically_normal();
    report_.is_search = is_search;
    report_.copies = search.copies;
    report_.mirrored = search.mirrored;
    report_.reversed = search.reversed;
    report_.same_coverage = options.same_coverage;
    for (ArchivedFile& file : archive.files()) {
      const fs::path name = file.file;
      files_.emplace(name, std::move(file));
    }
    for (Verdict& one : archive.verdicts()) verdicts_.emplace(Pair(one.a, one.b), std::move(one));
  }

  // The index of the clip, which becomes a part of the report.
  std::size_t clip(const ArchivedClip& clip) {
    const auto [known, is_new] = index_of_.try_emplace(clip.content, report_.clips.size());
    if (!is_new) return known->second;
    ReportClip one{.clip = clip, .readable = {}, .unreadable = {}, .query = {}};
    for (const fs::path& file : clip.files) {
      const auto entry = files_.find(file);
      one.unreadable = lack_of(file, entry == files_.end() ? std::nullopt : entry->second.stamp);
      if (!one.unreadable.empty()) continue;
      one.readable = file;
      break;
    }
    report_.clips.push_back(std::move(one));
    return known->second;
  }

  [[nodiscard]] bool has_query(const std::string& content) const {
    return std::ranges::any_of(report_.queries, [&](std::size_t i) { return this->content(i) == content; });
  }

  // A clip that was read as a query from this file.
  std::size_t query(const ArchivedClip& read, const fs::path& file, ClipSignature signature) {
    const std::size_t index = clip(read);
    ReportClip& one = report_.clips[index];
    one.readable = file;
    one.unreadable.clear();
    one.query = std::move(signature);
    report_.queries.push_back(index);
    return index;
  }

  void pair(ReportPair one) {
    const std::string &a = content(one.a), &b = content(one.b);
    const auto verdict = verdicts_.find(Pair(std::min(a, b), std::max(a, b)));
    if (verdict != verdicts_.end()) one.verdict = verdict->second;
    report_.pairs.push_back(std::move(one));
  }

  void negatives(bool are_searched) { report_.negative = are_searched; }
  void recurring(std::vector<RecurringSegment> parts) { report_.recurring = std::move(parts); }

  void failure(const fs::path& file, const std::string& reason) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    report_.failures.push_back(
        {.file = file, .size = error ? std::nullopt : std::optional<std::uint64_t>(size), .reason = reason});
  }

  // Takes the clips whose signatures cannot be read, each once.
  LostClip lost_clips() {
    return [this](const ArchivedClip& clip, const std::string& reason) {
      if (lost_.insert(clip.content).second) {
        report_.failures.push_back({clip.files.front(), clip.size, reason, true});
      }
    };
  }

  void failures_of_archive() {
    for (const auto& [name, file] : files_) {
      if (file.clip) continue;
      const auto size = file.stamp ? std::optional(file.stamp->size) : std::nullopt;
      report_.failures.push_back({.file = name, .size = size, .reason = file.failure});
    }
  }

  // Decodes the clips of pairs that are not settled for exact ends. False segments are left out.
  void refine(const VideoOptions& video, const ProgressSink& progress) {
    for (std::size_t i = 0; i < report_.pairs.size(); ++i) {
      report(progress, "exact ends", i, report_.pairs.size());
      ReportPair& one = report_.pairs[i];
      ReportClip &a = report_.clips[one.a], &b = report_.clips[one.b];
      if (one.is_settled() || a.readable.empty() || b.readable.empty()) continue;
      try {
        one.segments = refine_ends(one.segments, a.readable, b.readable, video, progress);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::file_error) throw;
        continue;  // the images, which need the same file, tell the reason
      }
      one.a_coverage = coverage(one.segments, a.clip.facts.seconds, true);
      one.b_coverage = coverage(one.segments, b.clip.facts.seconds, false);
      one.score = 0;
      for (const CopySegment& segment : one.segments) one.score = std::max(one.score, segment.score);
    }
    std::erase_if(report_.pairs, [](const ReportPair& pair) { return pair.segments.empty(); });
  }

  VideoReport finish() {
    std::ranges::stable_sort(report_.pairs, std::ranges::greater{}, &ReportPair::score);
    report_.groups = groups_of(report_);
    return std::move(report_);
  }

 private:
  [[nodiscard]] const std::string& content(std::size_t clip) const { return report_.clips[clip].clip.content; }

  VideoReport report_;
  std::map<fs::path, ArchivedFile> files_;
  std::map<Pair, Verdict> verdicts_;
  std::map<std::string, std::size_t> index_of_;
  std::set<std::string> lost_;  // contents
};

// What is known of a query: what the archive says of the same bytes, or what reading it told.
ArchivedClip clip_of_query(const VideoArchive& archive, const fs::path& file, const Video& video) {
  const std::string content = content_digest(file);
  if (std::optional<ArchivedClip> known = archive.clip_of_content(content)) return *known;
  ArchivedClip clip;
  clip.content = content;
  clip.size = stamp_of(file).value_or(FileStamp{}).size;
  clip.files = {archive_path(file)};
  clip.facts = facts_of(video);
  return clip;
}

}  // namespace

VideoReport report_duplicates(const VideoArchive& archive, const ReportOptions& options, const SearchOptions& search,
                              const VideoOptions& video, const ProgressSink& progress) {
  validate(options);
  Gathering gathering(archive, options, search, false);
  const ArchiveSearch archive_search(archive, progress, gathering.lost_clips());
  std::vector<ClipPair> pairs = archive_search.duplicates(search, progress);
  gathering.recurring(take_out_recurring(pairs));
  for (const ArchivedClip& clip : archive.clips()) gathering.clip(clip);
  for (ClipPair& pair : pairs) {
    std::vector<CopySegment> segments;
    for (std::size_t s = 0; s < pair.segments.size(); ++s) {
      if (pair.recurring[s] < 0) segments.push_back(pair.segments[s]);
    }
    if (segments.empty()) continue;
    gathering.pair({.a = gathering.clip(pair.a),
                    .b = gathering.clip(pair.b),
                    .segments = std::move(segments),
                    .a_coverage = pair.a_coverage,
                    .b_coverage = pair.b_coverage,
                    .score = pair.score,
                    .verdict = {}});
  }
  gathering.failures_of_archive();
  if (options.exact_ends) gathering.refine(video, progress);
  return gathering.finish();
}

VideoReport report_search(const VideoArchive& archive, std::span<const fs::path> queries, const ReportOptions& options,
                          const SearchOptions& search, const SignatureOptions& signature, const VideoOptions& video,
                          const DeviceOptions& device, const ProgressSink& progress, bool negative) {
  validate(options);
  Gathering gathering(archive, options, search, true);
  gathering.negatives(negative);
  const ArchiveSearch archive_search(archive, progress, gathering.lost_clips());
  for (const fs::path& file : queries) {
    try {
      ClipSigner signer(file, signature, video, device);
      ClipSignature query = sign_clip(signer, progress);
      const ArchivedClip clip = clip_of_query(archive, file, signer.video());
      if (gathering.has_query(clip.content)) continue;  // the same bytes under two names
      ClipSignature inverse;
      if (negative) inverse = sign_clip(file, signature, video, device, progress, Tones::negative);
      std::vector<FoundClip> found = archive_search.find(query, search, progress, negative ? &inverse : nullptr);
      const std::size_t a = gathering.query(clip, archive_path(file), std::move(query));
      for (FoundClip& one : found) {
        if (one.clip.content == clip.content) continue;
        gathering.pair({.a = a,
                        .b = gathering.clip(one.clip),
                        .segments = std::move(one.segments),
                        .a_coverage = one.query_coverage,
                        .b_coverage = one.clip_coverage,
                        .score = one.score,
                        .verdict = {}});
      }
    } catch (const Error& error) {
      if (error.code() != ErrorCode::file_error) throw;
      gathering.failure(file, error.what());
    }
  }
  if (options.exact_ends) gathering.refine(video, progress);
  return gathering.finish();
}

}  // namespace octavo
