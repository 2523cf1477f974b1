// octavo pairs: which pictures of a collection are to be matched.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/detector.h"
#include "cli/interruption.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/shard.h"
#include "cli/standard_streams.h"
#include "cli/wrong_call.h"
#include "json/json.h"
#include "octavo/choose_pairs.h"
#include "octavo/error.h"
#include "octavo/hloc.h"
#include "octavo/imageio.h"
#include "octavo/output_file.h"
#include "octavo/part_note.h"
#include "octavo/stopwatch.h"
#include "octavo/vlad.h"
#include "octavo/vlads_file.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;
constexpr auto description = R"(choose the pairs of a collection that are matched

Writes a list of pairs of pictures, as COLMAP, hloc and octavo match --pairs
read it. Pictures that look alike are found by VLAD: their features are summed
up by visual word to a vector, and each picture is paired with the K others
whose vectors are nearest, by exact search. The list is the same on every device
and for any number of threads.)";

constexpr auto footer = R"(Output file:
  FILE.txt, or - for the standard output: "a.jpg b.jpg" a line, each pair once.
  Names are those below the folder. A picture whose name has a blank is named
  on the error stream and left out.

With --features the pictures are not read. DIR has the files of octavo extract
(.npz, or .txt of COLMAP) with RootSIFT descriptors, or is a file FILE.h5 of
hloc's. --by gps needs pictures.

With --shard I/N a process makes the VLADs of a part of the pictures, in a file
for octavo merge, which compares the VLADs of all shards and writes FILE.txt.

A picture without features, or for --by gps without a place, has no pairs and is
named on the error stream.

JSON:
  {"by": "retrieval", "pictures": 3,
   "pairs": [{"a": "1.jpg", "b": "2.jpg", "similarity": 0.31}, ...],
   "alone": ["3.jpg"], "seconds": {"pictures": 1.2, "search": 0.1}}
"similarity" is the cosine of the angle between the VLADs, -1 to 1, with --by
retrieval; "metres" the distance with --by gps. "alone" are the pictures without
pairs.

Examples:
  octavo pairs photos/ -o pairs.txt
  octavo pairs photos/ -o pairs.txt --neighbours 100 --picture similar.png
  octavo pairs --features features/ -o pairs.txt
  octavo pairs frames/ -o pairs.txt --by sequential --overlap 20 --quadratic
  octavo pairs drone/ -o pairs.txt --by gps --metres 40
  octavo pairs photos/ -o part-3 --shard 3/8          (and so on, 1/8 to 8/8)
  octavo merge pairs.txt part-*
  octavo match photos/ --pairs pairs.txt -o matches.txt --verify fundamental

Exit codes:
  0  done
  1  at least one picture failed, see the error stream; the pairs of the others
     are written. Or the list cannot be written
  2  the call was wrong
  130, 143  the run was interrupted (SIGINT, SIGTERM); nothing is written)";

struct Call {
  std::vector<std::string> images;
  std::string features;
  bool recursive = false;
  ReadOptions read;
  std::string output, picture;
  bool json = false;
  std::optional<Shard> shard;
  PairOptions pairs;
  DetectorOptions detector = retrieval_detector();
  DeviceOptions device;
};

// The pictures or files of features, and what is wrong with the places that were named.
PictureFiles files_of(const Call& call) {
  if (call.features.empty()) {
    PictureFiles found = find_pictures(call.images, call.recursive);
    std::erase_if(found.pictures, [&](const PictureFile& picture) {
      std::error_code unknown;
      if (fs::exists(picture.file, unknown)) return false;
      found.problems.push_back(fmt::format("{}: there is no such file", picture.file.string()));
      return true;
    });
    return found;
  }
  PictureFiles found;
  if (is_hloc_file(call.features)) {
    const HlocFeatures file(call.features);
    for (const std::string& name : file.names()) found.pictures.push_back({call.features, name});
  } else {
    found = find_features(call.features, call.recursive);
  }
  if (found.pictures.empty()) {
    if (!found.problems.empty()) throw Error(ErrorCode::file_error, found.problems.front());
    throw Error(ErrorCode::file_error,
                fmt::format("'{}' contains no features (.npz, or .txt of COLMAP)", call.features));
  }
  return found;
}

