#pragma once

#include <string>

#include "io/pages/report_page.h"

namespace octavo {

/// The pair as HTML. The page holds each image once, and draws it below each list of lines.
std::string html_of(const PageImagePair& pair);

}  // namespace octavo
