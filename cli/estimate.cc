#include "cli/estimate.h"

#include <fmt/ranges.h>

#include <cstdint>
#include <exception>

#include "cli/command.h"
#include "jobs/memory_report.h"

namespace octavo::cli {
CommandOption& add_estimate(Command& command, std::string_view work, CommandOption& output, bool& estimate) {
  const auto take = [&estimate, &output] {
    estimate = true;
    output.required(false);
  };
  return command.add_flag("--estimate", take).about(work).excludes(output);
}

int print_estimates(std::span<const std::string> images, const EstimateCall& call) {
  bool failed = false;
  std::vector<std::string> objects;
  for (const std::string& name : images) {
    try {
      const ImageView shape = shape_of_input(name, call.read);
      const std::uint64_t pixels =
          static_cast<std::uint64_t>(shape.stride) * static_cast<std::uint64_t>(shape.height) * call.images_at_a_time;
      const MemoryReport report{name, shape, pixels, call.estimate(shape)};
      failed = failed || !report.fits();
      if (call.json) {
        objects.push_back(json_of(report));
      } else {
        fmt::print("{}", text_of(report));
      }
    } catch (const std::exception& error) {
      const std::string sentence = error.what();
      complain(sentence.find(name) != std::string::npos ? sentence : fmt::format("{}: {}", name, sentence));
      failed = true;
    }
  }
  if (call.json && call.array) print_whole(fmt::format("[{}]\n", fmt::join(objects, ",")), true);
  if (call.json && !call.array && !objects.empty()) print_whole(objects.front() + "\n", true);
  return failed ? exit_failed : exit_done;
}

}  // namespace octavo::cli