// What is found of a collection.
struct Choice {
  std::vector<PicturePair> pairs{};
  std::vector<std::vector<SimilarPicture>> similar{};  // of retrieval
  std::vector<std::optional<GpsPlace>> places{};       // of gps
  std::vector<std::string> problems{};                 // pictures that failed
  std::vector<std::string> notes{};                    // pictures that have no pairs for want of data
  double picture_seconds = 0, search_seconds = 0;
};

CollectionVlads vlads_of(const Call& call, std::span<const PictureFile> files, const ProgressSink& progress,
                         const std::stop_token& stop) {
  return call.features.empty()
             ? vlads_of_pictures(files, call.pairs.size, call.detector, call.device, call.read, progress, stop)
             : vlads_of_features(files, call.device, progress, stop);
}

void choose_by_retrieval(const Call& call, std::span<const PictureFile> files, const ProgressSink& progress,
                         const std::stop_token& stop, Choice& choice) {
  const Stopwatch reading;
  CollectionVlads found = vlads_of(call, files, progress, stop);
  choice.problems = std::move(found.problems);
  choice.picture_seconds = reading.milliseconds() / 1000;
  if (stop.stop_requested()) return;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::vector<std::int16_t>& vlad = found.vlads[i];
    if (!vlad.empty() && std::all_of(vlad.begin(), vlad.end(), [](std::int16_t number) { return number == 0; })) {
      choice.notes.push_back(files[i].file.string() + ": the picture has no features");
    }
  }
  const Stopwatch searching;
  report(progress, "comparing pictures", files.size(), files.size());
  const std::size_t count = call.picture.empty() ? call.pairs.neighbours : files.size();
  choice.similar = most_similar_pictures(found.vlads, count, call.device);
  if (call.picture.empty()) {
    choice.pairs = pairs_of_similar(choice.similar);
  } else {
    auto nearest = choice.similar;
    for (auto& of_one : nearest) of_one.resize(std::min(of_one.size(), call.pairs.neighbours));
    choice.pairs = pairs_of_similar(nearest);
  }
  choice.search_seconds = searching.milliseconds() / 1000;
}

void choose_by_place(const Call& call, std::span<const PictureFile> files, const ProgressSink& progress,
                     const std::stop_token& stop, Choice& choice) {
  const Stopwatch reading;
  for (std::size_t i = 0; i < files.size() && !stop.stop_requested(); ++i) {
    const std::string name = files[i].file.string();
    report(progress, name, i, files.size());
    choice.places.emplace_back();
    try {
      choice.places.back() = read_camera_facts(files[i].file, call.read).place;
      if (!choice.places.back()) choice.notes.push_back(name + ": the EXIF data do not tell the place (GPS)");
    } catch (const std::exception& error) {
      choice.problems.emplace_back(error.what());
    }
  }
  choice.picture_seconds = reading.milliseconds() / 1000;
  const Stopwatch searching;
  choice.pairs = pairs_by_place(choice.places, call.pairs.neighbours, call.pairs.metres);
  choice.search_seconds = searching.milliseconds() / 1000;
}

Choice choose(const Call& call, std::span<const PictureFile> files, const ProgressSink& progress,
              const std::stop_token& stop) {
  Choice choice;
  switch (call.pairs.by) {
    case PairsBy::exhaustive:
      choice.pairs = all_pairs(files.size());
      break;
    case PairsBy::sequential:
      choice.pairs = sequential_pairs(files.size(), call.pairs.overlap, call.pairs.quadratic);
      break;
    case PairsBy::retrieval:
      choose_by_retrieval(call, files, progress, stop, choice);
      break;
    case PairsBy::gps:
      choose_by_place(call, files, progress, stop, choice);
      break;
  }
  return choice;
}

