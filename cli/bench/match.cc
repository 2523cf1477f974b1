// octavo bench match: times the exact search, on random descriptors or on the descriptors of two images.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/list.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/wrong_call.h"
#include "octavo/io/image_files.h"
#include "octavo/io/read_options.h"
#include "octavo/matcher.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(time the matching of descriptors

Times the exact search for the two nearest neighbours of N descriptors among N
others. The descriptors are random, for each N of
--descriptor-counts. If two images are named, their descriptors are used instead.)";

constexpr auto examples = R"(Examples:
  octavo bench match --descriptor-counts 2048,8192 --threads 1
  octavo bench match left.jpg right.jpg --job match --json

"keypoint_count" is the number of descriptors in the first set.

)";

enum class Job { nearest_two, match };

// What the command line asks for.
struct Call {
  std::vector<std::string> images;
  ReadOptions read;
  std::vector<int> sizes = {1024, 4096, 8192};
  std::uint32_t seed = 1;
  Job job = Job::nearest_two;
  BenchOptions bench;
  MatchOptions match;
  SiftOptions sift;
  DeviceOptions device;
};

// Two sets of descriptors to match.
struct Sets {
  std::string subject;
  Features a, b;
};

// The time of an exact search does not depend on the values of descriptors, so random bytes suffice.
Features random_descriptors(int size, std::mt19937& random) {
  Features features;
  features.keypoints.resize(static_cast<std::size_t>(size));
  features.descriptors.resize(features.size() * descriptor_length);
  for (std::uint8_t& byte : features.descriptors) byte = static_cast<std::uint8_t>(random() >> 24);
  return features;
}

// The extraction is not timed, so it tells its progress on every device.
std::vector<Sets> make_sets(const Call& call, const DeviceOptions& device, Progress& progress) {
  std::vector<Sets> sets;
  if (!call.images.empty()) {
    Extractor extractor(call.sift, device);
    const auto features = [&](const std::string& file) {
      progress.show(file);
      return extractor.extract(read_image(file, call.read).view());
    };
    Sets pair{.subject = {}, .a = features(call.images[0]), .b = features(call.images[1])};
    pair.subject = fmt::format("{} against {} ({})", call.images[0], call.images[1], pair.b.size());
    sets.push_back(std::move(pair));
    return sets;
  }
  std::mt19937 random(call.seed);
  for (const int size : call.sizes) {
    progress.show(fmt::format("{} random descriptors", size));
    Features a = random_descriptors(size, random);
    sets.push_back({fmt::format("{0} x {0}", size), std::move(a), random_descriptors(size, random)});
  }
  return sets;
}

// Refuses options that do nothing for this kind of descriptors or this job.
void require_effects(const Command& command, const Call& call) {
  const auto refuse = [&](const OptionFacts& option, const char* circumstance) {
    refuse_if_given(command, flag_of(option.name), circumstance);
  };
  if (call.images.empty()) {
    const char* const without = "without IMAGE";
    for (const OptionFacts& option : option_table<SiftOptions>().options) refuse(option, without);
    for (const OptionFacts& option : option_table<ReadOptions>().options) refuse(option, without);
    for (const char* const flag : {"--preset", "--no-exif-rotation"}) refuse_if_given(command, flag, without);
  } else {
    for (const char* const flag : {"--descriptor-counts", "--seed"}) refuse_if_given(command, flag, "with IMAGE");
  }
  if (call.job == Job::nearest_two) {
    for (const char* const flag : {"--ratio", "--no-mutual", "--max-distance"}) {
      refuse_if_given(command, flag, "without --job match");
    }
  }
}

void run(const Call& call) {
  if (call.images.size() == 1) throw WrongCall("one IMAGE is given, but must be two or none");
  validate(call.sift);
  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  Matcher matcher = engine_to_time(device, [&](const DeviceOptions& on) { return Matcher(call.match, on); });
  const std::vector<Sets> sets = make_sets(call, device, progress);

  std::vector<BenchJob> jobs;
  for (const Sets& pair : sets) {
    const auto work = [&call, &matcher, &pair] {
      if (call.job == Job::match) {
        matcher.match(pair.a, pair.b);
      } else {
        matcher.nearest_two(pair.a.descriptors, pair.b.descriptors);
      }
    };
    jobs.push_back({.subject = pair.subject, .keypoints = pair.a.size(), .work = {.run = work}});
  }
  time_and_print(jobs, BenchPlace(matcher), call.bench, progress);
}

}  // namespace

void add_bench_match(Command& bench) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(bench, "match", description, std::string(examples) + bench_json_manual);
  command.add_option("IMAGE", call->images, "Two images whose descriptors are matched.").at_most(2).type_name("FILE");
  add_read_options(command, call->read);
  static constexpr OptionFacts sizes{
      .name = "descriptor_counts", .low = 1, .high = 1e6, .kind = OptionKind::integer, .is_bounded = true};
  const auto take_sizes = [call](const std::vector<std::string>& texts) {
    call->sizes.clear();
    for (const std::string& text : texts) {
      const OptionValue size = value_of(sizes, text);
      check_value(sizes, size);
      call->sizes.push_back(static_cast<int>(std::get<std::int64_t>(size)));
    }
  };
  add_list(command, "--descriptor-counts", take_sizes,
           "Numbers of random descriptors, separated by commas. Range of each: 1 to 1000000. Not with IMAGE.")
      .type_name("N,N,...")
      .default_str(fmt::format("{}", fmt::join(call->sizes, ",")));
  add_number(command,
             {.name = "seed",
              .sentence = "Seed of the random descriptors. Not with IMAGE.",
              .symbol = "N",
              .low = 0,
              .high = std::numeric_limits<std::uint32_t>::max()},
             call->seed);
  add_choice<Job>(command, "--job", call->job, {{"nearest-two", Job::nearest_two}, {"match", Job::match}},
                  "What is timed: the search for the two nearest neighbours of each descriptor, or all steps of "
                  "`octavo match`, with the search in the other direction and the ratio test.");
  add_bench_options(command, call->bench);
  add_match_options(command, call->match);
  add_sift_options(command, call->sift);
  add_device_options(command, call->device);
  command.callback([call, &command] {
    require_effects(command, *call);
    run(*call);
  });
}

}  // namespace octavo::cli
