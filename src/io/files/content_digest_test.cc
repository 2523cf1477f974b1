#include "io/files/content_digest.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "engine/core/test_folder.h"
#include "io/files/content_hash.h"
#include "octavo/error.h"

namespace octavo {
namespace {

std::string digest_of_text(std::string_view text) { return content_digest(std::as_bytes(std::span(text))); }

TEST(ContentDigest, IsXxh3OfAllBytes) {
  const TestFolder folder;
  // The value of XXH3_128bits for no bytes, by the tests of xxHash.
  EXPECT_EQ(digest_of_text(""), "99aa06d3014798d86001c324468d497f");
  std::string long_text(3'000'000, 'x');
  const std::filesystem::path file = folder.write("a", long_text);
  EXPECT_EQ(content_digest(file), digest_of_text(long_text));
  io::ContentHash in_parts;
  in_parts.add(std::as_bytes(std::span(long_text)).first(1'000'001));
  in_parts.add(std::as_bytes(std::span(long_text)).subspan(1'000'001));
  EXPECT_EQ(in_parts.text(), content_digest(file));
  long_text[1'600'000] = 'y';  // in the middle
  EXPECT_NE(content_digest(folder.write("b", long_text)), content_digest(file));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(content_digest(file, stop.get_token()), "");
  try {
    content_digest(folder / "none");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "cannot read '" + (folder / "none").string() + "': No such file or directory");
  }
}

}  // namespace
}  // namespace octavo
