
#include <cstring>

#include "engine/core/check_image.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/image_view.h"

namespace octavo {

ImageView image_of(const LumaPlane& luma, Image& room) {
  const ImageView plane{luma.data, luma.width, luma.height, 1, luma.type, luma.stride};
  check_image(plane);
  if (luma.type == PixelType::f32) {
    throw Error(ErrorCode::invalid_argument, "luma must have whole numbers as samples, u8 or u16");
  }
  if (luma.range == LumaRange::full) return plane;
  if (room.width() != luma.width || room.height() != luma.height || room.channels() != 1 || room.type() != luma.type) {
    room = Image(luma.width, luma.height, 1, luma.type);
  }
  const std::size_t row_bytes = static_cast<std::size_t>(luma.width) * bytes_of(luma.type);
  for (int y = 0; y < luma.height; ++y) std::memcpy(room.row(y), plane.row(y), row_bytes);
  const double unit = luma.type == PixelType::u8 ? 1 : 256;
  map_to_full_scale(room, {16 * unit, 235 * unit});
  return room.view();
}

}  // namespace octavo
