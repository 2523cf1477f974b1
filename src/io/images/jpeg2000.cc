// JPEG 2000 (ISO/IEC 15444-1) with OpenJPEG, as a JP2 file or a bare code stream. OpenJPEG returns every channel as a
// plane of 32-bit integers. Samples of up to 8 bits become 8, those of 9 to 16 bits become 16. OpenJPEG itself converts
// palettes to colours. In its strict mode a code stream that ends early is an error.

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include <openjpeg.h>

#include "io/images/decoders.h"
#include "io/images/full_range.h"
#include "io/images/jpeg2000_work.h"

namespace octavo::io {
namespace {

/// A file in memory, with the interface that OpenJPEG needs.
struct Jpeg2000Source {
  Bytes file;
  std::size_t position = 0;
};

Jpeg2000Source& source_of(void* user) { return *static_cast<Jpeg2000Source*>(user); }

OPJ_SIZE_T on_jpeg2000_read(void* out, OPJ_SIZE_T size, void* user) {
  Jpeg2000Source& source = source_of(user);
  const std::size_t count = std::min<std::size_t>(size, source.file.size() - source.position);
  if (count == 0) return static_cast<OPJ_SIZE_T>(-1);
  std::memcpy(out, source.file.data() + source.position, count);
  source.position += count;
  return count;
}

OPJ_BOOL on_seek(OPJ_OFF_T to, void* user) {
  Jpeg2000Source& source = source_of(user);
  if (to < 0 || static_cast<std::uint64_t>(to) > source.file.size()) return OPJ_FALSE;
  source.position = static_cast<std::size_t>(to);
  return OPJ_TRUE;
}

OPJ_OFF_T on_skip(OPJ_OFF_T distance, void* user) {
  Jpeg2000Source& source = source_of(user);
  const auto left = static_cast<OPJ_OFF_T>(source.file.size() - source.position);
  if (distance < 0 || left == 0) return -1;
  distance = std::min(distance, left);
  source.position += static_cast<std::size_t>(distance);
  return distance;
}

class Jpeg2000Reader {
 public:
  explicit Jpeg2000Reader(Bytes file)
      : source_{file},
        codec_(opj_create_decompress(is_code_stream(file) ? OPJ_CODEC_J2K : OPJ_CODEC_JP2), opj_destroy_codec),
        stream_(opj_stream_default_create(OPJ_TRUE), opj_stream_destroy) {
    if (!codec_ || !stream_) throw std::bad_alloc();
    opj_stream_set_read_function(stream_.get(), on_jpeg2000_read);
    opj_stream_set_seek_function(stream_.get(), on_seek);
    opj_stream_set_skip_function(stream_.get(), on_skip);
    opj_stream_set_user_data(stream_.get(), &source_, nullptr);
    opj_stream_set_user_data_length(stream_.get(), file.size());
    // Warnings and notes have no handler, so nothing is printed.
    opj_set_error_handler(codec_.get(), on_error, this);
  }

  Decoded read(std::uint64_t max_pixels) {
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    require(opj_setup_decoder(codec_.get(), &parameters));
    require(opj_decoder_set_strict_mode(codec_.get(), OPJ_TRUE));
    opj_image_t* header = nullptr;
    const OPJ_BOOL has_header = opj_read_header(stream_.get(), codec_.get(), &header);
    image_.reset(header);
    require(has_header);
    check_kind(max_pixels);
    require(opj_decode(codec_.get(), stream_.get(), image_.get()));
    require(opj_end_decompress(codec_.get(), stream_.get()));
    check_kind(max_pixels);  // palettes are colours now
    return {interleaved()};
  }

 private:
  static bool is_code_stream(Bytes file) { return file[0] == std::byte{0xFF}; }

  static void on_error(const char* message, void* user) {
    std::string& complaint = static_cast<Jpeg2000Reader*>(user)->complaint_;
    if (!complaint.empty()) return;
    complaint = message;
    while (!complaint.empty() && (complaint.back() == '\n' || complaint.back() == '.')) complaint.pop_back();
  }

