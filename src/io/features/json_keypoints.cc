// Keypoints from JSON as json_features writes it, or any program: what describes them reads x, y and scale.

#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <string>

#include "io/files/read_bytes.h"
#include "io/images/decode_error.h"
#include "io/json/json.h"
#include "octavo/error.h"
#include "octavo/io/feature_files.h"

namespace octavo {
namespace {

using io::DecodeError;
// One keypoint of the file, with the number that errors tell.
class Entry {
 public:
  Entry(const Json& object, std::size_t number) : object_(object), number_(number) {
    if (!object.is_object()) throw DecodeError(fmt::format("keypoint {} is not an object", number));
  }

  [[nodiscard]] float number(const char* key) const {
    const Json* const found = object_.find(key);
    if (found == nullptr) throw DecodeError(fmt::format("keypoint {} has no \"{}\"", number_, key));
    return number_of(*found, key);
  }
  [[nodiscard]] float number_or_0(const char* key) const {
    const Json* const found = object_.find(key);
    return found == nullptr ? 0 : number_of(*found, key);
  }
  [[nodiscard]] std::int32_t whole_or_0(const char* key) const {
    const Json* const found = object_.find(key);
    if (found == nullptr) return 0;
    if (found->is_integer()) {
      const auto value = found->get<double>();
      if (value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max()) {
        return static_cast<std::int32_t>(value);
      }
    }
    throw DecodeError(fmt::format("\"{}\" of keypoint {} is not a whole number of 32 bits", key, number_));
  }

 private:
  [[nodiscard]] float number_of(const Json& value, const char* key) const {
    if (!value.is_number()) throw DecodeError(fmt::format("\"{}\" of keypoint {} is not a number", key, number_));
    const float number = value.get<float>();
    if (std::isfinite(number)) return number;
    throw DecodeError(fmt::format("\"{}\" of keypoint {} is beyond the range of floats", key, number_));
  }

  const Json& object_;
  std::size_t number_;
};

// The list of keypoints in the file: of an object, or of the only object of a list.
const Json& list_of(const Json& file) {
  const Json* object = &file;
  if (file.is_array()) {
    if (file.size() != 1) {
      throw DecodeError(fmt::format("it is a list of {} images, but must hold the keypoints of one", file.size()));
    }
    object = &file.front();
  }
  if (!object->is_object() || !object->contains("keypoints") || !object->at("keypoints").is_array()) {
    throw DecodeError("it must be an object with a list \"keypoints\"");
  }
  return object->at("keypoints");
}

Json parse(std::span<const std::byte> bytes) {
  try {
    return parse_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  } catch (const Json::exception&) {  // of parsing, or of a number beyond all doubles
    throw DecodeError("it is not JSON, or it is truncated");
  }
}

std::vector<Keypoint> decode_json_text(std::span<const std::byte> bytes) {
  const Json file = parse(bytes);
  const Json& list = list_of(file);
  std::vector<Keypoint> keypoints;
  keypoints.reserve(list.size());
  for (const Json& object : list) {
    const Entry entry(object, keypoints.size());
    keypoints.push_back({.x = entry.number("x"),
                         .y = entry.number("y"),
                         .scale = entry.number("scale"),
                         .orientation = entry.number_or_0("orientation"),
                         .response = entry.number_or_0("response"),
                         .octave = entry.whole_or_0("octave"),
                         .layer = entry.whole_or_0("layer")});
  }
  return keypoints;
}

}  // namespace

std::vector<Keypoint> decode_json_keypoints(std::span<const std::byte> bytes, const std::string& name) {
  try {
    return decode_json_text(bytes);
  } catch (const DecodeError& error) {
    io::refuse(name, error.what());
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, fmt::format("cannot read '{}': not enough memory for its keypoints", name));
  }
}

}  // namespace octavo
