// The functions of NVIDIA's libnvcuvid.so.1 that Octavo calls, with the types of FFmpeg's copy of its headers. Members
// have the names of the library's manual without "cuvid".

#pragma once

#include <ffnvcodec/dynlink_cuda.h>
#include <ffnvcodec/dynlink_nvcuvid.h>

#include "engine/device/shared_library.h"

namespace octavo::video {

class CuvidApi {
 public:
  /// Throws Error(device_unavailable) if the library is missing or too old.
  CuvidApi();

  tcuvidGetDecoderCaps* GetDecoderCaps;
  tcuvidCreateDecoder* CreateDecoder;
  tcuvidDestroyDecoder* DestroyDecoder;
  tcuvidDecodePicture* DecodeImage;
  tcuvidGetDecodeStatus* GetDecodeStatus;
  tcuvidMapVideoFrame64* MapVideoFrame64;
  tcuvidUnmapVideoFrame64* UnmapVideoFrame64;
  tcuvidCreateVideoParser* CreateVideoParser;
  tcuvidParseVideoData* ParseVideoData;
  tcuvidDestroyVideoParser* DestroyVideoParser;

 private:
  SharedLibrary library_;
};

}  // namespace octavo::video
