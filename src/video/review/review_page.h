#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "octavo/video/video_report.h"

namespace octavo::review {

/// The page of a review: that of sheet 0. `nonce` is that of its policy, `state` that of its verdicts (Review), and a
/// file that is searched may have so many bytes.
std::string review_page(const VideoReport& report, std::string_view nonce, const std::string& state,
                        std::uint64_t max_upload);

/// The Content-Security-Policy of the page: it runs only its own script, and loads data only from this server.
std::string review_policy(std::string_view nonce);

}  // namespace octavo::review
