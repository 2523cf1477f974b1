#pragma once

#include <fmt/core.h>

#include <span>

#include "octavo/error.h"
#include "octavo/io/collection.h"

namespace octavo::jobs {

/// Refuses images of one name, which a database could not tell apart. Throws Error(invalid_option).
inline void require_own_names(std::span<const ImageFile> images) {
  const auto same = same_name(images);
  if (!same) return;
  throw Error(ErrorCode::invalid_option,
              fmt::format("{} and {} would have the same name in the database; give the folder above both, with "
                          "`recursive`",
                          same->first.file.string(), same->second.file.string()));
}

}  // namespace octavo::jobs
