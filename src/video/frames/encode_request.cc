#include "video/frames/encode_request.h"

#include <fmt/core.h>

#include "io/json/json.h"
#include "octavo/error.h"

namespace octavo::video {

std::vector<std::string> words_of(const EncodeRequest& request) {
  const Json json{{"container", request.container},
                  {"is_stream", request.is_stream},
                  {"width", request.size.width},
                  {"height", request.size.height},
                  {"time_base", {request.time_base.numerator, request.time_base.denominator}},
                  {"frame_rate", {request.frame_rate.numerator, request.frame_rate.denominator}},
                  {"encoders", request.encoders}};
  return {std::string(encode_protocol), json_text(json)};
}

EncodeRequest encode_request_in(std::span<const std::string> words) {
  if (words.size() != 2 || words[0] != encode_protocol) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("this is {}, which Octavo starts to encode video; it takes its options from there",
                            encode_protocol));
  }
  EncodeRequest request;
  try {
    const Json json = parse_json(words[1]);
    json.at("container").get_to(request.container);
    json.at("is_stream").get_to(request.is_stream);
    json.at("width").get_to(request.size.width);
    json.at("height").get_to(request.size.height);
    for (const auto& [name, ratio] :
         {std::pair{"time_base", &request.time_base}, std::pair{"frame_rate", &request.frame_rate}}) {
      json.at(name).at(0).get_to(ratio->numerator);
      json.at(name).at(1).get_to(ratio->denominator);
    }
    json.at("encoders").get_to(request.encoders);
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::invalid_argument, error.what());
  }
  return request;
}

}  // namespace octavo::video
