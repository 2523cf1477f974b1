#include "video/review/review_sheets.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

namespace octavo::review {
ReviewSheets::ReviewSheets(VideoArchive& archive, VideoReport report) : archive_(archive) { add(std::move(report)); }

std::size_t ReviewSheets::add(VideoReport report) {
  const std::lock_guard lock(mutex_);
  sheets_.push_back(std::make_shared<const VideoReport>(std::move(report)));
  return sheets_.size() - 1;
}

std::shared_ptr<const VideoReport> ReviewSheets::found(std::size_t sheet) const {
  const std::lock_guard lock(mutex_);
  return item_of(sheets_, sheet, "sheet");
}

VideoReport ReviewSheets::judged(std::size_t sheet) const {
  VideoReport report = *found(sheet);
  std::map<std::pair<std::string, std::string>, Verdict> verdicts;
  for (Verdict& one : archive_.verdicts()) verdicts.emplace(std::pair(one.a, one.b), std::move(one));
  for (ReportPair& pair : report.pairs) {
    const std::string &a = report.clips[pair.a].clip.content, &b = report.clips[pair.b].clip.content;
    const auto verdict = verdicts.find({std::min(a, b), std::max(a, b)});
    pair.verdict = verdict == verdicts.end() ? std::nullopt : std::optional(verdict->second);
  }
  report.groups = groups_of(report);
  return report;
}

std::filesystem::path ReviewSheets::file(std::size_t sheet, std::size_t clip) const {
  const std::shared_ptr<const VideoReport> report = found(sheet);
  const ReportClip& one = item_of(report->clips, clip, "clip");
  if (one.query) return one.readable;
  std::string lack = "the archive no longer has it";
  for (const std::filesystem::path& file : one.clip.files) {
    const std::optional<ArchivedFile> known = archive_.file(file);
    if (!known || known->clip != one.clip.id) continue;
    lack = lack_of(file, known->stamp);
    if (lack.empty()) return file;
  }
  throw io::HttpFault(404, fmt::format("cannot read '{}': {}", one.clip.files.front().string(), lack));
}

void ReviewSheets::judge(std::size_t sheet, std::size_t pair, const std::optional<Word>& before,
                         const std::optional<Word>& after) {
  const std::shared_ptr<const VideoReport> report = found(sheet);
  const ReportPair& one = item_of(report->pairs, pair, "pair");
  const ArchivedClip &a = report->clips[one.a].clip, &b = report->clips[one.b].clip;
  if (a.id == 0 || b.id == 0) throw io::HttpFault(400, "a verdict needs both clips in the archive");
  if (!before && !after) return;
  const auto verdict = [&](const std::optional<Word>& word) {
    return word ? std::optional<Verdict>({a.content, b.content, word->judgement, word->note}) : std::nullopt;
  };
  if (!archive_.replace_verdict(verdict(before), verdict(after))) {
    throw io::HttpFault(409, "another window or command has judged this pair meanwhile: nothing was stored");
  }
}

}  // namespace octavo::review
