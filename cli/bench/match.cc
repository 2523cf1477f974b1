// octavo bench match: times the exact search, on random descriptors or on the descriptors of two images.

#include <fmt/ranges.h>

#include <cstdint>
#include <limits>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/list.h"
#include "octavo/io/image_formats.h"
#include "octavo/matcher.h"

namespace octavo::cli {
namespace {

using Call = WithJson<MatchBenchmark>;

// Refuses options that do nothing for this kind of descriptors or this job.
void require_effects(const Command& command, const Call& call) {
  const auto refuse = [&](const OptionFacts& option, const char* circumstance) {
    refuse_if_given(command, flag_of(option.name), circumstance);
  };
  if (call.images.empty()) {
    const char* const without = "without IMAGE";
    for (const OptionFacts& option : option_table<SiftOptions>().options) refuse(option, without);
    for (const OptionFacts& option : option_table<ReadOptions>().options) refuse(option, without);
    refuse_if_given(command, {"--preset", "--no-exif-rotation"}, without);
  } else {
    refuse_if_given(command, {"--descriptor-counts", "--seed"}, "with IMAGE");
  }
  if (!call.whole) {
    refuse_if_given(command, {"--ratio", "--no-mutual", "--max-distance2"}, "without --job match");
  }
}

int run(Call& call) {
  if (call.images.size() == 1) throw WrongCall("one IMAGE is given, but must be two or none");
  return print_times(call.json, [&](const ProgressSink& progress) { return measure_matching(call, progress); });
}

}  // namespace

void define_bench_match(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("IMAGE", call->images).most_values = 2;
  add_read_options(command, call->read);
  static constexpr OptionFacts facts{
      .name = "descriptor_counts", .low = 1, .high = 1e6, .kind = OptionKind::integer, .is_bounded = true};
  const auto take_counts = [call](const std::vector<std::string>& texts) {
    call->descriptor_counts.clear();
    for (const std::string& text : texts) {
      const OptionValue count = value_of(facts, text);
      check_value(facts, count);
      call->descriptor_counts.push_back(static_cast<int>(std::get<std::int64_t>(count)));
    }
  };
  add_list(command, "--descriptor-counts", take_counts)
      .default_str(fmt::format("{}", fmt::join(call->descriptor_counts, ",")));
  add_number(command, {.name = "seed", .low = 0, .high = std::numeric_limits<std::uint32_t>::max()}, call->seed);
  add_choice<bool>(command, "--job", call->whole, {{"nearest-two", false}, {"match", true}});
  add_timing_options(command, call->timing, call->json);
  add_match_options(command, call->match);
  add_sift_options(command, call->sift);
  add_device_options(command, call->device);
  command.action = [call, &command] {
    require_effects(command, *call);
    return run(*call);
  };
}

}  // namespace octavo::cli
