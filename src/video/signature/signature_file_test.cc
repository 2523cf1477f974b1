#include <gtest/gtest.h>

#include <span>

#include "octavo/error.h"
#include "octavo/video/clip_signature.h"
#include "video/signature/made_signature.h"

namespace octavo {
namespace {

ClipSignature small() {
  ClipSignature signature = made_signature(7, 3, 4);
  signature.frames[1].junk = Junk::black;
  signature.frames[1].features.clear();
  return signature;
}

TEST(SignatureFile, ReadsWhatItWrites) {
  EXPECT_EQ(decode_signature(encode_signature(small()), "small"), small());
  EXPECT_EQ(decode_signature(encode_signature({}), "none"), ClipSignature{});
}

TEST(SignatureFile, HasTheDocumentedBytes) {
  const std::vector<std::byte> bytes = encode_signature(small());
  EXPECT_EQ(bytes.size(), 12u + 3 * 32 + 8 * 24 + 17);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), 8), "OctClips");
  EXPECT_EQ(std::to_integer<int>(bytes[12 + 1]), 0);  // index 0
  EXPECT_EQ(std::to_integer<int>(bytes[12 + 25]), 640 & 255);
  EXPECT_EQ(std::to_integer<int>(bytes[12 + 30]), 4);  // features
}

TEST(SignatureFile, KeepsNoFurtherWords) {
  ClipSignature query = small();
  query.frames[0].further_words.assign(4, 9);
  EXPECT_EQ(decode_signature(encode_signature(query), "query"), small());
}

TEST(SignatureFile, RefusesEveryTruncationAndEveryChangedByte) {
  const std::vector<std::byte> good = encode_signature(small());
  for (std::size_t i = 0; i < good.size(); ++i) {
    EXPECT_THROW(decode_signature(std::span(good).first(i), "cut"), Error) << i;
    std::vector<std::byte> changed = good;
    changed[i] ^= std::byte{0x10};
    EXPECT_THROW(decode_signature(changed, "changed"), Error) << i;
  }
}

TEST(SignatureFile, ErrorsNameTheFile) {
  try {
    decode_signature(std::vector<std::byte>(100), "clip.signature");
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::file_error);
    EXPECT_STREQ(e.what(), "cannot read 'clip.signature': it is not a signature of a clip");
  }
}

}  // namespace
}  // namespace octavo
