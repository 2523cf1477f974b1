#include "io/http/byte_range.h"

#include <gtest/gtest.h>

namespace octavo::io {
namespace {

TEST(ByteRange, IsTheOneThatTheHeaderAsksFor) {
  EXPECT_EQ(byte_range_of("bytes=0-499", 1000), (ByteRange{0, 500}));
  EXPECT_EQ(byte_range_of("bytes=500-", 1000), (ByteRange{500, 1000}));
  EXPECT_EQ(byte_range_of("bytes=-300", 1000), (ByteRange{700, 1000}));
  EXPECT_EQ(byte_range_of("bytes=999-999", 1000), (ByteRange{999, 1000}));
}

TEST(ByteRange, EndsWithTheFile) {
  EXPECT_EQ(byte_range_of("bytes=900-18446744073709551615", 1000), (ByteRange{900, 1000}));
  EXPECT_EQ(byte_range_of("bytes=-5000", 1000), (ByteRange{0, 1000}));
}

TEST(ByteRange, IsNoneForWhatIsNotThere) {
  for (const char* header :
       {"bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=5-2", "bytes=0-1,4-5", "bytes=a-b", "bytes=0-x",
        "bytes=", "bytes=-", "bytes=18446744073709551616-", "items=0-1", "", "bytes=0", "bytes= 0-1", "bytes=--1"}) {
    EXPECT_FALSE(byte_range_of(header, 1000)) << header;
  }
  EXPECT_FALSE(byte_range_of("bytes=0-", 0));
  EXPECT_FALSE(byte_range_of("bytes=-1", 0));
}

}  // namespace
}  // namespace octavo::io
