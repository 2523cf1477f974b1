// TIFF 6.0 and BigTIFF with libtiff, tile by tile, through the descriptor of an OutputFile.

#include "io/images/tiled_tiff.h"

#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "io/files/output_file.h"
#include "io/images/tiff_client.h"
#include "octavo/error.h"

namespace octavo {

class TiledTiff::Impl {
 public:
  Impl(const std::filesystem::path& path, std::uint64_t width, std::uint64_t height, int channels, PixelType type)
      : name_(path.string()),
        width_(width),
        height_(height),
        channels_(channels),
        type_(type),
        pixel_(static_cast<std::size_t>(channels) * bytes_of(type)),
        file_(path) {
    const io::TiffOptions options = io::tiff_options(complaint_);
    // libtiff closes the descriptor that it is given.
    const int descriptor = dup(file_.descriptor());
    const char* const mode = io::tiff_write_mode(width * height * pixel_);
    if (descriptor >= 0) tiff_.reset(TIFFFdOpenExt(descriptor, name_.c_str(), mode, options.get()));
    if (!tiff_ && descriptor >= 0) close(descriptor);
    if (!tiff_ || !has_header()) refuse();
  }

  void write(std::uint64_t x, std::uint64_t y, const ImageView& block) {
    const auto reaches = [](std::uint64_t at, int side, std::uint64_t whole) {
      return at % tile == 0 && side > 0 && (side % tile == 0 || at + static_cast<std::uint64_t>(side) == whole) &&
             at + static_cast<std::uint64_t>(side) <= whole;
    };
    if (!reaches(x, block.width, width_) || !reaches(y, block.height, height_) || block.type != type_ ||
        block.channels != channels_ || block.order != ChannelOrder::rgb) {
      throw Error(ErrorCode::invalid_argument, "the block does not fit the tiles of '" + name_ + "'");
    }
    std::vector<std::byte> pixels(static_cast<std::size_t>(tile) * tile * pixel_);
    for (int top = 0; top < block.height; top += tile) {
      for (int left = 0; left < block.width; left += tile) {
        std::fill(pixels.begin(), pixels.end(), std::byte{});
        const int rows = std::min(tile, block.height - top), columns = std::min(tile, block.width - left);
        for (int row = 0; row < rows; ++row) {
          std::memcpy(pixels.data() + static_cast<std::size_t>(row) * tile * pixel_,
                      block.row(top + row) + static_cast<std::size_t>(left) * pixel_,
                      static_cast<std::size_t>(columns) * pixel_);
        }
        const auto at_x = static_cast<std::uint32_t>(x + static_cast<std::uint64_t>(left));
        const auto at_y = static_cast<std::uint32_t>(y + static_cast<std::uint64_t>(top));
        if (TIFFWriteTile(tiff_.get(), pixels.data(), at_x, at_y, 0, 0) < 0 || !complaint_.empty()) refuse();
      }
    }
  }

  void finish() {
    const bool is_written = TIFFFlush(tiff_.get()) != 0;
    tiff_.reset();
    if (!is_written || !complaint_.empty()) refuse();
    file_.finish();
  }

 private:
  bool has_header() {
    const auto set = [&](std::uint32_t tag, auto value) { return TIFFSetField(tiff_.get(), tag, value) != 0; };
    const bool is_float = type_ == PixelType::f32;
    const std::uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
    return set(TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(width_)) &&
           set(TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(height_)) &&
           set(TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * bytes_of(type_))) &&
           set(TIFFTAG_SAMPLEFORMAT, is_float ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT) &&
           set(TIFFTAG_SAMPLESPERPIXEL, channels_) &&
           set(TIFFTAG_PHOTOMETRIC, channels_ == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB) &&
           (channels_ != 4 || TIFFSetField(tiff_.get(), TIFFTAG_EXTRASAMPLES, 1, &alpha) != 0) &&
           set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) && set(TIFFTAG_TILEWIDTH, tile) &&
           set(TIFFTAG_TILELENGTH, tile) && set(TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) &&
           set(TIFFTAG_PREDICTOR, is_float ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL) &&
           set(TIFFTAG_ZIPQUALITY, 4);
  }

  [[noreturn]] void refuse() {
    throw Error(ErrorCode::file_error, "cannot write '" + name_ + "': " +
                                           (complaint_.empty() ? "libtiff refuses it" : "libtiff: " + complaint_));
  }

  std::string name_, complaint_;
  std::uint64_t width_, height_;
  int channels_;
  PixelType type_;
  std::size_t pixel_;
  OutputFile file_;
  io::TiffHandle tiff_;
};

TiledTiff::TiledTiff(const std::filesystem::path& file, std::uint64_t width, std::uint64_t height, int channels,
                     PixelType type) {
  constexpr std::uint64_t most = (std::uint64_t{1} << 31) - 1;
  if (width < 1 || height < 1 || width > most || height > most || (channels != 1 && channels != 3 && channels != 4)) {
    throw Error(ErrorCode::invalid_argument, "a TIFF of these sizes or channels cannot be written");
  }
  impl_ = std::make_unique<Impl>(file, width, height, channels, type);
}
TiledTiff::~TiledTiff() = default;
TiledTiff::TiledTiff(TiledTiff&&) noexcept = default;

void TiledTiff::write(std::uint64_t x, std::uint64_t y, const ImageView& block) { impl_->write(x, y, block); }
void TiledTiff::finish() { impl_->finish(); }

}  // namespace octavo
