#include "cli/page_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>

#include "octavo/error.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

class PageFile : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "folder.html");
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_ = fs::path(testing::TempDir()) / ("octavo_page_file_" + std::to_string(getpid()));
};

std::string refusal(const fs::path& file) {
  try {
    require_page_file("--output", file);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::file_error);
    return error.what();
  }
  return {};
}

TEST_F(PageFile, EndsLikeAPage) {
  for (const char* name : {"a.html", "b.HTM"}) EXPECT_NO_THROW(require_page_file("--output", folder_ / name)) << name;
  EXPECT_NO_THROW(require_page_file("--output", "page.html"));  // in the working folder
  for (const char* name : {"a.pdf", "html", "a.html.gz", ".html"}) {
    EXPECT_THROW(require_page_file("--output", folder_ / name), CLI::ValidationError) << name;
  }
}

TEST_F(PageFile, HasAPlace) {
  EXPECT_NE(refusal(folder_ / "none" / "a.html").find("there is no folder '"), std::string::npos);
  EXPECT_NE(refusal(folder_ / "folder.html").find("it is a folder"), std::string::npos);
  std::ofstream(folder_ / "a.html") << "old";
  EXPECT_EQ(refusal(folder_ / "a.html"), "");
  EXPECT_EQ(fs::file_size(folder_ / "a.html"), 3u);  // the check does not write
  if (geteuid() == 0) return;                        // root may write to read-only files
  fs::permissions(folder_ / "a.html", fs::perms::owner_read);
  EXPECT_NE(refusal(folder_ / "a.html").find("it is read-only"), std::string::npos);
}

}  // namespace
}  // namespace octavo::cli
