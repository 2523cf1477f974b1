// The page of a review. It shows clips and pairs with the scripts of reports; its own ones play, judge and search.

#include "video/review/review_page.h"

#include <fmt/core.h>

#include <array>

#include "io/json/json.h"
#include "io/pages/page.h"
#include "video/report/page_parts.h"
#include "video/report/report_json.h"

namespace octavo {

// Those of pages/video_review/.
extern const std::string_view video_review_html;
extern const std::string_view video_review_css;
extern const std::string_view review_server_js;
extern const std::string_view review_player_js;
extern const std::string_view review_list_js;
extern const std::string_view review_verdicts_js;
extern const std::string_view review_search_js;
extern const std::string_view review_keys_js;
extern const std::string_view video_review_js;

namespace review {

std::string review_page(const VideoReport& report, std::string_view nonce, const std::string& state,
                        std::uint64_t max_upload) {
  const std::string title = "Review of " + report.archive.filename().string();
  const Json no_images{{"pairs", Json::object()}, {"lacking", Json::object()}, {"left_out_count", 0}};
  const Json data{
      {"report", video_report::as_json(report)}, {"images", no_images}, {"state", state}, {"max_upload", max_upload}};
  const std::array styles{report_css, video_report_css, video_review_css};
  const std::array scripts{video_words_js,     video_timeline_js, video_images_js,  video_pairs_js,
                           video_files_js,     review_server_js,  review_player_js, review_list_js,
                           review_verdicts_js, review_search_js,  review_keys_js,   video_review_js};
  return assemble_page({.title = title,
                        .body = video_review_html,
                        .styles = styles,
                        .scripts = scripts,
                        .json = json_text(data),
                        .nonce = nonce});
}

std::string review_policy(std::string_view nonce) {
  return fmt::format(
      "default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src 'self' data:; media-src 'self'; "
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      nonce);
}

}  // namespace review
}  // namespace octavo
