#pragma once

#include <string>

#include "io/pages/report_page.h"

namespace octavo {

/// The pair as HTML. The page holds each picture once, and draws it below each list of lines.
std::string html_of(const PagePicturePair& pair);

}  // namespace octavo
