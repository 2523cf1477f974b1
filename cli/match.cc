// octavo match: pairs the keypoints of two pictures.

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/detector.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "octavo/extractor.h"
#include "octavo/imageio.h"
#include "octavo/matcher.h"
#include "octavo/output_file.h"
#include "octavo/stopwatch.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(match the keypoints of two images

Extracts the keypoints of A and B and pairs each keypoint of A with the one of B
whose descriptor is nearest, by exact search.)";

constexpr auto footer = R"(JSON:
  {"keypoints_a": 2911, "keypoints_b": 3480, "milliseconds": 12.5,
   "matches": [{"a": 0, "b": 17, "distance": 93.2, "x_a": 1.5, "y_a": 2.5,
                "x_b": 3.5, "y_b": 4.5}, ...]}
a and b are indices into the keypoints in the order of `octavo extract`. The
distance is that of the descriptors. Coordinates are in pixels, and (0, 0) is
the centre of the first pixel. The milliseconds are those of the matching alone.

Examples:
  octavo match left.jpg right.jpg --detector foagdd -o matches.png
  octavo match left.jpg right.jpg -o matches.png
  octavo match left.jpg right.jpg --ratio 0.7 --json

Exit codes:
  0  done, with or without matches
  1  an image cannot be read or the picture cannot be written
  2  the call was wrong)";

// What the command line asks for.
struct Call {
  std::string a, b;
  ReadOptions read;
  std::string output;
  bool json = false;
  DetectorOptions detector;
  MatchOptions match;
  DeviceOptions device;
};

nlohmann::ordered_json as_json(const Features& a, const Features& b, const std::vector<Match>& matches,
                               double milliseconds) {
  auto list = nlohmann::ordered_json::array();
  for (const Match& match : matches) {
    const Keypoint& in_a = a.keypoints[static_cast<std::size_t>(match.a)];
    const Keypoint& in_b = b.keypoints[static_cast<std::size_t>(match.b)];
    list.push_back({{"a", match.a},
                    {"b", match.b},
                    {"distance", std::sqrt(static_cast<double>(match.distance2))},
                    {"x_a", in_a.x},
                    {"y_a", in_a.y},
                    {"x_b", in_b.x},
                    {"y_b", in_b.y}});
  }
  return {{"keypoints_a", a.size()}, {"keypoints_b", b.size()}, {"milliseconds", milliseconds}, {"matches", list}};
}

void run(const Call& call) {
  if (!call.output.empty()) {
    const std::array<std::filesystem::path, 1> written{call.output};
    require_not_read(written, std::array<std::filesystem::path, 2>{call.a, call.b});
    require_writable_pictures(written, true);
  }
  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  progress.show("starting");
  Extractor extractor = make_extractor(call.detector, device);
  Matcher matcher(call.match, device);
  progress.show(call.a);
  const Image image_a = read_image(call.a, call.read);
  const Features a = extractor.extract(image_a.view());
  progress.show(call.b);
  const Image image_b = read_image(call.b, call.read);
  const Features b = extractor.extract(image_b.view());
  progress.show("matching");
  const Stopwatch stopwatch;
  const std::vector<Match> matches = matcher.match(a, b);
  const double milliseconds = stopwatch.milliseconds();

  if (!call.output.empty()) {
    progress.show(call.output);
    write_image(call.output, draw_matches(image_a.view(), a, image_b.view(), b, matches).view());
  }
  progress.clear();
  if (call.json) {
    fmt::print("{}\n", json_text(as_json(a, b, matches, milliseconds)));
    return;
  }
  fmt::print("keypoints A  {}\nkeypoints B  {}\nmatches      {}\n", a.size(), b.size(), matches.size());
  fmt::print("matching     {:.1f} ms\n", milliseconds);
  if (!call.output.empty()) fmt::print("picture      {}\n", call.output);
}

}  // namespace

void add_match(CLI::App& program) {
  const auto call = std::make_shared<Call>();
  CLI::App& command = add_command(program, "match", description, footer);

  command.add_option("A", call->a, "The first picture.")->required()->type_name("FILE");
  command.add_option("B", call->b, "The second picture.")->required()->type_name("FILE");
  add_read_options(command, call->read);
  command
      .add_option("-o,--output", call->output,
                  "Draw both pictures side by side, with a line for each match, to this file (.png, .jpg, ...).")
      ->type_name("FILE");
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  add_match_options(command, call->match);
  add_detector_options(command, call->detector, Descriptors::always);
  add_device_options(command, call->device);
  command.callback([call] { run(*call); });
}

}  // namespace octavo::cli
