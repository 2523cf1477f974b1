// What Google's GPano says in XMP, as attributes or elements: GPano:Name="value", <GPano:Name>value</GPano:Name>.

#include <charconv>
#include <optional>
#include <string_view>

#include "octavo/multiview/panorama.h"

namespace octavo {
namespace {

std::string_view gpano_value(std::string_view xmp, std::string_view name) {
  const std::size_t found = xmp.find(name);
  if (found == std::string_view::npos) return {};
  xmp.remove_prefix(found + name.size());
  const std::size_t begin = xmp.find_first_not_of(" \t\r\n=>\"'");
  if (begin == std::string_view::npos) return {};
  xmp.remove_prefix(begin);
  return xmp.substr(0, xmp.find_first_of(" \t\r\n<\"'"));
}

std::optional<long> gpano_number(std::string_view xmp, std::string_view name) {
  const std::string_view text = gpano_value(xmp, name);
  long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

bool is_part(std::string_view xmp, std::string_view cropped, std::string_view full) {
  const auto shown = gpano_number(xmp, cropped), whole = gpano_number(xmp, full);
  return shown && whole && *shown < *whole;
}

}  // namespace

ToldPanorama told_panorama(std::string_view xmp) {
  if (gpano_value(xmp, "GPano:ProjectionType") != "equirectangular") return ToldPanorama::none;
  if (is_part(xmp, "GPano:CroppedAreaImageWidthPixels", "GPano:FullPanoWidthPixels") ||
      is_part(xmp, "GPano:CroppedAreaImageHeightPixels", "GPano:FullPanoHeightPixels")) {
    return ToldPanorama::part;
  }
  return ToldPanorama::whole;
}

}  // namespace octavo