// The similarity of a pair, which one of both has among its similar ones.
double similarity_of(const Choice& choice, const PicturePair& pair) {
  for (const auto& [one, other] : {pair, PicturePair(pair.second, pair.first)}) {
    for (const SimilarPicture& similar : choice.similar[one]) {
      if (similar.picture == other) return static_cast<double>(similar.product) / vlad_length / vlad_length;
    }
  }
  return 0;
}

Json as_json(const Call& call, std::span<const std::string> names, const Choice& choice) {
  const OptionTable<PairOptions>& table = option_table<PairOptions>();
  const Option<PairOptions>& by = *table.find("by");
  Json pairs = Json::array(), alone = Json::array();
  std::vector<bool> is_paired(names.size());
  for (const PicturePair& pair : choice.pairs) {
    const auto& [i, j] = pair;
    is_paired[i] = is_paired[j] = true;
    Json one = {{"a", names[i]}, {"b", names[j]}};
    if (call.pairs.by == PairsBy::retrieval) one["similarity"] = similarity_of(choice, pair);
    if (call.pairs.by == PairsBy::gps) one["metres"] = distance_of(*choice.places[i], *choice.places[j]);
    pairs.push_back(std::move(one));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_paired[i]) alone.push_back(names[i]);
  }
  return {{"by", option_text(by.read(call.pairs, by))},
          {"pictures", names.size()},
          {"pairs", std::move(pairs)},
          {"alone", std::move(alone)},
          {"seconds", {{"pictures", choice.picture_seconds}, {"search", choice.search_seconds}}}};
}

// The part of a shard: the VLADs of its pictures, from which octavo merge chooses the pairs.
struct ShardOfPictures {
  PictureFiles files{};               // those of the shard
  std::vector<std::size_t> places{};  // of each, among all
};

ShardOfPictures shard_of(const Call& call, const PictureFiles& all, std::span<const std::string> names) {
  ShardOfPictures shard{.files = {.pictures = {}, .problems = all.problems}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!has_item(*call.shard, names[i])) continue;
    shard.files.pictures.push_back(all.pictures[i]);
    shard.places.push_back(i);
  }
  return shard;
}

std::string part_settings_of(const Call& call) {
  Json settings = {{"neighbours", call.pairs.neighbours}, {"of_features", !call.features.empty()}};
  if (call.features.empty()) {
    settings["size"] = call.pairs.size;
    settings["exif_rotation"] = call.read.apply_exif_rotation;
    settings["range"] = range_text(call.read);
    settings["detector"] = parse_json(json_of(call.detector));
  }
  settings["octavo"] = OCTAVO_VERSION;
  return json_text(settings);
}

void write_part(const Call& call, std::span<const std::string> names, const ShardOfPictures& shard,
                CollectionVlads found) {
  std::vector<NamedVlad> vlads;
  for (std::size_t i = 0; i < shard.places.size(); ++i) {
    if (found.vlads[i].empty()) continue;
    vlads.push_back({shard.places[i], names[shard.places[i]], std::move(found.vlads[i])});
  }
  std::vector<std::string> problems = shard.files.problems;
  problems.insert(problems.end(), found.problems.begin(), found.problems.end());
  write_vlads(call.output,
              {.kind = PartKind::vlads,
               .shard = *call.shard,
               .settings = part_settings_of(call),
               .inputs = inputs_of(names),
               .items = shard.places.size(),
               .problems = std::move(problems)},
              vlads);
}

void require_fitting_shard(const Call& call) {
  if (call.pairs.by != PairsBy::retrieval) {
    refuse_without_effect("--shard",
                          "without --by retrieval, since the other ways read no pictures or only their EXIF data");
  }
  if (call.output.empty()) throw WrongCall("--shard needs --output, the file of its part");
  if (is_standard_stream(call.output)) refuse_standard_output("--shard needs a file");
  if (!call.picture.empty()) refuse_without_effect("--picture", "with --shard");
  if (call.json) refuse_without_effect("--json", "with --shard");
}

