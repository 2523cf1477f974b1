// Archives of clips: indexed, searched, compared and reported.

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "gil.h"
#include "jobs/bindings.h"
#include "jobs/job_options.h"
#include "jobs/record.h"
#include "jobs/timelines.h"
#include "jobs/work.h"
#include "octavo/error.h"
#include "octavo/jobs/archive_jobs.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

namespace fs = std::filesystem;

struct Indexed : IndexSummary {
  std::vector<IndexedClip> clips;
  std::string digest;
};

Told<Indexed> index(const std::vector<fs::path>& places, const fs::path& folder, bool images, bool retry,
                    std::size_t jobs, const std::optional<std::string>& shard, const nb::dict& given,
                    nb::object progress) {
  SignatureOptions signature;
  VideoOptions video;
  DeviceOptions device;
  Keywords keywords("index", given);
  keywords.set(signature, {"doubled", "words"});
  keywords.set(video, {"every", "fps", "size", "stored_luma", "weave", "range", "black", "white"});
  keywords.set(device);
  keywords.finish();
  ArchiveJob job{.found = {}};
  if (shard) job.shard = shard_of_text(*shard);
  job.index.jobs = jobs > 0 ? jobs : std::max(std::thread::hardware_concurrency(), 1u);
  job.index.retry = retry;
  const auto is_given = [&](std::string_view option) { return keywords.was_given(option); };
  return Work(std::move(progress)).tell([&](const JobContext& context) {
    job.found = find_videos(names_of(places), images);
    if (job.found.files.empty()) {  // no archive is made for nothing
      std::string sentence = "there is nothing to index";
      for (const std::string& problem : job.found.problems) sentence += ": " + problem;
      throw Error(ErrorCode::file_error, sentence);
    }
    VideoArchive archive = open_or_make_archive(folder, signature, video.fast, is_given);
    job.index.read = clip_reader(signature, video, device);
    Indexed indexed;
    job.index.take = [&](const IndexedClip& clip) {
      indexed.add(clip);
      indexed.clips.push_back(clip);
    };
    fill_archive(archive, job, context);
    indexed.digest = archive.digest();
    return indexed;
  });
}

// Throws unless both are given, or neither.
void require_both(const std::optional<std::string>& shard, const std::optional<fs::path>& output) {
  if (shard.has_value() == output.has_value()) return;
  throw Error(ErrorCode::invalid_argument, "a shard needs an output, the file of its part, and only a shard has one");
}

struct Searched {
  std::vector<SearchedClip> queries;
};

Told<Searched> search(const std::vector<fs::path>& queries, const std::vector<fs::path>& folders, bool mirrored,
                      bool negative, bool reversed, bool rough_ends, const std::optional<fs::path>& images,
                      const std::optional<std::string>& shard, const std::optional<fs::path>& output,
                      const nb::dict& given, nb::object progress) {
  SearchJob job{.queries = {}, .archives = {}, .negative = negative, .rough_ends = rough_ends};
  job.search.mirrored = mirrored;
  job.search.reversed = reversed;
  Keywords keywords("search", given);
  keywords.set(job.search.copies);
  keywords.set(job.signature, {"doubled", "words"});
  keywords.set(job.video, {"every", "fps", "size", "stored_luma", "weave", "fast", "range", "black", "white"});
  keywords.set(job.device);
  keywords.finish();
  require_both(shard, output);
  if (images) job.images = *images;
  if (shard) job.shard = shard_of_text(*shard);
  if (output) job.output = *output;
  return Work(std::move(progress)).tell([&](const JobContext& context) {
    const std::vector<VideoArchive> archives = open_archives(names_of(folders));
    job.archives = archives;
    VideoFiles found = find_videos(names_of(queries), true);
    for (const std::string& problem : found.problems) report_failure(context, problem);
    job.queries = std::move(found.files);
    Searched searched;
    job.take = [&](const SearchedClip& clip) { searched.queries.push_back(clip); };
    search_clips(job, context);
    return searched;
  });
}

