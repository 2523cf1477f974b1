// The driver's library works by three callbacks, all within a call that passes a packet: one tells the format of the
// stream, one gives an image to decode, one gives an image to show. An image to show is mapped, which waits for the
// engine and copies the image to a surface, only if its pixels are asked for.

#include "video/frames/nvdec/nvdec.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/device/api_cuda.h"
#include "engine/device/current_context_cuda.h"
#include "engine/device/recording_lock.h"
#include "engine/device/registry.h"
#include "octavo/error.h"
#include "video/frames/luma_scaler.h"
#include "video/frames/nvdec/cuvid_api.h"

namespace octavo::video {
namespace {

struct Codec {
  std::string_view name;  // FFmpeg's
  cudaVideoCodec id;
};
constexpr std::array<Codec, 7> codecs{{{"h264", cudaVideoCodec_H264},
                                       {"hevc", cudaVideoCodec_HEVC},
                                       {"vp9", cudaVideoCodec_VP9},
                                       {"av1", cudaVideoCodec_AV1},
                                       {"mpeg1video", cudaVideoCodec_MPEG1},
                                       {"mpeg2video", cudaVideoCodec_MPEG2},
                                       {"mpeg4", cudaVideoCodec_MPEG4}}};

cudaVideoCodec codec_of(const std::string& name) {
  const auto* const found =
      std::find_if(codecs.begin(), codecs.end(), [&](const Codec& codec) { return codec.name == name; });
  if (found == codecs.end()) throw NotDecodable("it knows no " + name);
  return found->id;
}

// Images beyond those that the codec needs: decoded and not yet shown, or mapped. FFmpeg takes as many.
constexpr unsigned more_surfaces = 3;
constexpr unsigned display_delay = 4;

// The device's primary context, in which the library works, and a stream for its copies.
class Context {
 public:
  explicit Context(int index) {
    must(api_.Init(0));
    must(api_.DeviceGet(&device_, index));
    must(api_.DevicePrimaryCtxRetain(&context_, device_));
    const Current current(*this);
    if (const CudaResult result = api_.StreamCreateWithPriority(&stream_, cuda_stream_non_blocking, 0);
        result != cuda_success) {
      api_.DevicePrimaryCtxRelease(device_);
      must(result);
    }
  }
  ~Context() {
    {
      const Current current(*this);
      api_.StreamDestroy(stream_);
    }
    api_.DevicePrimaryCtxRelease(device_);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  struct Current : CurrentContext {
    explicit Current(const Context& context) : CurrentContext(context.api_, context.context_) {}
  };

  // The results of both libraries are CUDA's.
  void must(int result) const {
    if (result == cuda_success) return;
    throw Error(result == cuda_out_of_memory ? ErrorCode::out_of_memory : ErrorCode::device_unavailable,
                "NVDEC: " + api_.describe(result));
  }
  [[nodiscard]] CudaStream stream() const { return stream_; }

 private:
  CudaApi api_;
  CudaDevice device_ = 0;
  CudaContext context_ = nullptr;
  CudaStream stream_ = nullptr;
};

class Nvdec final : public PacketDecoder {
 public:
  Nvdec(const ResolvedDevice& device, PacketFormat format)
      : format_(std::move(format)),
        codec_(codec_of(format_.codec)),
        context_(device.index),
        scaler_(device.open_gpu(), format_.luma) {
    const Context::Current current(context_);
    require_support();
    std::memset(&header_, 0, sizeof header_);
    const std::size_t bytes = std::min(format_.header.size(), sizeof header_.raw_seqhdr_data);
    header_.format.seqhdr_data_length = static_cast<unsigned>(bytes);
    if (bytes > 0) std::memcpy(header_.raw_seqhdr_data, format_.header.data(), bytes);
    CUVIDPARSERPARAMS parameters{};
    parameters.CodecType = codec_;
    parameters.ulMaxNumDecodeSurfaces = 1;  // the callback of the format tells it
    parameters.ulClockRate = clock_rate();
    parameters.ulMaxDisplayDelay = display_delay;
    parameters.pUserData = this;
    parameters.pfnSequenceCallback = [](void* self, CUVIDEOFORMAT* found) {
      return static_cast<Nvdec*>(self)->guarded([&](Nvdec& nvdec) { return nvdec.begin(*found); });
    };
    parameters.pfnDecodePicture = [](void* self, CUVIDPICPARAMS* image) {
      return static_cast<Nvdec*>(self)->guarded([&](Nvdec& nvdec) { return nvdec.decode_image(*image); });
    };
    parameters.pfnDisplayPicture = [](void* self, CUVIDPARSERDISPINFO* image) {
      return static_cast<Nvdec*>(self)->guarded([&](Nvdec& nvdec) { return nvdec.show_image(*image); });
    };
    parameters.pExtVideoInfo = &header_;
    const std::unique_lock alone(recording_lock());
    context_.must(api_.CreateVideoParser(&parser_, &parameters));
  }

