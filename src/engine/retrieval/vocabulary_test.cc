// The bytes of vocabularies, and what their reader refuses.

#include "octavo/retrieval.h"

#include <gtest/gtest.h>

#include "engine/core/digest.h"
#include "engine/core/expect_error.h"
#include "octavo/error.h"

namespace octavo {
namespace {

Vocabulary small() {
  std::vector<std::uint8_t> centres(3 * descriptor_length);
  for (std::size_t i = 0; i < centres.size(); ++i) centres[i] = static_cast<std::uint8_t>(i * 7);
  return Vocabulary(std::move(centres), "three words");
}

// The bytes with the number at `offset` replaced, and a checksum that is right.
std::vector<std::byte> with_number(std::vector<std::byte> bytes, std::size_t offset, std::uint32_t number) {
  for (std::size_t i = 0; i < 4; ++i) bytes[offset + i] = static_cast<std::byte>(number >> (8 * i) & 0xff);
  Digest digest;
  digest.add(std::span<const std::byte>(bytes).first(bytes.size() - 8));
  for (std::size_t i = 0; i < 8; ++i) {
    bytes[bytes.size() - 8 + i] = static_cast<std::byte>(digest.value() >> (8 * i) & 0xff);
  }
  return bytes;
}

TEST(Vocabulary, KeepsCentresAndOrigin) {
  const Vocabulary vocabulary = small();
  EXPECT_EQ(vocabulary.size(), 3u);
  EXPECT_EQ(vocabulary.centre(2)[5], static_cast<std::uint8_t>((2 * 128 + 5) * 7));
  EXPECT_EQ(vocabulary.origin(), "three words");
}

TEST(Vocabulary, RefusesOtherLengths) {
  const auto argument = ErrorCode::invalid_argument;
  expect_error(argument, "have 0 bytes", [] { Vocabulary({}); });
  expect_error(argument, "have 130 bytes", [] { Vocabulary(std::vector<std::uint8_t>(130)); });
  expect_error(argument, "1 to 65536 words", [] { Vocabulary(std::vector<std::uint8_t>(65537 * 128)); });
  expect_error(argument, "origin of a vocabulary has 65536 bytes",
               [] { Vocabulary(std::vector<std::uint8_t>(128), std::string(65536, 'a')); });
}

TEST(VocabularyFile, HasTheDocumentedBytes) {
  const std::vector<std::byte> bytes = encode_vocabulary(small());
  ASSERT_EQ(bytes.size(), 28u + 11 + 3 * 128 + 8);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), 8), "OctVocab");
  const std::vector<int> head{1, 0, 0, 0, 128, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 11, 0, 0, 0};
  for (std::size_t i = 0; i < head.size(); ++i) EXPECT_EQ(std::to_integer<int>(bytes[8 + i]), head[i]) << i;
  EXPECT_EQ(std::to_integer<int>(bytes[28 + 11 + 5]), 35);
}

TEST(VocabularyFile, ReadsWhatItWrites) {
  EXPECT_EQ(decode_vocabulary(encode_vocabulary(small()), "small"), small());
  const Vocabulary bare(std::vector<std::uint8_t>(128, 255));
  EXPECT_EQ(decode_vocabulary(encode_vocabulary(bare), "bare"), bare);
}

TEST(VocabularyFile, RefusesNonsense) {
  const std::vector<std::byte> good = encode_vocabulary(small());
  const auto refused = [](const std::string& part, const std::vector<std::byte>& bytes) {
    expect_error(ErrorCode::file_error, part, [&] { decode_vocabulary(bytes, "words.voc"); });
  };
  refused("cannot read 'words.voc': it is empty", {});
  refused("it is not a vocabulary of Octavo", std::vector<std::byte>(500));
  refused("it is of version 2, but it must be 1", with_number(good, 8, 2));
  refused("it has descriptors of length 64, but it must be 128", with_number(good, 12, 64));
  refused("it has a number of levels of 2, but it must be 1", with_number(good, 16, 2));
  refused("it has a number of words of 0, but it must be between 1 and 65536", with_number(good, 20, 0));
  refused("it has a number of words of 4294967295", with_number(good, 20, 4294967295));
  refused("it has an origin of a length of 65536", with_number(good, 24, 65536));
  refused("it ends too early", with_number(good, 20, 4));
  std::vector<std::byte> longer = good;
  longer.push_back({});
  refused("its checksum is wrong", longer);
  refused("it has 128 bytes too many", with_number(good, 20, 2));
}

TEST(VocabularyFile, RefusesEveryTruncationAndEveryChangedByte) {
  const std::vector<std::byte> good = encode_vocabulary(small());
  for (std::size_t i = 0; i < good.size(); ++i) {
    EXPECT_THROW(decode_vocabulary(std::span(good).first(i), "cut"), Error) << i;
    std::vector<std::byte> changed = good;
    changed[i] ^= std::byte{0x10};
    EXPECT_THROW(decode_vocabulary(changed, "changed"), Error) << i;
  }
}

TEST(GeneralVocabulary, Stays) {
  const Vocabulary& vocabulary = general_vocabulary();
  EXPECT_EQ(vocabulary.size(), 64u);
  EXPECT_NE(vocabulary.origin().find("lomiri-wallpapers"), std::string::npos);
  Digest digest;
  digest.add(std::as_bytes(vocabulary.centres()));
  EXPECT_EQ(digest.text(), "9fe688460858feeb");  // VLADs that users keep would have another meaning
}

}  // namespace
}  // namespace octavo