Told<Duplicates> duplicates(const std::vector<fs::path>& folders, bool mirrored, bool reversed, bool exact_ends,
                            bool all, const std::optional<fs::path>& found, const std::optional<std::string>& shard,
                            const std::optional<fs::path>& output, const nb::dict& given, nb::object progress) {
  DuplicatesJob job{.archives = {}, .exact_ends = exact_ends, .all = all};
  job.search.mirrored = mirrored;
  job.search.reversed = reversed;
  DeviceOptions device;
  Keywords keywords("duplicates", given);
  keywords.set(job.search.copies);
  keywords.set(job.recurring);
  keywords.set(device, {"device", "threads", "gpu_memory"});
  keywords.finish();
  job.search.isa = device.isa;
  require_both(shard, output);
  if (found) {
    job.found = *found;
    const auto is_set = [&](const auto& option) { return keywords.was_given(option.name); };
    if (!mirrored || reversed || keywords.was_given("isa") ||
        std::ranges::any_of(option_table<CopyOptions>().options, is_set)) {
      throw Error(ErrorCode::invalid_argument,
                  "with found nothing is compared: mirrored, reversed, isa and the options of segments have no effect");
    }
  }
  if (shard && (found || exact_ends || all)) {
    throw Error(ErrorCode::invalid_argument, "a shard has no found, exact_ends and all: they are of the whole");
  }
  return Work(std::move(progress)).tell([&](const JobContext& context) {
    const std::vector<VideoArchive> archives = open_archives(names_of(folders));
    job.archives = archives;
    if (!shard) return find_duplicates(job, context);
    write_duplicates_shard(*output, job, shard_of_text(*shard), context);
    return Duplicates{};
  });
}

struct Reported {
  std::vector<fs::path> files;
};

// `files`: page, table, JSON.
Told<Reported> report(const fs::path& archive, const std::vector<fs::path>& clips,
                      const std::array<std::optional<fs::path>, 3>& files, const Timelines& timelines, bool exact_ends,
                      bool mirrored, bool negative, bool reversed, const nb::dict& given, nb::object progress) {
  ReportJob job{.archive = archive, .clips = clips, .negative = negative};
  job.output = files[0].value_or("");
  job.csv = files[1].value_or("");
  job.json_output = files[2].value_or("");
  set_timelines(job, timelines);
  job.search.mirrored = mirrored;
  job.search.reversed = reversed;
  Keywords keywords("report", given);
  keywords.set(job.report);
  keywords.set(job.search.copies);
  keywords.set(job.video, {"every", "fps", "size", "stored_luma", "weave", "fast", "range", "black", "white"});
  keywords.set(job.device);
  keywords.finish();
  if (clips.empty() && negative) {
    throw Error(ErrorCode::invalid_argument, "negative has no effect without clips: an archive has no images");
  }
  if (job.output.empty() && keywords.was_given("max_images")) {
    throw Error(ErrorCode::invalid_argument, "max_images has no effect without output, the page");
  }
  job.report.exact_ends = exact_ends;
  return Work(std::move(progress)).tell([&](const JobContext& context) {
    write_report(job, context);
    Reported reported;
    for (const fs::path& file : {job.output, job.csv, job.json_output, job.otio, job.fcpxml, job.edl}) {
      if (!file.empty()) reported.files.push_back(file);
    }
    return reported;
  });
}

std::string content_of(const VideoArchive& archive, const fs::path& file) {
  if (const auto clip = archive.clip_of_file(file)) return clip->content;
  throw Error(ErrorCode::file_error,
              "'" + file.string() + "' is not a clip of the archive '" + archive.folder().string() + "'");
}

// Whether there was a verdict, where it is removed; otherwise true.
bool set_verdict(VideoArchive& archive, const fs::path& a, const fs::path& b, const std::optional<std::string>& verdict,
                 const std::string& note) {
  std::string first = content_of(archive, a), second = content_of(archive, b);
  if (!verdict) return archive.remove_verdict(first, second);
  const auto judgement = judgement_of(*verdict);
  if (!judgement) {
    throw Error(ErrorCode::invalid_option, InvalidOption{"verdict", *verdict, "must be same, different or ignore"});
  }
  archive.set_verdict({std::move(first), std::move(second), *judgement, note});
  return true;
}

