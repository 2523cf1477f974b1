// What octavo video places --json prints.

#include "io/json/json.h"
#include "octavo/jobs/video_jobs.h"
#include "video/timelines/clip_frames.h"

namespace octavo {
namespace jobs {
namespace {

void add_time(Json& json, const std::string& name, const VideoFacts& clip, double seconds) {
  json[name] = seconds;
  timelines::add_frame(json, name, "", timelines::frames_of(clip), seconds);
}

Json json_of_span(std::size_t index, double in, double out, const FoundPlaces& found) {
  const PlaceFile& file = found.files[index];
  Json json{{"file", file.file.string()}};
  if (!file.clip) return json;
  add_time(json, "in", *file.clip, in);
  add_time(json, "out", *file.clip, out);
  return json;
}

Json json_of_member(std::size_t index, const FoundPlaces& found) {
  const PlaceMember& member = found.members[index];
  Json json = json_of_span(member.file, member.in, member.out, found);
  json["member"] = index;
  if (found.files[member.file].clip) json["frame_seconds"] = member.frames;
  return json;
}

Json json_of_place_pair(const PlacePair& pair) {
  return {{"member_a", pair.member_a},
          {"member_b", pair.member_b},
          {"seconds_a", pair.seconds_a},
          {"seconds_b", pair.seconds_b},
          {"inlier_count", pair.inlier_count},
          {"match_count", pair.match_count},
          {"model", pair.is_plane ? "homography" : "fundamental"},
          {"sure", pair.is_sure},
          {"joins", pair.joins}};
}

Json json_of_pairs(const std::vector<PlacePair>& pairs) {
  Json list = Json::array();
  for (const PlacePair& pair : pairs) list.push_back(json_of_place_pair(pair));
  return list;
}

Json json_of_members(const std::vector<std::size_t>& members, const FoundPlaces& found) {
  Json list = Json::array();
  for (const std::size_t member : members) list.push_back(json_of_member(member, found));
  return list;
}

}  // namespace
}  // namespace jobs

std::string json_of(const FoundPlaces& found) {
  Json json{{"files", Json::array()},
            {"places", Json::array()},
            {"single", jobs::json_of_members(found.single, found)},
            {"doubtful", jobs::json_of_pairs(found.doubtful)},
            {"left_out", Json::array()}};
  for (const PlaceFile& file : found.files) {
    json["files"].push_back({{"file", file.file.string()}, {"kind", file.clip ? "clip" : "image"}});
  }
  for (const Place& place : found.places) {
    json["places"].push_back(
        {{"members", jobs::json_of_members(place.members, found)}, {"pairs", jobs::json_of_pairs(place.pairs)}});
  }
  for (const JunkShot& part : found.left_out) {
    Json one = jobs::json_of_span(part.shot.clip, part.shot.in, part.shot.out, found);
    one["reason"] = reason_of(part);
    json["left_out"].push_back(std::move(one));
  }
  return json_text(json);
}

}  // namespace octavo
