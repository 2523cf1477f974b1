#include "video/frames/nvdec/cuvid_api.h"

namespace octavo::video {

CuvidApi::CuvidApi() : library_({"libnvcuvid.so.1"}) {
  const auto load = [&]<class Function>(Function*& member, const char* name) {
    member = library_.function<Function>(name);
  };
  load(GetDecoderCaps, "cuvidGetDecoderCaps");
  load(CreateDecoder, "cuvidCreateDecoder");
  load(DestroyDecoder, "cuvidDestroyDecoder");
  load(DecodeImage, "cuvidDecodePicture");
  load(GetDecodeStatus, "cuvidGetDecodeStatus");
  load(MapVideoFrame64, "cuvidMapVideoFrame64");
  load(UnmapVideoFrame64, "cuvidUnmapVideoFrame64");
  load(CreateVideoParser, "cuvidCreateVideoParser");
  load(ParseVideoData, "cuvidParseVideoData");
  load(DestroyVideoParser, "cuvidDestroyVideoParser");
}

}  // namespace octavo::video
