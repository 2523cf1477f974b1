// JPEG with libjpeg. After most kinds of damage libjpeg continues: it fills missing pixels with grey and prints a
// warning. Here the warnings about lost pixels are errors, and nothing is printed.
//
// A file that lacks its last marker (EOI) alone has all its pixels: other programs read it, and cameras and downloads
// make such files. libjpeg tells of the end of the bytes, and then acts as if the marker were there. If it needs more
// bits than it has, it tells of that too. What it does not tell is that whole scans are missing: then some coefficients
// of a progressive file, or a component of a sequential one, have not come.
//
// A progressive file is a sequence of scans. Each passes over the whole image, even where its data are a few bytes,
// so the number of scans is limited: encoders write 10 to 20.
//
// Four-channel files contain ink. Adobe's programs store it inverted (255 is no ink), and all other programs do the
// same, so light = ink byte × black byte / 255.

#include <algorithm>
#include <csetjmp>
#include <cstdio>  // jpeglib.h uses FILE
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <jpeglib.h>

#include <jerror.h>  // after jpeglib.h, which defines the set of messages

#include "io/exif/exif.h"
#include "io/images/decoders.h"
#include "io/images/jpeg_errors.h"

namespace octavo::io {
namespace {

/// libjpeg's errors, and whether the bytes have ended.
struct ReadErrors {
  JpegErrors base;          // the first member, as libjpeg's pointer to its errors is one to this struct
  bool allows_end = false;  // the headers are read
  bool has_ended = false;   // before the marker EOI
};

/// Counts the scans. Its first member is libjpeg's, for the same reason.
struct ScanCounter {
  jpeg_progress_mgr base;
  int most = 0;
  bool exceeded = false;
};

bool means_lost_pixels(int message) {
  return message == JWRN_JPEG_EOF || message == JWRN_HIT_MARKER || message == JWRN_HUFF_BAD_CODE ||
         message == JWRN_ARITH_BAD_CODE || message == JWRN_MUST_RESYNC;
}

void on_message(j_common_ptr info, int level) {
  if (level >= 0 || !means_lost_pixels(info->err->msg_code)) return;
  auto& errors = *reinterpret_cast<ReadErrors*>(info->err);
  if (info->err->msg_code != JWRN_JPEG_EOF) on_jpeg_error(info);
  errors.has_ended = true;
  if (!errors.allows_end) on_jpeg_error(info);
}

void on_progress(j_common_ptr info) {
  auto& counter = *reinterpret_cast<ScanCounter*>(info->progress);
  counter.exceeded = reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > counter.most;
  if (counter.exceeded) on_jpeg_error(info);
}

class JpegReader {
 public:
  JpegReader() {
    info_.err = jpeg_std_error(&errors_.base.base);
    info_.err->error_exit = on_jpeg_error;
    info_.err->emit_message = on_message;
  }
  ~JpegReader() { jpeg_destroy_decompress(&info_); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  ImageMetadata read_metadata(Bytes file) {
    read_header(file);
    const Bytes notes = exif();
    return {.icc = icc(), .exif = {notes.begin(), notes.end()}, .xmp = xmp()};
  }

  Decoded read(Bytes file, std::uint64_t max_pixels) {
    read_header(file);
    check_size(info_.image_width, info_.image_height, max_pixels);
    // Every 8×8 block of the finest component costs at least a bit, except with arithmetic coding.
    const std::uint64_t pixels = std::uint64_t{info_.image_width} * info_.image_height;
    if (!info_.arith_code && pixels / 512 > file.size()) throw DecodeError("the JPEG data are truncated");

    // Every scan takes time for every pixel, so a large image has fewer of them than a small one.
    counter_.base.progress_monitor = on_progress;
    counter_.most = static_cast<int>(std::min<std::uint64_t>(100, 32 * max_pixels / pixels));
    info_.progress = &counter_.base;
    errors_.allows_end = !info_.arith_code;  // whose decoder takes missing bits for zeros

    const CameraFacts facts = exif_facts(exif());  // libjpeg forgets its markers when it finishes
    const int channels = info_.num_components;
    info_.out_color_space = channels == 4 ? JCS_CMYK : channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    Image stored(static_cast<int>(info_.image_width), static_cast<int>(info_.image_height), channels, PixelType::u8);
    guarded([&] {
      jpeg_start_decompress(&info_);
      while (info_.output_scanline < info_.output_height) {
        auto* row = reinterpret_cast<JSAMPROW>(stored.row(static_cast<int>(info_.output_scanline)));
        jpeg_read_scanlines(&info_, &row, 1);
      }
      if (errors_.has_ended && !has_all_scans()) ERREXIT(&info_, JERR_INPUT_EOF);
      jpeg_finish_decompress(&info_);
    });
    return {.image = channels == 4 ? light_from_ink(stored) : std::move(stored),
            .exif = facts,
            .lack = errors_.has_ended ? "it lacks its last marker (EOI), but all its pixels are there" : ""};
  }

 private:
  void read_header(Bytes file) {
    guarded([&] {
      jpeg_create_decompress(&info_);
      jpeg_mem_src(&info_, reinterpret_cast<const unsigned char*>(file.data()),
                   static_cast<unsigned long>(file.size()));
      for (const int marker : {exif_marker, icc_marker}) jpeg_save_markers(&info_, marker, 0xFFFF);
      jpeg_read_header(&info_, TRUE);
    });
  }

  /// Whether every coefficient has come with all its bits; before libjpeg finishes, which forgets it.
  [[nodiscard]] bool has_all_scans() const {
    for (int c = 0; c < info_.num_components; ++c) {
      if (info_.comp_info[c].quant_table == nullptr) return false;  // it is set by the component's first scan
      if (!info_.progressive_mode) continue;
      for (int k = 0; k < DCTSIZE2; ++k) {
        if (info_.coef_bits[c][k] != 0) return false;
      }
    }
    return true;
  }

  /// Runs calls to libjpeg and throws if they fail. `step` must own nothing: libjpeg leaves it by longjmp.
  template <class Step>
  void guarded(const Step& step) {
    if (setjmp(errors_.base.jump) != 0) {
      const int message = info_.err->msg_code;
      if (counter_.exceeded) {
        throw DecodeError("the JPEG data have more than " + std::to_string(counter_.most) +
                          " scans, the most for an image of its size");
      }
      if (message == JERR_OUT_OF_MEMORY) throw std::bad_alloc();
      const bool truncated = errors_.has_ended || message == JERR_INPUT_EMPTY || message == JERR_INPUT_EOF;
      if (truncated) throw DecodeError("the JPEG data are truncated");
      char text[JMSG_LENGTH_MAX];
      info_.err->format_message(reinterpret_cast<j_common_ptr>(&info_), text);
      throw DecodeError("the JPEG data are damaged or of a rare kind: " + std::string(text));
    }
    step();
  }

  static Image light_from_ink(const Image& ink) {
    Image light(ink.width(), ink.height(), 3, PixelType::u8);
    for (int y = 0; y < ink.height(); ++y) {
      const std::byte* in = ink.row(y);
      std::byte* out = light.row(y);
      for (int x = 0; x < ink.width(); ++x, in += 4, out += 3) {
        const int black = std::to_integer<int>(in[3]);
        for (int c = 0; c < 3; ++c) out[c] = static_cast<std::byte>((std::to_integer<int>(in[c]) * black + 127) / 255);
      }
    }
    return light;
  }

  static constexpr int exif_marker = JPEG_APP0 + 1, icc_marker = JPEG_APP0 + 2;

  /// Calls found(content behind the name) for the segments of a kind.
  template <class Found>
  void each_segment(int kind, std::string_view name, const Found& found) const {
    for (const jpeg_marker_struct* marker = info_.marker_list; marker; marker = marker->next) {
      const Bytes content = std::as_bytes(std::span(marker->data, marker->data_length));
      if (marker->marker != kind || content.size() < name.size()) continue;
      if (std::memcmp(content.data(), name.data(), name.size()) == 0) found(content.subspan(name.size()));
    }
  }

  [[nodiscard]] Bytes exif() const {
    Bytes first;
    each_segment(exif_marker, {"Exif\0", 6}, [&](Bytes block) {
      if (first.empty()) first = block;
    });
    return first;
  }

  /// XMP (ISO 16684-3) without what an extension holds, which is for large data.
  [[nodiscard]] std::string xmp() const {
    std::string first;
    each_segment(exif_marker, {"http://ns.adobe.com/xap/1.0/", 29}, [&](Bytes text) {
      if (first.empty()) first.assign(reinterpret_cast<const char*>(text.data()), text.size());
    });
    return first;
  }

  /// ICC.1:2010, B.4: each part begins with its number, from 1 on, and how many there are. Empty unless all are there.
  [[nodiscard]] std::vector<std::byte> icc() const {
    std::map<int, Bytes> parts;
    std::size_t count = 0;
    each_segment(icc_marker, {"ICC_PROFILE", 12}, [&](Bytes part) {
      if (part.size() < 2) return;
      parts[std::to_integer<int>(part[0])] = part.subspan(2);
      count = std::to_integer<std::size_t>(part[1]);
    });
    std::vector<std::byte> profile;
    if (parts.size() != count || parts.contains(0)) return profile;
    for (const auto& [number, part] : parts) profile.insert(profile.end(), part.begin(), part.end());
    return profile;
  }

  ReadErrors errors_{};
  ScanCounter counter_{};
  jpeg_decompress_struct info_{};
};

}  // namespace

Decoded decode_jpeg(Bytes file, std::uint64_t max_pixels) { return JpegReader().read(file, max_pixels); }

ImageMetadata jpeg_metadata(Bytes file) { return JpegReader().read_metadata(file); }

}  // namespace octavo::io