  void require(OPJ_BOOL done) const {
    if (done) return;
    // Sizes beyond those of the system are refused before, so that the last words mean a shortage too.
    const bool is_short = means_memory_shortage(complaint_) || complaint_.find("system limits") != std::string::npos ||
                          complaint_.find("memory error") != std::string::npos;
    if (is_short) throw std::bad_alloc();
    throw DecodeError("the JPEG 2000 data are truncated, damaged or of a rare kind" +
                      (complaint_.empty() ? "" : ": " + complaint_));
  }

  [[noreturn]] static void refuse_kind(const std::string& why) {
    throw DecodeError("it is a JPEG 2000 image of a kind that is not read: " + why);
  }

  void check_kind(std::uint64_t max_pixels) const {
    const opj_image_t& image = *image_;
    if (image.numcomps < 1 || image.numcomps > 4) {
      refuse_kind("it has " + std::to_string(image.numcomps) + " channels, the range is 1 to 4");
    }
    const opj_image_comp_t& first = image.comps[0];
    check_size(first.w, first.h, max_pixels);
    for (const opj_image_comp_t& channel : std::span(image.comps, image.numcomps)) {
      if (channel.w != first.w || channel.h != first.h) refuse_kind("its channels differ in size");
      if (channel.prec < 1 || channel.prec > 16 || channel.sgnd) {
        refuse_kind("its samples are not whole numbers of 1 to 16 bits without sign");
      }
    }
    const OPJ_COLOR_SPACE space = image.color_space;
    if (space == OPJ_CLRSPC_SYCC || space == OPJ_CLRSPC_EYCC || space == OPJ_CLRSPC_CMYK) {
      refuse_kind("its colours are not red, green and blue");
    }
  }

  [[nodiscard]] Image interleaved() const {
    const std::span<const opj_image_comp_t> planes(image_->comps, image_->numcomps);
    const bool deep = std::any_of(planes.begin(), planes.end(), [](const auto& plane) { return plane.prec > 8; });
    const auto channels = static_cast<int>(planes.size());
    Image image(static_cast<int>(planes[0].w), static_cast<int>(planes[0].h), channels,
                deep ? PixelType::u16 : PixelType::u8);
    for (int c = 0; c < channels; ++c) {
      if (deep) {
        place<std::uint16_t>(planes[static_cast<std::size_t>(c)], c, image);
      } else {
        place<std::uint8_t>(planes[static_cast<std::size_t>(c)], c, image);
      }
    }
    return image;
  }

  template <class Sample>
  void place(const opj_image_comp_t& plane, int c, Image& image) const {
    if (!plane.data) require(OPJ_FALSE);
    const int largest = (1 << plane.prec) - 1;
    const OPJ_INT32* in = plane.data;
    for (int y = 0; y < image.height(); ++y) {
      auto* out = reinterpret_cast<Sample*>(image.row(y)) + c;
      for (int x = 0; x < image.width(); ++x, out += image.channels()) {
        const auto value = static_cast<std::uint32_t>(std::clamp(*in++, 0, largest));
        *out = static_cast<Sample>(
            to_full_range(value, static_cast<std::uint32_t>(largest), std::numeric_limits<Sample>::max()));
      }
    }
  }

  Jpeg2000Source source_;
  std::string complaint_;
  std::unique_ptr<opj_codec_t, void (*)(opj_codec_t*)> codec_;
  std::unique_ptr<opj_stream_t, void (*)(opj_stream_t*)> stream_;
  std::unique_ptr<opj_image_t, void (*)(opj_image_t*)> image_{nullptr, opj_image_destroy};
};

}  // namespace

Decoded decode_jpeg2000(Bytes file, std::uint64_t max_pixels) {
  check_jpeg2000_work(file, max_pixels);
  return Jpeg2000Reader(file).read(max_pixels);
}

}  // namespace octavo::io
