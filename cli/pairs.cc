// octavo pairs: which images of a collection are to be matched.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/detector.h"
#include "cli/one_range.h"
#include "cli/options.h"
#include "cli/shard.h"
#include "cli/standard_streams.h"
#include "cli/work.h"
#include "cli/wrong_call.h"
#include "io/files/output_file.h"
#include "io/json/json.h"
#include "octavo/error.h"
#include "octavo/io/hloc.h"
#include "octavo/io/image_files.h"
#include "octavo/jobs/pairs_job.h"
#include "octavo/vlad.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;
constexpr auto description = R"(choose the pairs of a collection that are matched

Writes a list of pairs of images, as COLMAP, hloc and octavo match --pairs
read it. Images that look alike are found by VLAD: their features are summed
up by visual word to a vector, and each image is paired with the K others
whose vectors are nearest, by exact search. The list is the same on every device
and for any number of threads.)";

constexpr auto footer = R"(Output file:
  FILE.txt, or - for the standard output: "a.jpg b.jpg" a line, each pair once.
  Names are those below the folder. An image whose name has a blank is named
  on the error stream and left out.

With --features the images are not read. DIR has the files of octavo extract
(.npz, or .txt of COLMAP) with RootSIFT descriptors, or is a file FILE.h5 of
hloc's. --by gps needs images.

With --shard I/N a process makes the VLADs of a part of the images, in a file
for octavo merge, which compares the VLADs of all shards and writes FILE.txt.

An image without features, or for --by gps without a place, has no pairs and is
named on the error stream.

JSON:
  {"by": "retrieval", "image_count": 3,
   "pairs": [{"image_a": "1.jpg", "image_b": "2.jpg", "similarity": 0.31}, ...],
   "unpaired": ["3.jpg"], "extract_seconds": 1.2, "search_seconds": 0.1,
   "problems": [], "warnings": ["3.jpg: ..."]}
"similarity" is the cosine of the angle between the VLADs, -1 to 1, with --by
retrieval; "metres" the distance with --by gps. "unpaired" are the images
without pairs. "problems" tells which images failed, and "warnings" which have
no features or no place.

Examples:
  octavo pairs photos/ -o pairs.txt
  octavo pairs photos/ -o pairs.txt --neighbours 100 --image similar.png
  octavo pairs --features features/ -o pairs.txt
  octavo pairs frames/ -o pairs.txt --by sequential --overlap 20 --quadratic
  octavo pairs drone/ -o pairs.txt --by gps --metres 40
  octavo pairs photos/ -o part-3 --shard 3/8          (and so on, 1/8 to 8/8)
  octavo merge pairs.txt part-*
  octavo match photos/ --pairs pairs.txt -o matches.txt --verify fundamental

Exit codes:
  0  done
  1  at least one image failed, see the error stream; the pairs of the others
     are written. Or the list cannot be written
  2  the call was wrong
  130, 143  the run was interrupted (SIGINT, SIGTERM); nothing is written)";

struct Call {
  std::vector<std::string> images;
  std::string features;
  bool recursive = false;
  std::string output, image;
  bool json = false;
  std::optional<Shard> shard;
  PairsJob job;
};

// The images or files of features, and what is wrong with the places that were named.
ImageFiles files_of(const Call& call) {
  if (call.features.empty()) {
    ImageFiles found = find_images(call.images, call.recursive);
    std::erase_if(found.images, [&](const ImageFile& image) {
      std::error_code unknown;
      if (fs::exists(image.file, unknown)) return false;
      found.problems.push_back(fmt::format("{}: there is no such file", image.file.string()));
      return true;
    });
    return found;
  }
  ImageFiles found = find_features(call.features, call.recursive);
  if (!found.images.empty()) return found;
  throw Error(ErrorCode::file_error,
              !found.problems.empty()
                  ? found.problems.front()
                  : fmt::format("'{}' contains no features (.npz, or .txt of COLMAP)", call.features));
}

// The similarity of a pair, which one of both has among its similar ones.
double similarity_of(const ChosenPairs& choice, const ImagePair& pair) {
  for (const auto& [one, other] : {pair, ImagePair(pair.second, pair.first)}) {
    for (const SimilarImage& similar : choice.similar[one]) {
      if (similar.image == other) return static_cast<double>(similar.product) / vlad_length / vlad_length;
    }
  }
  return 0;
}

