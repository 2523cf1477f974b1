// The takes of clips that are read, or of archives, whose files are read for the cuts alone.

#include "octavo/jobs/video_jobs.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

#include "io/files/output_file.h"
#include "io/json/json.h"
#include "jobs/clip_phases.h"
#include "jobs/named_outputs.h"
#include "jobs/readable_clips.h"
#include "jobs/takes_timelines.h"
#include "jobs/timeline_outputs.h"
#include "octavo/io/image_files.h"
#include "octavo/video/video.h"
#include "video/archive/known_clips.h"

namespace octavo {
namespace jobs {
namespace {

namespace fs = std::filesystem;

class TakeSearch {
 public:
  TakeSearch(const TakesJob& job, const JobContext& caller)
      : job_(job), context_(telling_once(caller, told_)), finder_(job.options, job.device) {}

  FoundTakes run() {
    job_.archives.empty() ? add_files() : add_archives();
    if (context_.stop.stop_requested() || (found_.files.empty() && !told_.empty())) return std::move(found_);
    report_item(steps_, "takes");
    found_.list = finder_.find(steps_);
    if (!job_.sheet.empty() && !found_.list.scenes.empty()) write_sheet();
    does_read([&] { write_outputs(); }, context_);
    return std::move(found_);
  }

 private:
  void tell_phases(std::span<const ReadFile> files, bool reads_features) {
    steps_ = in_phases(context_.progress, phases_of_takes(files, reads_features, !job_.sheet.empty()));
  }

  void add_files() {
    if (context_.progress) tell_phases(files_to_read(job_.clips, job_.video), true);
    for (std::size_t i = 0; i < job_.clips.size() && !context_.stop.stop_requested(); ++i) {
      report_item(steps_, job_.clips[i].string(), i, job_.clips.size());
      ClipFacts facts;
      const auto add = [&] {
        facts = facts_of(Video(job_.clips[i], job_.video));
        facts.seconds = finder_.add(job_.clips[i], job_.video, steps_);
      };
      if (!does_read(add, context_)) continue;
      found_.files.push_back(job_.clips[i]);
      found_.facts.push_back(std::move(facts));
    }
  }

  // By their first files, in whatever archive they are.
  [[nodiscard]] std::vector<archive::KnownClip> clips_of_archives() const {
    std::vector<archive::KnownClip> clips;
    for (auto& [content, known] : archive::known_clips(job_.archives)) {
      if (!is_image(known.clip.facts)) clips.push_back(known);
    }
    std::ranges::sort(clips, {}, [](const archive::KnownClip& known) { return known.clip.files.front(); });
    return clips;
  }

  void add_archives() {
    const std::vector<archive::KnownClip> clips = clips_of_archives();
    std::vector<fs::path> there_of;
    std::vector<ReadFile> files;
    for (const auto& [archive, clip] : clips) {
      const fs::path& there = there_of.emplace_back(readable_file(clip, job_.archives));
      const ClipFacts& facts = clip.facts;
      const bool is_read = !job_.rough_cuts && !there.empty();
      files.push_back({.file = there.empty() ? clip.files.front() : there,
                       .work = is_read ? reading_work(facts.width, facts.height, facts.seconds) : 0,
                       .seconds = facts.seconds});
    }
    tell_phases(files, false);
    for (std::size_t i = 0; i < clips.size() && !context_.stop.stop_requested(); ++i) {
      const auto& [archive, clip] = clips[i];
      const fs::path& there = there_of[i];
      const fs::path& file = files[i].file;
      report_item(steps_, file.string(), i, clips.size());
      ClipSignature signature;
      if (!does_read([&, archive = archive, &clip = clip] { signature = archive->signature(clip); }, context_))
        continue;
      const auto add = [&](const fs::path& cuts_of) { finder_.add(signature, cuts_of, job_.video, steps_); };
      const bool is_exact = !job_.rough_cuts && !there.empty() && does_read([&] { add(there); }, context_);
      if (!is_exact) add({});
      if (there.empty()) unreadable_.insert(found_.files.size());
      found_.files.push_back(file);
      found_.facts.push_back(clip.facts);
    }
  }

  // The clips with a take on the sheet.
  [[nodiscard]] std::set<std::size_t> drawn_clips() const {
    std::set<std::size_t> clips;
    std::size_t rows = 0;
    for (const Scene& scene : found_.list.scenes) {
      for (const Take& take : scene.takes) {
        if (rows++ < most_sheet_rows) clips.insert(take.shot.clip);
      }
    }
    return clips;
  }

