#include "octavo/error.h"
#include "video/frames/nvdec/nvdec.h"

namespace octavo::video {

std::string nvdec_problem() { return "Octavo was built without the headers of NVDEC (Debian's libffmpeg-nvenc-dev)"; }

void require_nvdec_device(const std::string& /*device*/) {
  throw Error(ErrorCode::device_unavailable, nvdec_problem());
}

std::unique_ptr<PacketDecoder> make_nvdec(const std::string& /*device*/, const PacketFormat& /*format*/) {
  throw NotDecodable(nvdec_problem());
}

}  // namespace octavo::video
