#pragma once

#include <string>
#include <string_view>

namespace octavo::video_report {

/// A field of CSV (RFC 4180), whose lines end with CR LF: a text with commas, quotation marks or line breaks stands in
/// quotation marks, and a quotation mark within it is written twice.
std::string csv_field(std::string_view text);

}  // namespace octavo::video_report
