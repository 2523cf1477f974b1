// The body, the styles and the scripts are Octavo's own text and are inserted unchanged. In JSON "<" occurs only in
// strings, where its escape means the same. Without "<" there is neither "</script>" nor "<!--", the two sequences
// after which a browser no longer reads a script element as data.

#include "io/pages/page.h"

#include <kainjow/mustache.hpp>

namespace octavo {

extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view page_js;

namespace {

std::string joined(std::string_view first, std::span<const std::string_view> others) {
  std::string all(first);
  for (const std::string_view text : others) all.append("\n").append(text);
  return all;
}

std::string without_tags(std::string_view json) {
  std::string text;
  text.reserve(json.size() + json.size() / 64);
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string assemble_page(const PageParts& parts) {
  kainjow::mustache::data values;
  values.set("title", std::string(parts.title));
  if (!parts.nonce.empty()) values.set("nonce", std::string(parts.nonce));
  values.set("style", joined(page_css, parts.styles));
  values.set("body", std::string(parts.body));
  values.set("data", without_tags(parts.json));
  values.set("script", joined(page_js, parts.scripts));
  return kainjow::mustache::mustache(std::string(page_html)).render(values);
}

}  // namespace octavo