  ~Nvdec() override {
    const Context::Current current(context_);
    const std::unique_lock alone(recording_lock());
    api_.DestroyVideoParser(parser_);
    if (decoder_ != nullptr) api_.DestroyDecoder(decoder_);
  }

  void decode(const PacketMessage& packet, const Show& show) override {
    CUVIDSOURCEDATAPACKET data{};
    data.flags = CUVID_PKT_TIMESTAMP;
    data.payload_size = packet.bytes.size();
    data.payload = reinterpret_cast<const unsigned char*>(packet.bytes.data());
    data.timestamp = packet.ticks;
    parse(data, show);
  }

  void finish(const Show& show) override {
    CUVIDSOURCEDATAPACKET end{};
    end.flags = CUVID_PKT_ENDOFSTREAM;
    parse(end, show);
  }

 private:
  // [1/second] ticks, with which the library guesses times that are missing. None is.
  [[nodiscard]] unsigned clock_rate() const {
    const auto [numerator, denominator] = format_.time_base;
    return static_cast<unsigned>(std::clamp<std::int64_t>(denominator / numerator, 1, 1'000'000'000));
  }

  void require_support() const {
    CUVIDDECODECAPS caps{};
    caps.eCodecType = codec_;
    caps.eChromaFormat = cudaVideoChromaFormat_420;
    caps.nBitDepthMinus8 = static_cast<unsigned>(format_.luma.depth - 8);
    context_.must(api_.GetDecoderCaps(&caps));
    const auto width = static_cast<unsigned>(format_.luma.stored.width);
    const auto height = static_cast<unsigned>(format_.luma.stored.height);
    if (caps.bIsSupported == 0) {
      throw NotDecodable(fmt::format("this GPU decodes no {} of {} bits", format_.codec, format_.luma.depth));
    }
    if (width > caps.nMaxWidth || height > caps.nMaxHeight || width < caps.nMinWidth || height < caps.nMinHeight) {
      throw NotDecodable(fmt::format("this GPU decodes {} of {}x{} to {}x{} pixels", format_.codec, caps.nMinWidth,
                                     caps.nMinHeight, caps.nMaxWidth, caps.nMaxHeight));
    }
    if (width / 16 * (height / 16) > caps.nMaxMBCount) throw NotDecodable("its frames are too large for this GPU");
  }

  void require_format(const CUVIDEOFORMAT& found) const {
    if (found.chroma_format != cudaVideoChromaFormat_420 || found.bit_depth_luma_minus8 + 8 != format_.luma.depth) {
      throw NotDecodable("its format is not that of its first frame");
    }
    if (may_be_interlaced() && found.progressive_sequence == 0) throw NotDecodable("its frames may be interlaced");
    const auto& area = found.display_area;
    const ImageSize size = format_.luma.stored;
    if (area.left != 0 || area.top != 0 || area.right != size.width || area.bottom != size.height) {
      throw NotDecodable("its frames are cut out of larger ones");
    }
  }

  // The first frame tells it of other codecs.
  [[nodiscard]] bool may_be_interlaced() const {
    return codec_ == cudaVideoCodec_H264 || codec_ == cudaVideoCodec_MPEG2 || codec_ == cudaVideoCodec_MPEG4;
  }

  // Calls of the library are in C, so that no exception may pass through them.
  template <class Action>
  int guarded(const Action& action) {
    if (failure_) return 0;
    try {
      return action(*this);
    } catch (...) {
      failure_ = std::current_exception();
      return 0;
    }
  }

  void parse(CUVIDSOURCEDATAPACKET& packet, const Show& show) {
    show_ = &show;
    int result = cuda_success;
    {
      const Context::Current current(context_);
      result = api_.ParseVideoData(parser_, &packet);
    }
    show_ = nullptr;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    context_.must(result);
  }

  // Returns the number of surfaces.
  int begin(const CUVIDEOFORMAT& found) {
    require_format(found);
    if (decoder_ != nullptr) {
      const bool is_same = found.coded_width == coded_.width && found.coded_height == coded_.height &&
                           found.min_num_decode_surfaces <= coded_.least_surfaces;
      if (!is_same) throw NotDecodable("its format changes");
      return static_cast<int>(coded_.surfaces);
    }
    coded_ = {found.coded_width, found.coded_height, found.min_num_decode_surfaces,
              found.min_num_decode_surfaces + more_surfaces};
    CUVIDDECODECREATEINFO info{};
    info.ulWidth = found.coded_width;
    info.ulHeight = found.coded_height;
    info.ulNumDecodeSurfaces = coded_.surfaces;
    info.CodecType = codec_;
    info.ChromaFormat = found.chroma_format;
    info.ulCreationFlags = cudaVideoCreate_PreferCUVID;
    info.bitDepthMinus8 = found.bit_depth_luma_minus8;
    info.ulMaxWidth = found.coded_width;
    info.ulMaxHeight = found.coded_height;
    const ImageSize size = format_.luma.stored;
    info.display_area.right = static_cast<short>(size.width);
    info.display_area.bottom = static_cast<short>(size.height);
    info.OutputFormat = format_.luma.depth > 8 ? cudaVideoSurfaceFormat_P016 : cudaVideoSurfaceFormat_NV12;
    info.DeinterlaceMode = cudaVideoDeinterlaceMode_Weave;
    info.ulTargetWidth = static_cast<unsigned>(size.width);
    info.ulTargetHeight = static_cast<unsigned>(size.height);
    info.ulNumOutputSurfaces = 1;
    const std::unique_lock alone(recording_lock());
    context_.must(api_.CreateDecoder(&decoder_, &info));
    return static_cast<int>(coded_.surfaces);
  }

  int decode_image(CUVIDPICPARAMS& image) {
    if (decoder_ == nullptr) throw NotDecodable("it has a frame before its format");
    if (image.field_pic_flag != 0) throw NotDecodable("its frames are interlaced");
    if (codec_ == cudaVideoCodec_AV1 && image.CodecSpecific.av1.apply_grain != 0) {
      throw NotDecodable("film grain is added to its frames");
    }
    context_.must(api_.DecodeImage(decoder_, &image));
    return 1;
  }

  int show_image(const CUVIDPARSERDISPINFO& image) {
    if (may_be_interlaced() && image.progressive_frame == 0) throw NotDecodable("its frames are interlaced");
    (*show_)(image.timestamp, [&] { return grey_of(image); });
    return 1;
  }

  // An image that is mapped until the end of its life.
  class Surface {
   public:
    Surface(Nvdec& nvdec, const CUVIDPARSERDISPINFO& image) : nvdec_(nvdec) {
      CUVIDPROCPARAMS how{};
      how.progressive_frame = 1;
      how.output_stream = reinterpret_cast<CUstream>(nvdec_.context_.stream());
      nvdec_.context_.must(nvdec_.api_.MapVideoFrame64(nvdec_.decoder_, image.picture_index, &address_, &pitch_, &how));
    }
    ~Surface() { nvdec_.api_.UnmapVideoFrame64(nvdec_.decoder_, address_); }
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;

    // The luma comes first, in rows.
    [[nodiscard]] GpuForeignRows luma() const {
      return {.data = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(address_)),
              .stride = pitch_,
              .row_bytes = nvdec_.scaler_.row_bytes(),
              .rows = static_cast<std::size_t>(nvdec_.format_.luma.stored.height),
              .stream = nvdec_.context_.stream()};
    }

   private:
    Nvdec& nvdec_;
    unsigned long long address_ = 0;
    unsigned pitch_ = 0;
  };

  Image grey_of(const CUVIDPARSERDISPINFO& image) {
    const Surface surface(*this, image);
    CUVIDGETDECODESTATUS status{};
    const int result = api_.GetDecodeStatus(decoder_, image.picture_index, &status);
    // Not every codec has a status.
    if (result == cuda_success &&
        (status.decodeStatus == cuvidDecodeStatus_Error || status.decodeStatus == cuvidDecodeStatus_Error_Concealed)) {
      throw NotDecodable("a frame is damaged");
    }
    return scaler_.scale(surface.luma());
  }

  // What the decoder was made for.
  struct Coded {
    unsigned width = 0, height = 0, least_surfaces = 0, surfaces = 0;
  };

  PacketFormat format_;
  cudaVideoCodec codec_;
  Context context_;
  CuvidApi api_;
  LumaScaler scaler_;
  CUVIDEOFORMATEX header_;
  CUvideoparser parser_ = nullptr;
  CUvideodecoder decoder_ = nullptr;
  Coded coded_;
  const Show* show_ = nullptr;  // during a call
  std::exception_ptr failure_;  // of a callback
};

}  // namespace

std::string nvdec_problem() {
  try {
    const CudaApi cuda;
    const CuvidApi cuvid;
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

void require_nvdec_device(const std::string& device) { resolve_device({.name = device}); }

std::unique_ptr<PacketDecoder> make_nvdec(const std::string& device, const PacketFormat& format) {
  return std::make_unique<Nvdec>(resolve_device({.name = device}), format);
}

}  // namespace octavo::video
