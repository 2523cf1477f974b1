// The model of feature codes, and the bytes of its file, little endian:
//
//     offset  bytes   content
//     0       8       "OctCodes"
//     8       4       u32 version, 1
//     12      4       u32 length t of the origin, at most 65 535
//     16      t       the origin, text in UTF-8
//     then    16384   the centres, 256×64
//     then    256     i32 the thresholds of the 64 even bits
//     then    8       u64 FNV-1a digest of all bytes before
//
// The model that Octavo brings is the file general.codes, which bench/retrieval/train_vocabulary.cc wrote.
// docs/retrieval.md has the command.

#include <span>
#include <string_view>
#include <utility>

#include "engine/core/little_endian.h"
#include "octavo/error.h"
#include "octavo/retrieval.h"

namespace octavo {

extern const std::span<const unsigned char> general_code_model_bytes;  // EmbedBytes.cmake defines it

namespace {

constexpr std::string_view model_magic = "OctCodes";
constexpr std::uint32_t model_version = 1;
constexpr std::uint32_t longest_origin = 65535;  // [byte]
constexpr std::size_t centre_bytes = CodeModel::centre_count * CodeModel::half_length;

}  // namespace

CodeModel::CodeModel(std::vector<std::uint8_t> centres, std::vector<std::int32_t> thresholds, std::string origin)
    : centres_(std::move(centres)), thresholds_(std::move(thresholds)), origin_(std::move(origin)) {
  if (centres_.size() != centre_bytes || thresholds_.size() != threshold_count) {
    throw Error(ErrorCode::invalid_argument, "a model of codes has " + std::to_string(centres_.size()) +
                                                 " bytes of centres and " + std::to_string(thresholds_.size()) +
                                                 " thresholds, but must have " + std::to_string(centre_bytes) +
                                                 " and " + std::to_string(threshold_count));
  }
  if (origin_.size() > longest_origin) {
    throw Error(ErrorCode::invalid_argument, "the origin of a model of codes has " + std::to_string(origin_.size()) +
                                                 " bytes, but must have at most " + std::to_string(longest_origin));
  }
}

std::vector<std::byte> encode_code_model(const CodeModel& model) {
  LittleEndianWriter writer;
  writer.put(model_magic);
  writer.put(model_version);
  writer.put(static_cast<std::uint32_t>(model.origin().size()));
  writer.put(model.origin());
  writer.put(std::as_bytes(model.centres()));
  for (const std::int32_t threshold : model.thresholds()) writer.put(threshold);
  return writer.finish();
}

CodeModel decode_code_model(std::span<const std::byte> bytes, const std::string& name) {
  LittleEndianReader reader(bytes, model_magic, "a model of codes of Octavo", name);
  reader.take_within("is of version", model_version, model_version);
  const std::string origin =
      reader.take_text(reader.take_within("has an origin of a length of", std::uint32_t{0}, longest_origin));
  const auto centres = reader.take_bytes(centre_bytes);
  std::vector<std::int32_t> thresholds(CodeModel::threshold_count);
  for (std::int32_t& threshold : thresholds) threshold = reader.take<std::int32_t>();
  reader.finish();
  const auto* first = reinterpret_cast<const std::uint8_t*>(centres.data());
  return CodeModel({first, first + centres.size()}, std::move(thresholds), origin);
}

const CodeModel& general_code_model() {
  static const CodeModel model =
      decode_code_model(std::as_bytes(general_code_model_bytes), "the general model of codes");
  return model;
}

}  // namespace octavo
