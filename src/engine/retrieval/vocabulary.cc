// Vocabularies and the bytes of their files. All numbers are little endian:
//
//     offset  bytes   content
//     0       8       "OctVocab"
//     8       4       u32 version, 1
//     12      4       u32 length of a descriptor, 128
//     16      4       u32 levels, 1: version 1 has one list of words
//     20      4       u32 words k, 1 to 65 536
//     24      4       u32 length t of the origin, at most 65 535
//     28      t       the origin, text in UTF-8
//     28 + t  128·k   the centres, word by word
//     then    8       u64 FNV-1a digest of all bytes before
//
// The number of levels is there for trees of words: a later version reads files of one level too.

#include "octavo/retrieval.h"

#include <new>
#include <string_view>
#include <utility>

#include "engine/core/little_endian.h"
#include "octavo/error.h"

namespace octavo {

namespace {

constexpr std::string_view vocabulary_magic = "OctVocab";
constexpr std::uint32_t vocabulary_version = 1;
constexpr std::uint32_t levels = 1;

Vocabulary read(std::span<const std::byte> bytes, const std::string& name) {
  LittleEndianReader reader(bytes, vocabulary_magic, "a vocabulary of Octavo", name);
  reader.take_within("is of version", vocabulary_version, vocabulary_version);
  constexpr auto length = static_cast<std::uint32_t>(descriptor_length);
  reader.take_within("has descriptors of length", length, length);
  reader.take_within("has a number of levels of", levels, levels);
  const std::size_t words = reader.take_within("has a number of words of", std::uint32_t{1},
                                               static_cast<std::uint32_t>(Vocabulary::most_words));
  const std::size_t origin_bytes = reader.take_within("has an origin of a length of", std::uint32_t{0},
                                                      static_cast<std::uint32_t>(Vocabulary::longest_origin));
  const std::string origin = reader.take_text(origin_bytes);
  const auto centres = reader.take_bytes(words * descriptor_length);
  reader.finish();
  const auto* first = reinterpret_cast<const std::uint8_t*>(centres.data());
  return Vocabulary({first, first + centres.size()}, origin);
}

}  // namespace

Vocabulary::Vocabulary(std::vector<std::uint8_t> centres, std::string origin)
    : centres_(std::move(centres)), origin_(std::move(origin)) {
  if (centres_.empty() || centres_.size() % descriptor_length != 0 || size() > most_words) {
    throw Error(ErrorCode::invalid_argument, "the centres of a vocabulary have " + std::to_string(centres_.size()) +
                                                 " bytes, but must have 128 for each of 1 to " +
                                                 std::to_string(most_words) + " words");
  }
  if (origin_.size() > longest_origin) {
    throw Error(ErrorCode::invalid_argument, "the origin of a vocabulary has " + std::to_string(origin_.size()) +
                                                 " bytes, but must have at most " + std::to_string(longest_origin));
  }
}

std::vector<std::byte> encode_vocabulary(const Vocabulary& vocabulary) {
  LittleEndianWriter writer;
  writer.put(vocabulary_magic);
  for (const std::size_t number : {std::size_t{vocabulary_version}, descriptor_length, std::size_t{levels},
                                   vocabulary.size(), vocabulary.origin().size()}) {
    writer.put(static_cast<std::uint32_t>(number));
  }
  writer.put(vocabulary.origin());
  writer.put(std::as_bytes(vocabulary.centres()));
  return writer.finish();
}

Vocabulary decode_vocabulary(std::span<const std::byte> bytes, const std::string& name) try {
  return read(bytes, name);
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory,
              "cannot read '" + name + "': not enough memory for its " + std::to_string(bytes.size()) + " bytes");
}

}  // namespace octavo
