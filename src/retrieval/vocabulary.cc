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

#include "octavo/vocabulary.h"

#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include "core/digest.h"
#include "octavo/error.h"

namespace octavo {

namespace {

constexpr std::string_view magic = "OctVocab";
constexpr std::uint32_t version = 1;
constexpr std::uint32_t levels = 1;
constexpr std::size_t head_bytes = 28;
constexpr std::size_t digest_bytes = 8;

std::uint64_t digest_of(std::span<const std::byte> bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.value();
}

template <class Number>
void append_number(std::vector<std::byte>& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) bytes.push_back(static_cast<std::byte>(number >> (8 * i) & 0xff));
}

template <class Bytes>
void append(std::vector<std::byte>& bytes, const Bytes& more) {
  for (const auto one : more) bytes.push_back(static_cast<std::byte>(one));
}

template <class Number>
Number number_at(std::span<const std::byte> bytes, std::size_t offset) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) {
    number |= static_cast<Number>(std::to_integer<Number>(bytes[offset + i]) << (8 * i));
  }
  return number;
}

class Reader {
 public:
  Reader(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  [[nodiscard]] Vocabulary read() const {
    if (bytes_.empty()) refuse("it is empty");
    if (bytes_.size() < magic.size() || std::memcmp(bytes_.data(), magic.data(), magic.size()) != 0) {
      refuse("it is no vocabulary of Octavo");
    }
    if (bytes_.size() < head_bytes) refuse("it is truncated");
    require("is of version", number(8), version, version);
    require("has descriptors of length", number(12), descriptor_length, descriptor_length);
    require("has a number of levels of", number(16), levels, levels);
    const std::size_t words = number(20), origin_bytes = number(24);
    require("has a number of words of", words, 1, Vocabulary::most_words);
    require("has an origin of a length of", origin_bytes, 0, Vocabulary::longest_origin);
    const std::size_t digest_at = head_bytes + origin_bytes + words * descriptor_length;
    const std::size_t whole = digest_at + digest_bytes;
    if (bytes_.size() != whole) {
      refuse("it has " + std::to_string(bytes_.size()) + " bytes, but " + std::to_string(words) + " words need " +
             std::to_string(whole));
    }
    if (number_at<std::uint64_t>(bytes_, digest_at) != digest_of(bytes_.first(digest_at))) {
      refuse("it is damaged: its checksum is wrong");
    }
    const auto* text = reinterpret_cast<const char*>(bytes_.data()) + head_bytes;
    const auto* centres = reinterpret_cast<const std::uint8_t*>(bytes_.data()) + head_bytes + origin_bytes;
    return Vocabulary({centres, centres + words * descriptor_length}, {text, origin_bytes});
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorCode::file_error, "cannot read '" + name_ + "': " + why);
  }

  [[nodiscard]] std::uint32_t number(std::size_t offset) const { return number_at<std::uint32_t>(bytes_, offset); }

  void require(const char* what, std::size_t value, std::size_t low, std::size_t high) const {
    if (value >= low && value <= high) return;
    const std::string range =
        low == high ? std::to_string(low) : "between " + std::to_string(low) + " and " + std::to_string(high);
    refuse(std::string("it ") + what + " " + std::to_string(value) + ", but it must be " + range);
  }

  std::span<const std::byte> bytes_;
  const std::string& name_;
};

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
  std::vector<std::byte> bytes;
  bytes.reserve(head_bytes + vocabulary.origin().size() + vocabulary.centres().size() + digest_bytes);
  append(bytes, magic);
  for (const std::size_t number :
       {std::size_t{version}, descriptor_length, std::size_t{levels}, vocabulary.size(), vocabulary.origin().size()}) {
    append_number(bytes, static_cast<std::uint32_t>(number));
  }
  append(bytes, vocabulary.origin());
  append(bytes, vocabulary.centres());
  append_number(bytes, digest_of(bytes));
  return bytes;
}

Vocabulary decode_vocabulary(std::span<const std::byte> bytes, const std::string& name) try {
  return Reader(bytes, name).read();
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory,
              "cannot read '" + name + "': not enough memory for its " + std::to_string(bytes.size()) + " bytes");
}

}  // namespace octavo