std::string word_of(ClipOutcome outcome) {
  constexpr std::array<const char*, 5> words{"indexed", "recognised", "unchanged", "failed", "failed_before"};
  return words.at(static_cast<std::size_t>(outcome));
}

void bind_clips(nb::module_& m) {
  Record<ArchivedClip>(m, "ArchivedClip", "A clip of an archive. Files of the same bytes are one clip.")
      .with("content", &ArchivedClip::content, "The digest of the file's bytes.")
      .with("files", &ArchivedClip::files, "list[Path]: one or more.")
      .with("size", &ArchivedClip::size, "[byte] of the file.")
      .with(
          "seconds", [](const ArchivedClip& c) { return c.facts.seconds; }, "[second] The length; of an image 0.")
      .with(
          "codec", [](const ArchivedClip& c) { return c.facts.codec; }, "FFmpeg's name.")
      .with(
          "width", [](const ArchivedClip& c) { return c.facts.width; }, "[pixel] as stored.")
      .with(
          "height", [](const ArchivedClip& c) { return c.facts.height; }, "[pixel] as stored.")
      .with(
          "frame_rate", [](const ArchivedClip& c) { return fraction_of(c.facts.frame_rate); },
          "Fraction: [1/second] by the file; 0: unknown.")
      .with(
          "time_code", [](const ArchivedClip& c) { return c.facts.time_code; }, "Of the first frame; empty: none.");
  nb::class_<VideoArchive>(m, "Archive",
                           "An archive of clips: a folder with a catalogue and the signature of each clip.")
      .def(nb::init<const fs::path&>(), nb::arg("folder"), nb::call_guard<WithoutGil>(), "Opens it. Raises FileError.")
      .def_prop_ro("folder", &VideoArchive::folder, "Path.")
      .def_prop_ro("clips", &VideoArchive::clips, nb::call_guard<WithoutGil>(),
                   "list[ArchivedClip]: in the order of `content`.")
      .def_prop_ro("digest", &VideoArchive::digest, nb::call_guard<WithoutGil>(),
                   "Of settings, contents and signatures; not of names, order, threads and devices.")
      .def("clip", &VideoArchive::clip_of_file, nb::arg("file"), nb::call_guard<WithoutGil>(),
           "The clip of a file, or None.")
      .def("forget", &VideoArchive::forget, nb::arg("file"), nb::call_guard<WithoutGil>(),
           "Takes a file out of the archive; the file itself stays. False: the archive does not know it.")
      .def("set_verdict", &set_verdict, nb::arg("a"), nb::arg("b"), nb::arg("verdict").none(), nb::arg("note") = "",
           nb::call_guard<WithoutGil>(),
           "Stores what a person says of two clips: same, different or ignore; None removes it. False: there was none.")
      .def(
          "__len__", [](const VideoArchive& archive) { return archive.clips().size(); }, nb::call_guard<WithoutGil>())
      .def("__repr__",
           [](const VideoArchive& archive) { return "<octavo.video.Archive: '" + archive.folder().string() + "'>"; });
}

}  // namespace

