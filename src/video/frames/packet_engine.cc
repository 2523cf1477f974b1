#include "octavo/error.h"
#include "video/frames/nvdec/nvdec.h"
#include "video/frames/packet_decoder.h"

namespace octavo::video {

PacketEngine packet_engine(const VideoOptions& options) {
  const bool is_demanded = options.engine == VideoEngine::nvdec;
  if (options.engine == VideoEngine::cpu || (!is_demanded && !options.gpu.starts_with("cuda"))) return {};
  if (const std::string problem = nvdec_problem(); !problem.empty()) {
    if (!is_demanded) return {.objection = problem};
    throw Error(ErrorCode::device_unavailable, "NVDEC cannot decode: " + problem);
  }
  const std::string device = options.gpu.starts_with("cuda") ? options.gpu : "cuda:0";
  require_nvdec_device(device);
  return {is_demanded ? Packets::of_any_codec : Packets::of_exact_codecs,
          [device](const PacketFormat& format) { return make_nvdec(device, format); }};
}

}  // namespace octavo::video