  // The list of takes is good without the sheet, and the sheet without the clips of which there is no file.
  void write_sheet() const {
    for (const std::size_t clip : drawn_clips()) {
      if (!unreadable_.contains(clip)) continue;
      report_failure(context_, fmt::format("'{}' is gone or has changed since it was indexed: the contact sheet has no "
                                           "images of it",
                                           found_.files[clip].string()));
    }
    const auto write = [&] {
      const Image sheet = draw_takes(found_.list, found_.files, job_.video, steps_, unreadable_, context_.fail);
      write_image(job_.sheet, sheet.view());
    };
    does_read(write, context_);
  }

  // The list of takes is good without them, too.
  void write_outputs() const {
    const timelines::Timelines scenes = timelines_of(found_);
    write_timelines(scenes, {.otio = job_.otio, .edl = {}, .fcpxml = job_.fcpxml}, context_);
    write_timelines(in_a_row(scenes), {.otio = {}, .edl = job_.edl, .fcpxml = {}}, context_);
  }

  const TakesJob& job_;
  std::set<std::string> told_;  // a file may fail for the cuts and for the sheet
  const JobContext context_;
  ProgressSink steps_;  // context_.progress, by the work that is done
  TakeFinder finder_;
  FoundTakes found_;
  std::set<std::size_t> unreadable_;  // clips of the archive whose files are no longer what it knows
};

void require_fitting_outputs(const TakesJob& job) {
  std::vector<fs::path> written;
  std::vector<NamedOutput> timelines{{"otio", job.otio, {".otio"}}, {"fcpxml", job.fcpxml, {".fcpxml"}}};
  std::erase_if(timelines, [](const NamedOutput& one) { return one.file.empty(); });
  require_fitting(timelines);
  for (const NamedOutput& one : timelines) written.push_back(one.file);
  if (!job.edl.empty()) require_writable_folder(job.edl);
  if (!job.sheet.empty()) {
    require_writable_images(std::array{job.sheet}, true);
    written.push_back(job.sheet);
  }
  require_not_read(written, job.clips);
}

Json json_of_shot(const Shot& shot, const FoundTakes& found) {
  const timelines::ClipFrames frames = timelines::frames_of(found.facts[shot.clip]);
  Json json{{"clip", found.files[shot.clip].string()}, {"in", shot.in}, {"out", shot.out}, {"exact_cuts", shot.exact}};
  timelines::add_frame(json, "in", "", frames, shot.in);
  timelines::add_frame(json, "out", "", frames, shot.out);
  return json;
}

}  // namespace

Json json_of_take(const Take& take, const FoundTakes& found) {
  Json json = json_of_shot(take.shot, found);
  json["offset_seconds"] = take.offset ? Json(*take.offset) : Json();
  json["exact_offset"] = take.is_exact;
  json["score"] = take.score;
  json["key_seconds"] = take.key;
  timelines::add_frame(json, "key", "", timelines::frames_of(found.facts[take.shot.clip]), take.key);
  json["alignment"] = Json::array();
  for (const TakePair& pair : take.alignment) json["alignment"].push_back({pair.take, pair.reference});
  return json;
}

}  // namespace jobs

std::string_view reason_of(const JunkShot& part) { return part.junk == Junk::none ? "short" : name_of(part.junk); }

std::string json_of(const FoundTakes& found) {
  Json json{{"clips", Json::array()},
            {"min_affinity", found.list.min_affinity},
            {"scenes", Json::array()},
            {"left_out_shots", Json::array()}};
  for (const std::filesystem::path& file : found.files) json["clips"].push_back(file.string());
  for (const Scene& scene : found.list.scenes) {
    Json takes = Json::array();
    for (const Take& take : scene.takes) takes.push_back(jobs::json_of_take(take, found));
    json["scenes"].push_back({{"reference_index", scene.reference}, {"takes", std::move(takes)}});
  }
  for (const JunkShot& part : found.list.left_out) {
    Json one = jobs::json_of_shot(part.shot, found);
    one["reason"] = reason_of(part);
    json["left_out_shots"].push_back(std::move(one));
  }
  return json_text(json);
}

FoundTakes find_takes(const TakesJob& job, const JobContext& context) {
  validate(job.options);
  validate(job.video);
  jobs::require_fitting_outputs(job);
  return jobs::TakeSearch(job, context).run();
}

}  // namespace octavo