// Refuses what does not go together, and outputs that cannot be made, before the work.
void check(const Call& call) {
  validate(call.pairs);
  if (call.images.empty() == call.features.empty()) {
    throw WrongCall(call.images.empty() ? "no pictures given, and no --features"
                                        : "--features and pictures exclude each other");
  }
  for (const std::string& image : call.images) {
    if (is_standard_stream(image)) throw WrongCall("-: the standard input is one picture, without a pair");
  }
  if (!call.features.empty() && call.pairs.by == PairsBy::gps) {
    throw WrongCall("--by gps needs the pictures, since features do not tell where they were taken");
  }
  if (!call.picture.empty() && call.pairs.by != PairsBy::retrieval) {
    refuse_without_effect("--picture", "without --by retrieval");
  }
  if (call.shard) require_fitting_shard(call);
  if (call.output.empty() && !call.json) throw WrongCall("no output given: -o or --json");
  if (call.json && is_standard_stream(call.output)) refuse_standard_output("--json has no place there");
}

void check_outputs(const Call& call, std::span<const PictureFile> files) {
  std::vector<fs::path> written, read;
  if (!call.output.empty() && !is_standard_stream(call.output)) {
    written.emplace_back(call.output);
    if (!call.shard) require_ending(written, std::array<std::string_view, 1>{".txt"});
    require_writable(written);
  }
  if (!call.picture.empty()) {
    const std::array<fs::path, 1> picture{call.picture};
    require_writable_pictures(picture, true);
    written.emplace_back(call.picture);
  }
  for (const PictureFile& file : files) read.push_back(file.file);
  require_not_read(written, read);
}

// A call at work, which shows its progress and can be interrupted.
struct Work {
  explicit Work(const Call& asked) : call(asked) { call.device.progress = progress.sink(); }

  void end_if_interrupted() {
    if (!interruption.is_requested()) return;
    complain("interrupted");
    interruption.end_program();
  }

  Call call;
  Progress progress;
  const Interruption interruption;
  std::stop_source stop;
  const ProgressSink sink = [this](const ProgressStep& step) {
    progress.show(step.stage, step.done, step.total);
    if (interruption.is_requested()) stop.request_stop();
  };
};

int run_shard(const Call& call, const PictureFiles& files, std::span<const std::string> names) {
  const ShardOfPictures shard = shard_of(call, files, names);
  Work work(call);
  CollectionVlads found = vlads_of(work.call, shard.files.pictures, work.sink, work.stop.get_token());
  work.progress.clear();
  for (const std::string& problem : files.problems) complain(problem);
  for (const std::string& problem : found.problems) complain(problem);
  work.end_if_interrupted();
  const bool is_well = files.problems.empty() && found.problems.empty();
  write_part(call, names, shard, std::move(found));
  ListOutput out;
  out.print(fmt::format("pictures     {} of {}\nfile         {}\n", shard.places.size(), names.size(), call.output));
  out.require_whole();
  return is_well ? exit_done : exit_failed;
}

int run_whole(const Call& call, const PictureFiles& files, std::span<const std::string> names) {
  Work work(call);
  Choice choice = choose(work.call, files.pictures, work.sink, work.stop.get_token());
  if (!call.output.empty()) {
    std::ranges::move(take_out_unlistable(choice.pairs, names), std::back_inserter(choice.problems));
  }
  work.progress.clear();
  for (const std::string& problem : files.problems) complain(problem);
  for (const std::string& problem : choice.problems) complain(problem);
  for (const std::string& note : choice.notes) complain(note);
  work.end_if_interrupted();

  if (!call.picture.empty()) write_image(call.picture, draw_similarities(choice.similar, choice.pairs).view());
  ListOutput out;
  if (!call.output.empty()) {
    const std::string list = pair_list(names, choice.pairs);
    if (is_standard_stream(call.output)) {
      out.print(list);
    } else {
      write_file(call.output, list);
    }
  }
  if (call.json) out.print(json_text(as_json(call, names, choice)) + "\n");
  if (!call.json && !is_standard_stream(call.output)) {
    out.print(fmt::format("pictures     {}\npairs        {}\nfile         {}\n", names.size(), choice.pairs.size(),
                          call.output));
  }
  out.require_whole();
  return files.problems.empty() && choice.problems.empty() ? exit_done : exit_failed;
}

