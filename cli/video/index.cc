// octavo video index: brings clips into an archive that can be searched.

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <thread>

#include "cli/command.h"
#include "cli/inputs.h"
#include "engine/core/stopwatch.h"
#include "octavo/jobs/archive_jobs.h"

namespace octavo::cli {
namespace {

struct Call {
  std::vector<std::string> places;
  std::filesystem::path folder;
  SignatureOptions signature;
  VideoOptions video;
  DeviceOptions device;
  std::size_t jobs = 0;
  bool images = false, retry = false, json = false;
  std::optional<Shard> shard;
};

void show(Progress& progress, const IndexProgress& state) {
  const IndexSummary so_far{.clip_seconds = state.clip_seconds, .seconds = state.elapsed};
  progress.show(fmt::format("{} {} of {}: {:.0f} times real time", state.file.string(),
                            std::min(state.done + 1, state.files), state.files, so_far.times_real_time()),
                static_cast<std::size_t>(100 * state.share), 100);
}

int run(const Command& command, Call& call) {
  validate(call.signature);
  validate(call.video);
  VideoFiles found = find_videos(call.places, call.images);
  ListOutput out(call.json);
  IndexSummary summary;
  const auto head = [&] { return std::string(summary.counts.empty() ? "{\"clips\": [" : ""); };
  const auto sum_up = [&] {
    out.print(call.json ? head() + "],\n\"summary\": " + json_of(summary) + "}\n" : text_of(summary));
  };
  if (found.files.empty()) {  // no archive is made for nothing
    for (const std::string& problem : found.problems) complain(problem);
    sum_up();
    out.require_whole();
    return exit_failed;
  }
  const auto is_given = [&](std::string_view option) { return command.is_given(flag_of(option)); };
  VideoArchive archive = open_or_make_archive(call.folder, call.signature, call.video.fast, is_given);
  Work work;
  ArchiveJob job{.found = std::move(found), .shard = call.shard};
  job.index.jobs = call.jobs > 0 ? call.jobs : std::max(std::thread::hardware_concurrency(), 1u);
  job.index.retry = call.retry;
  job.index.read = clip_reader(call.signature, call.video, call.device);
  job.index.progress = [&](const IndexProgress& state) { show(work.progress(), state); };
  job.index.take = [&](const IndexedClip& result) {
    work.progress().clear();
    const std::string between = summary.counts.empty() ? head() + "\n" : ",\n";
    out.print(call.json ? between + json_of(result) : text_of(result));
    summary.add(result);
  };
  const Stopwatch since;
  std::exception_ptr failure;
  try {
    fill_archive(archive, job, work.context());
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  work.progress().clear();
  summary.seconds = since.milliseconds() / 1000;
  sum_up();
  if (failure) std::rethrow_exception(failure);
  work.end_if_interrupted();
  out.require_whole();
  return work.exit_code();
}

}  // namespace

void define_video_index(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("CLIP", call->places).required();
  command.add_option("--index", call->folder).required();
  add_number(command, {.name = "jobs", .low = 0, .high = 1024}, call->jobs);
  command.add_flag("--images", call->images);
  command.add_flag("--retry", call->retry);
  command.add_flag("--json", call->json);
  add_shard_option(command, call->shard, "the clips, by a hash of their names,");
  add_options(command, call->signature, {"doubled", "words"});
  add_options(command, call->video, {"every", "fps", "size", "stored_luma", "weave", "range", "black", "white"});
  add_device_options(command, call->device);
  command.action = [&command, call] {
    require_effects(command, call->signature);
    return run(command, *call);
  };
}

}  // namespace octavo::cli
