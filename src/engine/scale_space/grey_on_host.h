// Images in colour that become grey on the host before the work: the input of a device is then an image in grey, of a
// third of the bytes. Whole-number samples are rounded, so the results are those of the grey image, on every device.

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "octavo/choices.h"
#include "octavo/device.h"
#include "octavo/image_view.h"

namespace octavo {

class GreyOnHost {
 public:
  /// Gives memory of this size, which stays until the next call.
  using Room = std::function<std::byte*(std::size_t bytes)>;

  GreyOnHost(Luma luma, const Isa& isa, CpuPool pool, Room room);

  /// The image in grey, until the next call; an image of one channel is itself. The time is told as a stage.
  ImageView of(const ImageView& image, std::vector<StageTime>* times);

  /// The shape of `of(image)`, without pixels, and the memory that it takes.
  [[nodiscard]] static ImageView shape_of(const ImageView& image);
  [[nodiscard]] static MemoryNeed memory_for(const ImageView& image);

 private:
  Luma luma_;
  Isa isa_;
  CpuPool pool_;
  Room room_;
};

}  // namespace octavo
