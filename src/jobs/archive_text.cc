// What the commands of archives print for people.

#include <fmt/core.h>

#include <utility>

#include "io/files/one_line.h"
#include "jobs/archive_list.h"
#include "jobs/figures_text.h"
#include "jobs/segments_text.h"
#include "octavo/jobs/archive_jobs.h"
#include "video/frames/contact_sheet.h"

namespace octavo {
namespace jobs {
namespace {

std::string size_text(std::uint64_t bytes) { return bytes_text(static_cast<double>(bytes)); }

std::string pair_text(const ClipPair& pair) {
  const std::string verdict = pair.verdict ? fmt::format("  ({})", name_of(pair.verdict->judgement)) : "";
  return fmt::format("{:3.0f} % of {}\n{:3.0f} % of {}{}\n", 100 * pair.a_coverage,
                     io::on_one_line(pair.a.files.front().string()), 100 * pair.b_coverage,
                     io::on_one_line(pair.b.files.front().string()), verdict) +
         segments_text(pair.segments, "a", "b");
}

std::string recurring_text(const RecurringSegment& recurring) {
  std::string text = fmt::format("recurring in {} clips\n", recurring.clips);
  for (const RecurringPlace& place : recurring.places) {
    text += fmt::format("  {} - {}  {}\n", time_text(place.in), time_text(place.out),
                        io::on_one_line(place.clip.files.front().string()));
  }
  return text;
}

}  // namespace
}  // namespace jobs

std::string text_of(const IndexedClip& indexed) {
  const std::string name = io::on_one_line(indexed.file.string());
  if (indexed.outcome == ClipOutcome::recognised) return fmt::format("{}: recognised\n", name);
  if (indexed.outcome != ClipOutcome::indexed) return {};
  const ClipFacts& facts = indexed.clip->facts;
  if (is_image(facts)) return fmt::format("{}: image, {} {}x{}\n", name, facts.codec, facts.width, facts.height);
  const IndexSummary alone{.clip_seconds = facts.seconds, .seconds = indexed.clip->work_seconds};
  return fmt::format("{}: {} of {} {}x{}, {:.1f} times real time\n", name, clock_text(facts.seconds), facts.codec,
                     facts.width, facts.height, alone.times_real_time());
}

std::string text_of(const IndexSummary& summary) {
  std::string text;
  for (const auto& [outcome, count] : summary.counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name_of(outcome));
  }
  if (summary.clip_seconds > 0) {
    text += fmt::format("; {} of video in {}, {:.1f} times real time", clock_text(summary.clip_seconds),
                        clock_text(summary.seconds), summary.times_real_time());
  }
  return text.empty() ? text : text + "\n";
}

std::string text_of(const SearchedClip& searched) {
  const std::string query = io::on_one_line(searched.query.string());
  if (searched.found.empty()) {
    return query + ": not found" + (searched.reason.empty() ? "" : ": " + searched.reason) + "\n";
  }
  std::string text = fmt::format("{}: found in {}\n", query, count_text(searched.found.size(), "clip"));
  for (const FoundClip& one : searched.found) {
    text += fmt::format("  {}  {:.0f} % of the query, {:.0f} % of the clip\n",
                        io::on_one_line(one.clip.files.front().string()), 100 * one.query_coverage,
                        100 * one.clip_coverage);
    text += jobs::segments_text(one.segments, "query", "clip");
  }
  return text;
}

std::string text_of(const Duplicates& found) {
  std::string text;
  for (const RecurringSegment& recurring : found.recurring) text += jobs::recurring_text(recurring);
  for (const ClipPair& pair : found.pairs) text += jobs::pair_text(pair);
  text += count_text(found.pairs.size(), "pair");
  if (found.left_out > 0) text += fmt::format(", {} left out by verdicts", found.left_out);
  if (found.recurring_pairs > 0) {
    text += fmt::format(", {} that share recurring segments alone", found.recurring_pairs);
  }
  return text + "\n";
}

std::string text_of(const ReportJob& job) {
  std::string text;
  for (const auto& [kind, file] :
       {std::pair("page", &job.output), std::pair("table", &job.csv), std::pair("json", &job.json_output),
        std::pair("timeline", &job.otio), std::pair("fcpxml", &job.fcpxml), std::pair("edl", &job.edl)}) {
    if (!file->empty()) text += fmt::format("{:<12} {}\n", kind, io::on_one_line(file->string()));
  }
  return text;
}

std::string text_of(const VideoArchive& archive, const ArchiveList& list) {
  constexpr auto row = "{:>9}  {:>8}  {:<10}  {:>9}  {:<6}  {}\n";
  std::string text = fmt::format(row, "length", "size", "codec", "image", "state", "file");
  for (const ArchivedFile& file : list.files) {
    if (!file.clip) {
      const std::string size = file.stamp ? jobs::size_text(file.stamp->size) : "";
      text += fmt::format(row, "", size, "", "", "failed", io::on_one_line(file.file.string() + ": " + file.failure));
      continue;
    }
    const ArchivedClip& clip = list.clips.at(*file.clip);
    text +=
        fmt::format(row, is_image(clip.facts) ? "image" : clock_text(clip.facts.seconds), jobs::size_text(clip.size),
                    clip.facts.codec, fmt::format("{}x{}", clip.facts.width, clip.facts.height), "done",
                    io::on_one_line(file.file.string()));
  }
  text += fmt::format("{}, {} failed; {}, {:.1f} hours, {} of video, {} of signatures, {:.1f} times real time\n",
                      count_text(list.files.size(), "file"), list.failed, count_text(list.clips.size(), "clip"),
                      list.seconds / 3600, jobs::size_text(list.size), jobs::size_text(list.signature_size),
                      list.times_real_time());
  return text + fmt::format("digest {}\n", archive.digest());
}

std::string verdicts_text(const VideoArchive& archive) {
  std::string text;
  for (const Verdict& one : archive.verdicts()) {
    text += fmt::format("{:9}  {}  {}{}\n", name_of(one.judgement), io::on_one_line(name_of_content(archive, one.a)),
                        io::on_one_line(name_of_content(archive, one.b)),
                        one.note.empty() ? "" : io::on_one_line("  " + one.note));
  }
  return text;
}

}  // namespace octavo
