// octavo evaluate crops: matches photographs with crops of them, after Sawada 2024.

#include <fmt/ranges.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/evaluate/evaluate_call.h"
#include "cli/list.h"
#include "study/evaluate/crops.h"

namespace octavo::cli {
namespace {

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

void define_evaluate_crops(Command& command) {
  const auto call = std::make_shared<EvaluateCallOf<CropJob>>();
  command.add_option("PHOTO", call->job.photographs).required();
  add_sizes(command, "--crop-sizes", call->job.crop_sizes);
  add_list(command, "--changes", call->job.changes).about(default_words());
  add_number(command, {.name = "size", .low = 16, .high = 65535, .special = 0}, call->job.size);
  add_number(command, {.name = "examples", .low = 0, .high = 1000}, call->job.examples);
  add_noise_seed(command, call->job.noise_seed);
  add_comparison_options(command, *call, call->job);
  command.action = [call, &command] {
    if (call->job.page.empty()) refuse_if_given(command, "--examples", "without --output");
    const std::vector<std::string>& changes = call->job.changes;
    const auto is_noise = [](const std::string& change) { return change.starts_with("noise"); };
    if (!changes.empty() && std::ranges::none_of(changes, is_noise)) {
      refuse_if_given(command, "--noise-seed", "without the change noise");
    }
    return evaluate_by(*call, call->job, [&](const auto& context) { return evaluate_crops(call->job, context); });
  };
}

}  // namespace octavo::cli
