// JPEG with libjpeg and its defaults: baseline, and colours with one chroma sample for 2×2 pixels.

#include <array>
#include <csetjmp>
#include <cstdio>  // jpeglib.h needs it
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jpeglib.h>

#include <jerror.h>  // after jpeglib.h, which defines the set of messages

#include "io/images/byte_sink.h"
#include "io/images/encoders.h"
#include "io/images/jpeg_errors.h"

namespace octavo::io {
namespace {

/// Where libjpeg puts its bytes. Its first member is libjpeg's, for the same reason.
struct Destination {
  jpeg_destination_mgr base;
  ByteSink sink;
  std::array<JOCTET, 1 << 16> block;
};

Destination& destination_of(j_compress_ptr info) { return *reinterpret_cast<Destination*>(info->dest); }

void on_writer_message(j_common_ptr, int) {}

void on_start(j_compress_ptr info) {
  Destination& destination = destination_of(info);
  destination.base.next_output_byte = destination.block.data();
  destination.base.free_in_buffer = destination.block.size();
}

void append(j_compress_ptr info, std::size_t size) {
  Destination& destination = destination_of(info);
  if (!destination.sink.append(destination.block.data(), size)) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
}

boolean on_full_block(j_compress_ptr info) {
  append(info, destination_of(info).block.size());
  on_start(info);
  return TRUE;
}

void on_end(j_compress_ptr info) {
  append(info, destination_of(info).block.size() - destination_of(info).base.free_in_buffer);
}

struct Segment {
  int marker = 0;
  std::string content;
};

constexpr std::size_t most_in_segment = 65533;  // [byte] their number stands in two bytes, which count too

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A profile is split into parts, each with its number and how many there are (ICC.1:2010, B.4).
void add_profile(std::vector<Segment>& segments, std::string_view profile) {
  const std::string name("ICC_PROFILE", 12);
  const std::size_t most = most_in_segment - name.size() - 2, count = (profile.size() + most - 1) / most;
  if (count > 255) throw EncodeError("a JPEG file holds at most 16 MB of an ICC profile");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string numbers{static_cast<char>(i + 1), static_cast<char>(count)};
    segments.push_back({JPEG_APP0 + 2, name + numbers + std::string(profile.substr(i * most, most))});
  }
}

std::vector<Segment> segments_of(const ImageMetadata& metadata) {
  std::vector<Segment> segments;
  const auto add = [&](std::string name, std::string_view content) {
    if (content.empty()) return;
    if (name.size() + content.size() > most_in_segment) {
      throw EncodeError("a JPEG file holds at most 64 KiB of EXIF data and of XMP");
    }
    segments.push_back({JPEG_APP0 + 1, std::move(name) + std::string(content)});
  };
  add({"Exif\0", 6}, text_of(metadata.exif));
  add({"http://ns.adobe.com/xap/1.0/", 29}, metadata.xmp);
  add_profile(segments, text_of(metadata.icc));
  return segments;
}

class JpegWriter {
 public:
  JpegWriter() {
    info_.err = jpeg_std_error(&errors_.base);
    errors_.base.error_exit = on_jpeg_error;
    errors_.base.emit_message = on_writer_message;
    destination_.base.init_destination = on_start;
    destination_.base.empty_output_buffer = on_full_block;
    destination_.base.term_destination = on_end;
  }
  ~JpegWriter() { jpeg_destroy_compress(&info_); }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;

  std::vector<std::byte> write(const ImageView& image, int quality, const std::vector<Segment>& segments) {
    guarded([&] {
      jpeg_create_compress(&info_);
      info_.dest = &destination_.base;
      info_.image_width = static_cast<JDIMENSION>(image.width);
      info_.image_height = static_cast<JDIMENSION>(image.height);
      info_.input_components = image.channels;
      info_.in_color_space = image.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
      jpeg_set_defaults(&info_);
      jpeg_set_quality(&info_, quality, TRUE);
      jpeg_start_compress(&info_, TRUE);
      for (const Segment& segment : segments) {
        jpeg_write_marker(&info_, segment.marker, reinterpret_cast<const JOCTET*>(segment.content.data()),
                          static_cast<unsigned>(segment.content.size()));
      }
      for (int y = 0; y < image.height; ++y) {
        // libjpeg reads the row only; its interface is older than const.
        auto* row = reinterpret_cast<JSAMPROW>(const_cast<std::byte*>(image.row(y)));
        jpeg_write_scanlines(&info_, &row, 1);
      }
      jpeg_finish_compress(&info_);
    });
    return std::move(destination_.sink.bytes);
  }

 private:
  /// Runs calls to libjpeg and throws if they fail. `step` must own nothing: libjpeg leaves it by longjmp.
  template <class Step>
  void guarded(const Step& step) {
    if (setjmp(errors_.jump) != 0) {
      if (errors_.base.msg_code == JERR_OUT_OF_MEMORY) throw std::bad_alloc();
      char text[JMSG_LENGTH_MAX];
      errors_.base.format_message(reinterpret_cast<j_common_ptr>(&info_), text);
      throw EncodeError("libjpeg: " + std::string(text));
    }
    step();
  }

  JpegErrors errors_{};
  Destination destination_{};
  jpeg_compress_struct info_{};
};

}  // namespace

std::vector<std::byte> encode_jpeg(const ImageView& image, int quality, const ImageMetadata& metadata) {
  if (image.width > JPEG_MAX_DIMENSION || image.height > JPEG_MAX_DIMENSION) {
    throw EncodeError("a JPEG file holds at most " + std::to_string(JPEG_MAX_DIMENSION) +
                      " pixels a side, the image is " + std::to_string(image.width) + " × " +
                      std::to_string(image.height));
  }
  return JpegWriter().write(image, quality, segments_of(metadata));
}

}  // namespace octavo::io