Json as_json(const Call& call, std::span<const std::string> names, const ChosenPairs& choice,
             const std::vector<std::string>& problems) {
  const OptionTable<PairOptions>& table = option_table<PairOptions>();
  const Option<PairOptions>& by = *table.find("by");
  Json pairs = Json::array(), unpaired = Json::array();
  std::vector<bool> is_paired(names.size());
  for (const ImagePair& pair : choice.pairs) {
    const auto& [i, j] = pair;
    is_paired[i] = is_paired[j] = true;
    Json one = {{"image_a", names[i]}, {"image_b", names[j]}};
    if (call.job.options.by == PairsBy::retrieval) one["similarity"] = similarity_of(choice, pair);
    if (call.job.options.by == PairsBy::gps) one["metres"] = distance_of(*choice.places[i], *choice.places[j]);
    pairs.push_back(std::move(one));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_paired[i]) unpaired.push_back(names[i]);
  }
  return {{"by", option_text(by.read(call.job.options, by))},
          {"image_count", names.size()},
          {"pairs", std::move(pairs)},
          {"unpaired", std::move(unpaired)},
          {"extract_seconds", choice.extract_seconds},
          {"search_seconds", choice.search_seconds},
          {"problems", problems},
          {"warnings", choice.notes}};
}

void require_fitting_shard(const Call& call) {
  if (call.job.options.by != PairsBy::retrieval) {
    refuse_without_effect("--shard",
                          "without --by retrieval, since the other ways read no images or only their EXIF data");
  }
  if (call.output.empty()) throw WrongCall("--shard needs --output, the file of its part");
  if (is_standard_stream(call.output)) refuse_standard_output("--shard needs a file");
  if (!call.image.empty()) refuse_without_effect("--image", "with --shard");
  if (call.json) refuse_without_effect("--json", "with --shard");
}

// Refuses what does not go together, and outputs that cannot be made, before the work.
void check(const Call& call) {
  validate(call.job.options);
  if (call.images.empty() == call.features.empty()) {
    throw WrongCall(call.images.empty() ? "no images given, and no --features"
                                        : "--features and images exclude each other");
  }
  for (const std::string& image : call.images) {
    if (is_standard_stream(image)) throw WrongCall("-: the standard input is one image, without a pair");
  }
  if (!call.features.empty() && call.job.options.by == PairsBy::gps) {
    throw WrongCall("--by gps needs the images, since features do not tell where they were taken");
  }
  if (!call.image.empty() && call.job.options.by != PairsBy::retrieval) {
    refuse_without_effect("--image", "without --by retrieval");
  }
  if (call.shard) require_fitting_shard(call);
  if (call.output.empty() && !call.json) throw WrongCall("no output given: -o or --json");
  if (call.json && is_standard_stream(call.output)) refuse_standard_output("--json has no place there");
}

void check_outputs(const Call& call, std::span<const ImageFile> files) {
  std::vector<fs::path> written, read;
  if (!call.output.empty() && !is_standard_stream(call.output)) {
    written.emplace_back(call.output);
    if (!call.shard) require_ending(written, std::array<std::string_view, 1>{".txt"});
    require_writable(written);
  }
  if (!call.image.empty()) {
    const std::array<fs::path, 1> image{call.image};
    require_writable_images(image, true);
    written.emplace_back(call.image);
  }
  for (const ImageFile& file : files) read.push_back(file.file);
  require_not_read(written, read);
}

int run_shard(const Call& call, const std::vector<std::string>& problems) {
  Work work;
  work.fail_all(problems);
  const auto images = write_pairs_shard(call.output, call.job, *call.shard, problems, work.context());
  if (!images) work.end_if_interrupted();
  work.progress().clear();
  ListOutput out;
  out.print(
      fmt::format("images       {} of {}\nfile         {}\n", images.value(), call.job.images.size(), call.output));
  out.require_whole();
  return work.exit_code();
}

