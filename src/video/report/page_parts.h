// Styles and scripts of pages/report/ and pages/video_report/ that the pages of reports and of reviews share.

#pragma once

#include <string_view>

namespace octavo {

extern const std::string_view report_css;  ///< of all reports
extern const std::string_view video_report_css;
extern const std::string_view video_words_js;
extern const std::string_view video_timeline_js;
extern const std::string_view video_images_js;
extern const std::string_view video_pairs_js;
extern const std::string_view video_files_js;

}  // namespace octavo
