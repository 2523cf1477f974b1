// NVDEC itself, where the machine has one; and what is said where it has none.

#include "video/frames/nvdec/nvdec.h"

#include <gtest/gtest.h>

#include "octavo/error.h"
#include "video/frames/packet_decoder.h"

namespace octavo::video {
namespace {

TEST(Nvdec, IsNotAskedWhereTheWorkIsNotOnCuda) {
  for (const VideoOptions& options : {VideoOptions{}, VideoOptions{.gpu = "opencl:0"}, VideoOptions{.gpu = "cpu"},
                                      VideoOptions{.engine = VideoEngine::cpu, .gpu = "cuda:0"}}) {
    const PacketEngine engine = packet_engine(options);
    EXPECT_EQ(engine.packets, Packets::none);
    EXPECT_EQ(engine.objection, "");
  }
}

TEST(Nvdec, IsMissedClearly) {
  const std::string problem = nvdec_problem();
  if (problem.empty()) GTEST_SKIP() << "this machine has NVDEC";
  EXPECT_EQ(packet_engine({.gpu = "cuda:0"}).objection, problem);
  try {
    packet_engine({.engine = VideoEngine::nvdec});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::device_unavailable);
    EXPECT_EQ(std::string(error.what()), "NVDEC cannot decode: " + problem);
  }
}

TEST(Nvdec, RefusesCodecsThatItDoesNotKnow) {
  if (!nvdec_problem().empty()) GTEST_SKIP() << "no NVDEC: " << nvdec_problem();
  PacketFormat format;
  format.codec = "theora";
  format.luma = {{64, 48}, {64, 48}};
  EXPECT_THROW(make_nvdec("cuda:0", format), NotDecodable);
  EXPECT_THROW(require_nvdec_device("cuda:99"), Error);
}

}  // namespace
}  // namespace octavo::video
