#include "video/frames/request.h"

#include <fmt/core.h>

#include <utility>

#include "io/json/json.h"
#include "octavo/error.h"
#include "video/frames/messages.h"

namespace octavo::video {

std::vector<std::string> words_of(const Request& request) {
  const VideoOptions& options = request.options;
  Json parts = Json::array();
  for (const Part& part : request.parts) parts.push_back({part.from, part.to});
  const Json json{{"every", options.every},
                  {"fps", options.fps},
                  {"size", options.size},
                  {"colour", options.colour},
                  {"weave", options.weave},
                  {"stored_luma", options.stored_luma},
                  {"fast", options.fast},
                  {"live", options.live},
                  {"ascending", options.ascending},
                  {"max_pixels", options.max_pixels},
                  {"range", static_cast<int>(options.range)},
                  {"black", options.black},
                  {"white", options.white},
                  {"packets", static_cast<int>(request.packets)},
                  {"parts", std::move(parts)}};
  return {std::string(protocol), json_text(json)};
}

Request request_in(std::span<const std::string> words) {
  if (words.size() != 2 || words[0] != protocol) {
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("this is {}, which Octavo starts to decode video; it takes its options from there", protocol));
  }
  Request request;
  VideoOptions& options = request.options;
  try {
    const Json json = parse_json(words[1]);
    json.at("every").get_to(options.every);
    json.at("fps").get_to(options.fps);
    json.at("size").get_to(options.size);
    json.at("colour").get_to(options.colour);
    json.at("weave").get_to(options.weave);
    json.at("stored_luma").get_to(options.stored_luma);
    json.at("fast").get_to(options.fast);
    json.at("live").get_to(options.live);
    json.at("ascending").get_to(options.ascending);
    json.at("max_pixels").get_to(options.max_pixels);
    const int range = json.at("range").get<int>();
    if (range < 0 || range > static_cast<int>(InputRange::full)) {
      throw Error(ErrorCode::invalid_argument, fmt::format("there is no range {}", range));
    }
    options.range = static_cast<InputRange>(range);
    json.at("black").get_to(options.black);
    json.at("white").get_to(options.white);
    const int packets = json.at("packets").get<int>();
    if (packets < 0 || packets > static_cast<int>(Packets::of_any_codec)) {
      throw Error(ErrorCode::invalid_argument, fmt::format("there is no kind {} of packets", packets));
    }
    request.packets = static_cast<Packets>(packets);
    for (const Json& part : json.at("parts")) {
      request.parts.push_back({part.at(0).get<double>(), part.at(1).get<double>()});
    }
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::invalid_argument, error.what());
  }
  validate(options);
  return request;
}

}  // namespace octavo::video
