#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "engine/core/internal_api.h"
#include "octavo/image_view.h"
#include "video/frames/content.h"

namespace OCTAVO_INTERNAL_API octavo {

/// "0:01:02.345" for 62.345 seconds.
std::string time_text(double seconds);

/// An image with a thumbnail of each frame, in rows, and the time below it. The border of a junk frame is red, that
/// of a repeated frame blue, and black bars are marked by an orange rectangle around the active image.
/// The memory is limited: from the 401st frame on every second thumbnail is dropped, again and again, so that a long
/// video has at most 400, at equal distances.
class ContactSheet {
 public:
  ContactSheet();
  ~ContactSheet();
  ContactSheet(const ContactSheet&) = delete;
  ContactSheet& operator=(const ContactSheet&) = delete;

  /// Adds a frame, grey or RGB, u8. Throws Error(invalid_argument) for another image.
  void add(const ImageView& frame, double seconds, const FrameContent& content, bool repeats);
  [[nodiscard]] std::size_t size() const;  ///< thumbnails that are kept
  /// The image (u8, RGB) under this heading. Throws Error(invalid_argument) without a frame.
  [[nodiscard]] Image draw(const std::string& heading) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo
