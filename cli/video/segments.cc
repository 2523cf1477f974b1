#include "cli/video/segments.h"

#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <utility>

#include "octavo/contact_sheet.h"
#include "octavo/error.h"
#include "octavo/report_files.h"

namespace octavo::cli {

namespace fs = std::filesystem;

namespace {

// Whether the file is still what the archive knows as this content.
bool is_as_known(const fs::path& file, const std::string& content, const VideoArchive& archive) {
  const std::optional<ArchivedFile> known = archive.file(file);
  const std::optional<ArchivedClip> clip = archive.clip_of_file(file);
  return known && clip && clip->content == content && lack_of(file, known->stamp).empty();
}

}  // namespace

LostClip lost_to(Complain complain) {
  return [complain = std::move(complain)](const ArchivedClip&, const std::string& sentence) { complain(sentence); };
}

bool does_read(const std::function<void()>& work, const Complain& complain) try {
  work();
  return true;
} catch (const Error& error) {
  if (error.code() != ErrorCode::file_error) throw;
  complain(error.what());
  return false;
}

ShownSegments with_exact_ends(const std::vector<CopySegment>& segments, const fs::path& query, const fs::path& other,
                              const VideoOptions& video, const Complain& complain) {
  ShownSegments shown{segments, false};
  if (query.empty() || other.empty()) return shown;
  shown.are_exact = does_read([&] { shown.segments = refine_ends(segments, query, other, video); }, complain);
  return shown;
}

fs::path readable_file(const ArchivedClip& clip, std::span<const VideoArchive> archives) {
  for (const fs::path& file : clip.files) {
    for (const VideoArchive& archive : archives) {
      if (is_as_known(file, clip.content, archive)) return file;
    }
  }
  return {};
}

Json segments_json(const ShownSegments& shown, const std::string& a, const std::string& b) {
  return parse_json(json_of(shown.segments, shown.are_exact, a, b));
}

std::string segments_text(const ShownSegments& shown, const std::string& a, const std::string& b) {
  const auto range = [](double from, double to) { return time_text(from) + " - " + time_text(to); };
  std::string text =
      fmt::format("  {:<27}  {:<27}  {:>5}  {:>6}  {}\n", "in " + a, "in " + b, "speed", "score", "picture");
  for (const CopySegment& s : shown.segments) {
    const Similarity& t = s.other_from_query;
    text += fmt::format("  {:<27}  {:<27}  {:>5.2f}  {:>6.0f}  {:.2f} x{}\n", range(s.query_in, s.query_out),
                        range(s.other_in, s.other_out), s.speed, s.score, std::sqrt(t.a * t.a + t.b * t.b),
                        s.mirrored ? ", mirrored" : "");
  }
  return text;
}

}  // namespace octavo::cli
