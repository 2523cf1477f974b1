#include "io/pages/page.h"

#include <gtest/gtest.h>

#include <array>

namespace octavo {
namespace {

constexpr std::array styles{std::string_view("p{color:red}")};
constexpr std::array scripts{std::string_view("first();"), std::string_view("second();")};

std::string page_with(std::string_view json) {
  return assemble_page(
      {.title = "a < b & \"c\"", .body = "<p>body</p>", .styles = styles, .scripts = scripts, .json = json});
}

std::string data_of(const std::string& page) {
  const std::string_view opening = R"(<script type="application/json" id="data">)";
  const std::size_t begin = page.find(opening) + opening.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

TEST(Page, HasItsPartsInOrder) {
  const std::string page = page_with("{}");
  std::size_t at = 0;
  for (const char* part :
       {"<!DOCTYPE html>", "<title>a &lt; b &amp; &quot;c&quot;</title>", "--ground", "p{color:red}", "<p>body</p>",
        "id=\"data\">{}</script>", "JSON.parse", "first();", "second();", "</html>"}) {
    at = page.find(part, at);
    ASSERT_NE(at, std::string::npos) << part;
  }
}

TEST(Page, DataCannotEndItsElement) {
  const std::string json =
      R"({"a":"</script><script>alert(1)</script>","b":"<!-- <SCRIPT","c":"&lt; {{title}} \u2028"})";
  EXPECT_EQ(data_of(page_with(json)),
            R"({"a":"\u003c/script>\u003cscript>alert(1)\u003c/script>","b":"\u003c!-- \u003cSCRIPT",)"
            R"("c":"&lt; {{title}} \u2028"})");
}

TEST(Page, NeedsNoOtherFile) {
  const std::string page = page_with("{}");
  for (const char* word : {"http://", "https://", "@import", "src=", "url("}) {
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  }
}

TEST(Page, HasTheNonceOfItsPolicy) {
  const std::string page =
      assemble_page({.title = "a", .body = "", .styles = styles, .scripts = scripts, .json = "{}", .nonce = "5f"});
  EXPECT_NE(page.find("<style nonce=\"5f\">"), std::string::npos);
  EXPECT_NE(page.find("<script nonce=\"5f\">"), std::string::npos);
  EXPECT_EQ(page_with("{}").find("nonce"), std::string::npos);
}

}  // namespace
}  // namespace octavo
