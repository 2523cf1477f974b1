// ICC profiles with LittleCMS. Colours are converted relative to the white of both profiles, with black becoming black.

#include "io/images/colour_profile.h"

#include <lcms2.h>

#include <cstring>
#include <memory>
#include <utility>

#include "octavo/image.h"

namespace octavo {
namespace io {
namespace {

struct CloseProfile {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using Profile = std::unique_ptr<void, CloseProfile>;

struct DeleteTransform {
  void operator()(void* transform) const { cmsDeleteTransform(transform); }
};
using Transform = std::unique_ptr<void, DeleteTransform>;

Profile open_profile(std::span<const std::byte> icc) {
  return Profile(cmsOpenProfileFromMem(icc.data(), static_cast<cmsUInt32Number>(icc.size())));
}

Profile profile_or_srgb(std::span<const std::byte> icc, bool is_grey) {
  const bool is_fit = !icc.empty() && colours_of_profile(icc) == (is_grey ? ProfileColours::grey : ProfileColours::rgb);
  return is_fit ? open_profile(icc) : Profile(cmsCreate_sRGBProfile());
}

// How LittleCMS describes packed pixels.
cmsUInt32Number layout_of(PixelType type, int channels) {
  const bool is_grey = channels <= 2;
  const cmsUInt32Number samples =
      COLORSPACE_SH(is_grey ? PT_GRAY : PT_RGB) | CHANNELS_SH(is_grey ? 1 : 3) | EXTRA_SH(channels % 2 == 0 ? 1 : 0);
  return samples | BYTES_SH(static_cast<cmsUInt32Number>(bytes_of(type))) | FLOAT_SH(type == PixelType::f32 ? 1 : 0);
}

// Grey values as red, green and blue.
Image in_colour(const Image& grey) {
  const std::size_t sample = bytes_of(grey.type());
  Image colours(grey.width(), grey.height(), grey.channels() + 2, grey.type());
  for (int y = 0; y < grey.height(); ++y) {
    const std::byte* in = grey.row(y);
    std::byte* out = colours.row(y);
    for (int x = 0; x < grey.width(); ++x) {
      for (int c = 0; c < colours.channels(); ++c, out += sample) {
        std::memcpy(out, in + (c < 3 ? 0 : sample), sample);
      }
      in += sample * static_cast<std::size_t>(grey.channels());
    }
  }
  return colours;
}

}  // namespace

ProfileColours colours_of_profile(std::span<const std::byte> profile) {
  const Profile opened = open_profile(profile);
  const cmsColorSpaceSignature colours = opened ? cmsGetColorSpace(opened.get()) : cmsSig1colorData;
  return colours == cmsSigRgbData    ? ProfileColours::rgb
         : colours == cmsSigGrayData ? ProfileColours::grey
                                     : ProfileColours::other;
}

Image with_profile(Image image, std::span<const std::byte> from, std::span<const std::byte> to) {
  const bool is_grey = image.channels() <= 2 && colours_of_profile(from) == ProfileColours::grey;
  if (image.channels() <= 2 && !is_grey) image = in_colour(image);
  const Profile source = profile_or_srgb(from, is_grey), target = profile_or_srgb(to, false);
  Image converted(image.width(), image.height(), image.channels() + (is_grey ? 2 : 0), image.type());
  const Transform transform(cmsCreateTransform(source.get(), layout_of(image.type(), image.channels()), target.get(),
                                               layout_of(image.type(), converted.channels()),
                                               INTENT_RELATIVE_COLORIMETRIC,
                                               cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_COPY_ALPHA));
  if (!transform) return image;
  for (int y = 0; y < image.height(); ++y) {
    cmsDoTransform(transform.get(), image.row(y), converted.row(y), static_cast<cmsUInt32Number>(image.width()));
  }
  return converted;
}

}  // namespace io
}  // namespace octavo
