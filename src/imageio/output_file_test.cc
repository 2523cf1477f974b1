// Output files are whole, replace what a killed run left, and are never the files that are read.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "octavo/error.h"
#include "octavo/output_file.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class OutputFile : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("octavo_output_file_" + std::to_string(getpid()));
};

TEST_F(OutputFile, IsReplacedWhole) {
  write_file(folder_ / "a.txt", "first, long text");
  write_file(folder_ / "a.txt", "second");
  EXPECT_EQ(text_of(folder_ / "a.txt"), "second");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFile, LeftoversOfAKilledRunAreReused) {
  std::ofstream(folder_ / ".a.txt.part") << "half of what a killed run wanted to write";
  write_file(folder_ / "a.txt", "whole");
  EXPECT_EQ(text_of(folder_ / "a.txt"), "whole");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFile, IsNeverAMixtureOfSeveralWriters) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([this, i] {
      const std::string text(20000, static_cast<char>('a' + i));
      for (int round = 0; round < 20; ++round) write_file(folder_ / "a.txt", text);
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string text = text_of(folder_ / "a.txt");
  ASSERT_EQ(text.size(), 20000u);
  EXPECT_EQ(text, std::string(20000, text.front()));
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFile, StaysAsItIsWhereTheNewOneHasNoRoom) {
  write_file(folder_ / "a.txt", "old");
  // A limit of the size of files stands for a full disk.
  struct sigaction before {
  }, ignore{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &ignore, &before);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{4096, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  std::string sentence;
  try {
    write_file(folder_ / "a.txt", std::string(100000, 'x'));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::file_error);
    sentence = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &limit);
  sigaction(SIGXFSZ, &before, nullptr);
  EXPECT_EQ(sentence, "cannot write '" + (folder_ / "a.txt").string() + "': File too large");
  EXPECT_EQ(text_of(folder_ / "a.txt"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFile, IsNoFileThatIsRead) {
  for (const char* name : {"a.png", "b.png"}) write_file(folder_ / name, name);
  fs::create_symlink(folder_ / "a.png", folder_ / "link.png");
  fs::create_hard_link(folder_ / "a.png", folder_ / "same.png");
  const auto refusal = [&](const std::vector<fs::path>& written, const std::vector<fs::path>& read) -> std::string {
    try {
      require_not_read(written, read);
    } catch (const Error& error) {
      EXPECT_EQ(error.option(), "output");
      return std::string(error.value());
    }
    return {};
  };
  const auto quoted = [&](const char* name) { return "\"" + (folder_ / name).string() + "\""; };
  const std::vector<fs::path> read{folder_ / "a.png", folder_ / "missing.png"};
  EXPECT_EQ(refusal({folder_ / "new.png", folder_ / "a.png"}, read), quoted("a.png"));
  EXPECT_EQ(refusal({folder_ / "link.png"}, read), quoted("link.png"));
  EXPECT_EQ(refusal({folder_ / "same.png"}, read), quoted("same.png"));
  EXPECT_EQ(refusal({folder_ / "." / "a.png"}, {folder_ / "link.png"}), quoted("./a.png"));
  EXPECT_EQ(refusal({folder_ / "b.png", folder_ / "new.png", folder_, "/dev/null"}, {folder_ / "a.png", "/dev/null"}),
            "");
}

}  // namespace
}  // namespace octavo