// Leaves out the pictures that a list cannot name.
void leave_out_unlistable(PictureFiles& files) {
  std::erase_if(files.pictures, [&](const PictureFile& picture) {
    if (!has_blank(picture.name.generic_string())) return false;
    files.problems.push_back(
        fmt::format("{}: the name contains a blank, which a list of pairs cannot hold", picture.file.string()));
    return true;
  });
}

int run(const Call& call) {
  check(call);
  PictureFiles files = files_of(call);
  if (!call.output.empty()) leave_out_unlistable(files);
  if (files.pictures.empty()) {  // an earlier list stays
    for (const std::string& problem : files.problems) complain(problem);
    return exit_failed;
  }
  check_outputs(call, files.pictures);
  if (const auto same = same_name(files.pictures)) {
    throw WrongCall(fmt::format("{} and {} have the same name, so their pairs cannot be told apart",
                                same->first.file.string(), same->second.file.string()));
  }
  std::vector<std::string> names;
  for (const PictureFile& file : files.pictures) names.push_back(file.name.generic_string());
  return call.shard ? run_shard(call, files, names) : run_whole(call, files, names);
}

// Options of extraction, which have no effect where nothing is extracted.
void require_extraction(const Command& command, const Call& call) {
  const bool is_extracting = call.pairs.by == PairsBy::retrieval && call.features.empty();
  if (is_extracting) return;
  const std::string circumstance = call.features.empty() ? "without --by retrieval" : "with --features";
  if (call.pairs.by != PairsBy::retrieval) refuse_device_options(command, "without --by retrieval");
  if (call.pairs.by != PairsBy::gps) refuse_read_options(command, circumstance);
  std::vector<std::string> flags{"--detector", "--preset", "--size"};
  for (const DetectorFacts& detector : detectors()) {
    for (const OptionFacts& option : detector.options) {
      if (option.name != "describe") flags.push_back(flag_of(option.name));
    }
  }
  for (const std::string& flag : flags) refuse_if_given(command, flag, circumstance);
}

}  // namespace

void add_pairs(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "pairs", description, footer);
  command.add_option("IMAGE", call->images, "Pictures, folders of them, or quoted patterns such as 'photos/*.jpg'.")
      .type_name("FILE");
  command.add_option("--features", call->features, "Take the features in this folder in place of pictures.")
      .type_name("DIR");
  command.add_flag("--recursive", call->recursive, "Also take what is in subfolders of the folders.");
  add_read_options(command, call->read);
  const std::string group = "Output options";
  command.add_option("-o,--output", call->output, "Write the list to this file, .txt; -: to the standard output.")
      .type_name("FILE")
      .group(group);
  command
      .add_option(
          "--picture", call->picture,
          "Draw the matrix of similarities to this file (.png, .jpg, ...): below the diagonal all of them, above "
          "it those of the pairs.")
      .type_name("FILE")
      .group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.").group(group);
  add_shard_option(command, call->shard, "the pictures, by a hash of their names,");
  add_options(command, option_table<PairOptions>(), call->pairs);
  add_detector_options(command, call->detector, Descriptors::always);
  add_device_options(command, call->device);
  command.callback([call, &command, &exit_code] {
    require_effects(command, option_table<PairOptions>(), call->pairs);
    require_extraction(command, *call);
    if (call->features.empty()) {
      require_folder_to_recurse(command, call->images);
    } else if (is_hloc_file(call->features)) {
      refuse_if_given(command, "--recursive", "with --features of one file");
    }
    exit_code = run(*call);
  });
}

}  // namespace octavo::cli
