#pragma once

// Assembles every page from the template pages/page.html and a title, styles, a body, JSON and scripts. No content of
// the JSON can end its script element.

#include <span>
#include <string>
#include <string_view>

namespace octavo {

/// The parts in which kinds of pages differ.
struct PageParts {
  std::string_view title;                             ///< plain text
  std::string_view body;                              ///< HTML, inserted unchanged
  std::span<const std::string_view> styles, scripts;  ///< follow those that all pages share
  std::string_view json;                              ///< the value of `data` in the scripts
  std::string_view nonce{};  ///< of the style and the script, for a page with a Content-Security-Policy; empty: none
};

/// The whole page as HTML.
std::string assemble_page(const PageParts& parts);

}  // namespace octavo