void bind_archive(nb::module_& m) {
  bind_clips(m);
  Record<IndexedClip>(m, "IndexedClip", "What has become of a file.")
      .with("file", &IndexedClip::file, "Path, as it was given.")
      .with(
          "outcome", [](const IndexedClip& c) { return word_of(c.outcome); },
          "indexed, recognised, unchanged, failed or failed_before.")
      .with("clip", &IndexedClip::clip, "ArchivedClip; None if it failed.")
      .with("failure", &IndexedClip::failure, "Why; empty: it is in the archive.");
  Record<Told<Indexed>> indexed(m, "Indexed", "Clips that were brought into an archive.");
  indexed.with("clips", &Indexed::clips, "list[IndexedClip]: in the order in which they were finished.")
      .with("clip_seconds", &IndexSummary::clip_seconds, "[second] of the clips that were decoded.")
      .with("digest", &Indexed::digest, "The archive's.");
  add_told(indexed);
  Record<FoundClip>(m, "FoundClip", "A clip that shows the same as a query.")
      .with("clip", &FoundClip::clip, "ArchivedClip.")
      .with("segments", &FoundClip::segments, "list[CopySegment]: by their begin in the query.")
      .with("query_coverage", &FoundClip::query_coverage, "0 to 1: the share of the query that lies within segments.")
      .with("clip_coverage", &FoundClip::clip_coverage, "0 to 1: that of the clip.")
      .with("score", &FoundClip::score, "Of the best segment.");
  Record<SearchedClip>(m, "SearchedClip", "What a query has found.")
      .with("query", &SearchedClip::query, "Path.")
      .with("seconds", &SearchedClip::seconds, "[second] Its length; of an image 0.")
      .with("facts", &SearchedClip::facts, "VideoFacts.")
      .with("found", &SearchedClip::found, "list[FoundClip]: best first.")
      .with("reason", &SearchedClip::reason, "Why nothing is found, if nothing can be.");
  Record<Told<Searched>> searched(m, "Searched", "What was found for queries.");
  searched.with("queries", &Searched::queries, "list[SearchedClip]: in order, those that could be read.");
  add_told(searched);
  Record<ClipPair>(m, "ClipPair", "Two clips that show the same.")
      .with("a", &ClipPair::a, "ArchivedClip.")
      .with("b", &ClipPair::b, "ArchivedClip.")
      .with("segments", &ClipPair::segments, "list[CopySegment]: of a as the query.")
      .with("a_coverage", &ClipPair::a_coverage, "0 to 1: the share of a that lies within segments.")
      .with("b_coverage", &ClipPair::b_coverage, "0 to 1: that of b.")
      .with("score", &ClipPair::score, "Of the best segment.")
      .with(
          "verdict",
          [](const ClipPair& p) {
            return p.verdict ? std::optional(std::string(name_of(p.verdict->judgement))) : std::nullopt;
          },
          "same, different, ignore, or None.");
  Record<RecurringPlace>(m, "RecurringPlace", "Where a recurring segment is.")
      .with("clip", &RecurringPlace::clip, "ArchivedClip.")
      .with("place_in", &RecurringPlace::in, "[second]")
      .with("place_out", &RecurringPlace::out, "[second]");
  Record<RecurringSegment>(m, "RecurringSegment", "A segment that many clips have: an intro, a jingle, credits.")
      .with("places", &RecurringSegment::places, "list[RecurringPlace].")
      .with("clips", &RecurringSegment::clips, "How many clips have it.");
  Record<Told<Duplicates>> pairs(m, "Duplicates", "Clips of archives that show the same.");
  pairs.with("pairs", &Duplicates::pairs, "list[ClipPair]: best first.")
      .with("recurring", &Duplicates::recurring, "list[RecurringSegment]: those in most clips first.")
      .with("recurring_pairs", &Duplicates::recurring_pairs, "Pairs that share recurring segments alone, left out.")
      .with("left_out", &Duplicates::left_out, "Pairs that verdicts leave out.");
  add_told(pairs);
  Record<Told<Reported>> reported(m, "Reported", "A report of an archive.");
  reported.with("files", &Reported::files, "list[Path]: what was written.");
  add_told(reported);
  m.def("index", &index, nb::arg("clips"), nb::arg("folder"), nb::arg("images"), nb::arg("retry"), nb::arg("jobs"),
        nb::arg("shard").none(), nb::arg("options"), nb::arg("progress").none());
  m.def("search", &search, nb::arg("queries"), nb::arg("archives"), nb::arg("mirrored"), nb::arg("negative"),
        nb::arg("reversed"), nb::arg("rough_ends"), nb::arg("images").none(), nb::arg("shard").none(),
        nb::arg("output").none(), nb::arg("options"), nb::arg("progress").none());
  m.def("duplicates", &duplicates, nb::arg("archives"), nb::arg("mirrored"), nb::arg("reversed"), nb::arg("exact_ends"),
        nb::arg("all"), nb::arg("found").none(), nb::arg("shard").none(), nb::arg("output").none(), nb::arg("options"),
        nb::arg("progress").none());
  m.def("report", &report, nb::arg("archive"), nb::arg("clips"), nb::arg("files"), nb::arg("timelines"),
        nb::arg("exact_ends"), nb::arg("mirrored"), nb::arg("negative"), nb::arg("reversed"), nb::arg("options"),
        nb::arg("progress").none());
}

}  // namespace octavo::python
