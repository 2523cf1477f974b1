#pragma once

// NVDEC, the video engine of an NVIDIA GPU. It decodes H.264, HEVC, VP9 and AV1 exactly. The driver's library
// libnvcuvid.so.1 is opened at run time: it parses the packets and schedules the engine. A frame is decoded into the
// memory of the device; the images that are asked for are scaled there and copied to the host.

#include <memory>
#include <string>

#include "video/frames/packet_decoder.h"

namespace octavo::video {

/// Why NVDEC cannot be used on this machine, or with this build; empty if it can.
std::string nvdec_problem();

/// Throws Error(device_unavailable) if there is no CUDA device of this name, "cuda:0".
void require_nvdec_device(const std::string& device);

/// A decoder on a CUDA device. It has a decoder session of the engine, which the driver puts on one of several engines.
/// Throws NotDecodable for a stream that the engine does not decode, and Error.
std::unique_ptr<PacketDecoder> make_nvdec(const std::string& device, const PacketFormat& format);

}  // namespace octavo::video