int run_whole(const Call& call, const std::vector<std::string>& problems) {
  Work work;
  work.fail_all(problems);
  ChosenPairs choice = choose_pairs(call.job, work.context());
  work.end_if_interrupted();
  std::vector<std::string> names;
  for (const ImageFile& image : call.job.images) names.push_back(image.name.generic_string());
  if (!call.output.empty()) work.fail_all(take_out_unlistable(choice.pairs, names));
  work.progress().clear();
  for (const std::string& note : choice.notes) complain(note);

  if (!call.image.empty()) write_image(call.image, draw_similarities(choice.similar, choice.pairs).view());
  ListOutput out;
  if (!call.output.empty()) {
    const std::string list = pair_list(names, choice.pairs);
    if (is_standard_stream(call.output)) {
      out.print(list);
    } else {
      write_file(call.output, list);
    }
  }
  if (call.json) out.print(json_text(as_json(call, names, choice, work.failures())) + "\n");
  if (!call.json && !is_standard_stream(call.output)) {
    out.print(fmt::format("images       {}\npairs        {}\nfile         {}\n", names.size(), choice.pairs.size(),
                          call.output));
  }
  out.require_whole();
  return work.exit_code();
}

// Leaves out the images that a list cannot name.
void leave_out_unlistable(ImageFiles& files) {
  std::erase_if(files.images, [&](const ImageFile& image) {
    if (!has_blank(image.name.generic_string())) return false;
    files.problems.push_back(
        fmt::format("{}: the name contains a blank, which a list of pairs cannot hold", image.file.string()));
    return true;
  });
}

int run(Call& call) {
  check(call);
  ImageFiles files = files_of(call);
  if (!call.output.empty()) leave_out_unlistable(files);
  if (files.images.empty()) {  // an earlier list stays
    for (const std::string& problem : files.problems) complain(problem);
    return exit_failed;
  }
  check_outputs(call, files.images);
  call.job.images = std::move(files.images);
  call.job.of_features = !call.features.empty();
  call.job.all_similarities = !call.image.empty();
  return call.shard ? run_shard(call, files.problems) : run_whole(call, files.problems);
}

// Options of extraction, which have no effect where nothing is extracted.
void require_extraction(const Command& command, const Call& call) {
  const bool is_extracting = call.job.options.by == PairsBy::retrieval && call.features.empty();
  if (is_extracting) return;
  const std::string circumstance = call.features.empty() ? "without --by retrieval" : "with --features";
  if (call.job.options.by != PairsBy::retrieval) refuse_device_options(command, "without --by retrieval");
  if (call.job.options.by != PairsBy::gps) refuse_read_options(command, circumstance);
  refuse_if_given(command, "--one-range", circumstance);
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
  command.add_option("IMAGE", call->images, "Images, folders of them, or quoted patterns such as 'photos/*.jpg'.")
      .type_name("FILE");
  command.add_option("--features", call->features, "Take the features in this folder in place of images.")
      .type_name("DIR");
  command.add_flag("--recursive", call->recursive, "Also take what is in subfolders of the folders.");
  add_read_options(command, call->job.read);
  add_one_range(command);
  const std::string group = "Output options";
  command.add_option("-o,--output", call->output, "Write the list to this file, .txt; -: to the standard output.")
      .type_name("FILE")
      .group(group);
  command
      .add_option(
          "--image", call->image,
          "Draw the matrix of similarities to this file (.png, .jpg, ...): below the diagonal all of them, above "
          "it those of the pairs.")
      .type_name("FILE")
      .group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.").group(group);
  add_shard_option(command, call->shard, "the images, by a hash of their names,");
  add_options(command, option_table<PairOptions>(), call->job.options);
  add_detector_options(command, call->job.detector, Descriptors::always);
  add_device_options(command, call->job.device);
  command.callback([call, &command, &exit_code] {
    require_effects(command, option_table<PairOptions>(), call->job.options);
    require_extraction(command, *call);
    if (call->features.empty()) {
      require_folder_to_recurse(command, call->images);
      take_one_range(command, call->images, call->recursive, call->job.read);
    } else if (is_hloc_file(call->features)) {
      refuse_if_given(command, "--recursive", "with --features of one file");
    }
    exit_code = run(*call);
  });
}

}  // namespace octavo::cli
