// octavo evaluate crops: matches photographs with crops of them, after Sawada 2024.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/evaluate/evaluate_call.h"
#include "cli/list.h"
#include "cli/options.h"
#include "cli/sizes.h"
#include "study/evaluate/crops.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(match photographs with crops of them

Cuts out the centre of each photograph, changes it by noise, contrast or JPEG
compression, and matches it with the photograph. Reports keypoints, right and
all matches, precision and time of each configuration: the experiment of Sawada
2024 (tables 6.4 to 6.7).)";

constexpr auto footer = R"(The crop: pixel (0, 0) of a crop of w x h is pixel (floor((W - w) / 2),
floor((H - h) / 2)) of the photograph of W x H.

Columns, sums over the photographs:
  keypoints  of the photographs
  of crops   keypoints of the crops
  correct    matches whose place in the photograph is within 4 px of the true
             one, in x and in y
  matches    all matches by --ratio and the other matching options
  precision  correct over matches, in percent
  seconds    wall time for the keypoints of photograph and crop and for the
             matching, once, after a first run that is not timed
The largest crops and many configurations of --smoothing trilateral take long:
--size makes photographs smaller first.

JSON:
  {"images": ["photo.jpg"], "crop_sizes": ["100x100"], "size": null,
   "noise_seed": 0, "correct_within": 4, "octavo": "0.1.0", "date": "...",
   "device": "cpu", "exif_rotation": true,
   "configurations": [{"name": "octavo", "arguments", ... its options,
     "cases": [{"crop": "100x100", "change": "noise", "strength": 15,
       "photograph_count": 1, "keypoint_count_photograph",
       "keypoint_count_crop", "correct_count", "match_count", "precision",
       "seconds"}],
     "pairs": [{"photograph": "photo.jpg", "photograph_size": [640, 480],
       "left": 270, "top": 190, "crop", "change", "strength",
       "keypoint_count_photograph", "keypoint_count_crop", "correct_count",
       "match_count", "photograph_seconds", "crop_seconds",
       "match_seconds"}]}],
   "problems": ["..."], "warnings": ["..."]}
The strength of "clean" is null, and so is a precision without matches.

Examples:
  octavo evaluate crops photo.jpg
  octavo evaluate crops photos/ --crop-sizes 100x100,400x400 --size 640 \
      --configuration 'gaussian:' \
      --configuration 'trilateral: --smoothing trilateral' \
      -o report.html
  octavo evaluate crops photo.jpg --changes clean,noise:25,contrast:3

Exit codes:
  0  done
  1  something could not be evaluated, see the error stream; the rest is done
  2  the call was wrong)";

struct Call : EvaluateCall {
  CropJob job;
};

// The default changes as words of the command line.
std::string default_words() {
  std::vector<std::string> words;
  for (const CropChange& change : default_crop_changes()) {
    std::string word = label_of(change);
    std::replace(word.begin(), word.end(), ' ', ':');
    words.push_back(word);
  }
  return fmt::format("{}", fmt::join(words, ","));
}

}  // namespace

void add_evaluate_crops(Command& evaluate, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(evaluate, "crops", description, footer);
  command.add_option("PHOTO", call->job.photographs, "Photographs, folders of them, or quoted patterns.")
      .required()
      .type_name("FILE");
  add_sizes(command, "--crop-sizes", call->job.crop_sizes, "Sizes of crops, separated by commas. Default: 100x100.");
  add_list(
      command, "--changes", [call](const std::vector<std::string>& changes) { call->job.changes = changes; },
      fmt::format("The changes of the crop, separated by commas: clean, or a change of `octavo evaluate robustness` "
                  "in which no point moves, and its strength. Default: {}.",
                  default_words()))
      .type_name("CHANGE,...");
  add_number(command,
             {.name = "size",
              .sentence = "Reduce photographs whose longer side is above N pixels to it; 0: none.",
              .symbol = "N",
              .low = 16,
              .high = 65535,
              .special = 0},
             call->job.size);
  add_number(command,
             {.name = "examples",
              .sentence = "Photographs of each crop and change whose matches the page shows, by the number of right "
                          "ones; of one, the median. Only with --output.",
              .symbol = "N",
              .low = 0,
              .high = 1000},
             call->job.examples)
      .group("Output options");
  add_noise_seed(command, call->job.noise_seed);
  add_comparison_options(command, *call, call->job);
  command.callback([call, &command, &evaluate, &exit_code] {
    require_none_before(evaluate, "crops");
    if (call->job.page.empty()) refuse_if_given(command, "--examples", "without --output");
    const std::vector<std::string>& changes = call->job.changes;
    const auto is_noise = [](const std::string& change) { return change.starts_with("noise"); };
    if (!changes.empty() && std::ranges::none_of(changes, is_noise)) {
      refuse_if_given(command, "--noise-seed", "without the change noise");
    }
    exit_code = evaluate_by(*call, call->job, [&](const auto& context) { return evaluate_crops(call->job, context); });
  });
}

}  // namespace octavo::cli
