// TIFF 6.0 and BigTIFF with libtiff, tile by tile, through the descriptor of an OutputFile.

#include "io/images/tiled_tiff.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "io/files/output_file.h"
#include "io/images/tiff_client.h"
#include "io/images/tiff_metadata.h"
#include "octavo/error.h"

namespace octavo {

class TiledTiff::Impl {
 public:
  Impl(const std::filesystem::path& path, std::uint64_t width, std::uint64_t height, int channels, PixelType type,
       const ImageMetadata& metadata)
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
    if (!tiff_ || !has_header() || !io::set_tiff_metadata(tiff_.get(), metadata)) refuse();
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
    const bool is_float = type_ == PixelType::f32;
    // libtiff reads each of these values, of 16 and of 32 bits, from an int.
    const std::array<std::pair<std::uint32_t, int>, 12> header{
        {{TIFFTAG_IMAGEWIDTH, width_},
         {TIFFTAG_IMAGELENGTH, height_},
         {TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * bytes_of(type_))},
         {TIFFTAG_SAMPLEFORMAT, is_float ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT},
         {TIFFTAG_SAMPLESPERPIXEL, channels_},
         {TIFFTAG_PHOTOMETRIC, channels_ == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB},
         {TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG},
         {TIFFTAG_TILEWIDTH, tile},
         {TIFFTAG_TILELENGTH, tile},
         {TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE},
         {TIFFTAG_PREDICTOR, is_float ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL},
         {TIFFTAG_ZIPQUALITY, 4}}};
    const std::uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
    return std::ranges::all_of(
               header, [&](const auto& field) { return TIFFSetField(tiff_.get(), field.first, field.second) != 0; }) &&
           (channels_ != 4 || TIFFSetField(tiff_.get(), TIFFTAG_EXTRASAMPLES, 1, &alpha) != 0);
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
                     PixelType type, const ImageMetadata& metadata) {
  constexpr std::uint64_t most = (std::uint64_t{1} << 31) - 1;
  if (width < 1 || height < 1 || width > most || height > most || (channels != 1 && channels != 3 && channels != 4)) {
    throw Error(ErrorCode::invalid_argument, "a TIFF of these sizes or channels cannot be written");
  }
  impl_ = std::make_unique<Impl>(file, width, height, channels, type, metadata);
}
TiledTiff::~TiledTiff() = default;
TiledTiff::TiledTiff(TiledTiff&&) noexcept = default;

void TiledTiff::write(std::uint64_t x, std::uint64_t y, const ImageView& block) { impl_->write(x, y, block); }
void TiledTiff::finish() { impl_->finish(); }

}  // namespace octavo
