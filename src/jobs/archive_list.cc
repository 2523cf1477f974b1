#include "jobs/archive_list.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "io/json/json.h"
#include "jobs/archive_settings.h"
#include "octavo/error.h"
#include "video/report/report_json.h"

namespace octavo {
namespace {

bool is_below(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const std::filesystem::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

std::string content_of(const VideoArchive& archive, const std::string& file) {
  std::optional<ArchivedClip> clip = archive.clip_of_file(file);
  if (!clip) clip = archive.clip_of_content(file);
  if (!clip) {
    throw Error(ErrorCode::file_error, fmt::format("'{}' is not in the archive '{}'", file, archive.folder().string()));
  }
  return clip->content;
}

}  // namespace

std::size_t forget_below(VideoArchive& archive, const std::filesystem::path& file_or_folder) {
  const std::filesystem::path path = archive_path(file_or_folder);
  std::size_t forgotten = 0;
  for (const ArchivedFile& file : archive.files()) {
    if (is_below(file.file, path) && archive.forget(file.file)) ++forgotten;
  }
  return forgotten;
}

void judge(VideoArchive& archive, const std::string& a, const std::string& b, std::optional<Judgement> judgement,
           const std::string& note) {
  const std::string first = content_of(archive, a), second = content_of(archive, b);
  if (first == second) {
    throw Error(ErrorCode::file_error, fmt::format("'{}' and '{}' have the same bytes: they are one clip", a, b));
  }
  if (judgement) {
    archive.set_verdict({.a = first, .b = second, .judgement = *judgement, .note = note});
  } else if (!archive.remove_verdict(first, second)) {
    throw Error(ErrorCode::file_error, fmt::format("there is no verdict on '{}' and '{}'", a, b));
  }
}

std::string name_of_content(const VideoArchive& archive, const std::string& content) {
  const std::optional<ArchivedClip> clip = archive.clip_of_content(content);
  return clip ? clip->files.front().string() : "content " + content;
}

ArchiveList list_of(const VideoArchive& archive) {
  ArchiveList list{.files = archive.files(), .clips = {}};
  for (ArchivedClip& clip : archive.clips()) list.clips.emplace(clip.id, std::move(clip));
  // Another process may have removed a clip between the two lists.
  std::erase_if(list.files, [&](const ArchivedFile& file) { return file.clip && !list.clips.contains(*file.clip); });
  for (const ArchivedFile& file : list.files) list.failed += file.clip ? 0 : 1;
  for (const auto& [id, clip] : list.clips) {
    list.seconds += clip.facts.seconds;
    list.work_seconds += clip.work_seconds;
    list.size += clip.size;
    list.signature_size += clip.signature_size;
  }
  return list;
}

std::string json_of(const VideoArchive& archive, const ArchiveList& list) {
  Json clips = Json::array();
  for (const ArchivedFile& file : list.files) {
    clips.push_back({{"clip", file.file.string()},
                     {"given", file.given.string()},
                     {"state", file.clip ? "done" : "failed"},
                     {"problems", video_report::problems_json(file.failure)},
                     {"facts", file.clip ? video_report::as_json(list.clips.at(*file.clip)) : Json()}});
  }
  return json_text({{"archive", archive.folder().string()},
                    {"settings", jobs::settings_json(archive)},
                    {"clips", std::move(clips)},
                    {"totals",
                     {{"clip_count", list.files.size()},
                      {"failed_count", list.failed},
                      {"content_count", list.clips.size()},
                      {"seconds", list.seconds},
                      {"size", list.size},
                      {"signature_size", list.signature_size},
                      {"work_seconds", list.work_seconds},
                      {"times_real_time", list.times_real_time()}}},
                    {"digest", archive.digest()}});
}

std::string verdicts_json(const VideoArchive& archive) {
  const auto files_of = [&](const std::string& content) {
    const std::optional<ArchivedClip> clip = archive.clip_of_content(content);
    return clip ? video_report::files_json(*clip) : Json::array();
  };
  Json verdicts = Json::array();
  for (const Verdict& one : archive.verdicts()) {
    verdicts.push_back({{"content_a", one.a},
                        {"content_b", one.b},
                        {"files_a", files_of(one.a)},
                        {"files_b", files_of(one.b)},
                        {"verdict", name_of(one.judgement)},
                        {"note", one.note}});
  }
  return json_text(verdicts);
}

}  // namespace octavo
