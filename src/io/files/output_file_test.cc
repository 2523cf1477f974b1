// Output files are whole, replace what a killed run left, and are never the files that are read.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/core/bound_by_permissions.h"
#include "engine/core/test_folder.h"
#include "io/files/output_file.h"
#include "io/files/part_file.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class OutputFiles : public testing::Test {
 protected:
  const TestFolder folder_;
};

TEST_F(OutputFiles, IsReplacedWhole) {
  write_file(folder_ / "a.txt", "first, long text");
  write_file(folder_ / "a.txt", "second");
  EXPECT_EQ(text_of(folder_ / "a.txt"), "second");
  EXPECT_EQ(folder_.entries(), 1u);
}

TEST_F(OutputFiles, AppearWhenTheirPartsAreFinished) {
  write_file(folder_ / "a.txt", "old");
  {
    OutputFile file(folder_ / "a.txt");
    file.write("first ");
    file.write("second");
    EXPECT_EQ(text_of(folder_ / ".a.txt.part"), "first second");
    EXPECT_EQ(text_of(folder_ / "a.txt"), "old");
    file.finish();
    EXPECT_EQ(text_of(folder_ / "a.txt"), "first second");
  }
  EXPECT_EQ(folder_.entries(), 1u);
}

TEST_F(OutputFiles, ThatAreNotFinishedLeaveNothing) {
  write_file(folder_ / "a.txt", "old");
  OutputFile(folder_ / "a.txt").write("half");
  EXPECT_EQ(text_of(folder_ / "a.txt"), "old");
  OutputFile(folder_ / "b.txt").write("half");
  EXPECT_EQ(folder_.entries(), 1u);
}

TEST_F(OutputFiles, AreWrittenDirectlyWhereTheyAreStreams) {
  OutputFile file("/dev/null");
  file.write("text");
  file.finish();
}

TEST_F(OutputFiles, KeepsThePermissionsOfTheFileThatItReplaces) {
  const fs::path file = folder_ / "a.txt";
  write_file(file, "first");
  const fs::perms secret = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(file, secret);
  write_file(file, "second");
  EXPECT_EQ(fs::status(file).permissions(), secret);
}

TEST_F(OutputFiles, LeftoversOfAKilledRunAreReused) {
  std::ofstream(folder_ / ".a.txt.part") << "half of what a killed run wanted to write";
  write_file(folder_ / "a.txt", "whole");
  EXPECT_EQ(text_of(folder_ / "a.txt"), "whole");
  EXPECT_EQ(folder_.entries(), 1u);
}

TEST_F(OutputFiles, IsNeverAMixtureOfSeveralWriters) {
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
  EXPECT_EQ(folder_.entries(), 1u);
}

TEST_F(OutputFiles, StaysAsItIsWhereTheNewOneHasNoRoom) {
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
  EXPECT_EQ(folder_.entries(), 1u);
}

TEST_F(OutputFiles, IsNoFileThatIsRead) {
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
  EXPECT_EQ(refusal({folder_ / "."}, {folder_.path}), quoted("."));
  EXPECT_EQ(
      refusal({folder_ / "b.png", folder_ / "new.png", folder_.path, "/dev/null"}, {folder_ / "a.png", "/dev/null"}),
      "");
}

// The sentence of the Error(file_error) that `job` throws; empty if it throws none.
template <class Job>
std::string refusal_of(const Job& job) {
  try {
    job();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::file_error);
    return error.what();
  }
  return {};
}

TEST_F(OutputFiles, ANameMayBeAsLongAsTheFileSystemTakes) {
  for (const std::size_t length : {199u, 200u, 201u, 249u, 250u, 255u}) {
    const fs::path a = folder_ / (std::string(length - 1, 'a') + "1"),
                   b = folder_ / (std::string(length - 1, 'a') + "2");
    EXPECT_NE(io::part_of(a), io::part_of(b));
    EXPECT_LE(io::part_of(a).filename().string().size(), 247u) << "SQLite adds up to 8 bytes";
    OutputFile both[] = {OutputFile(a), OutputFile(b)};  // at a time
    for (OutputFile& file : both) file.write(std::string_view("text")), file.finish();
    EXPECT_TRUE(fs::exists(a) && fs::exists(b));
    fs::remove(a), fs::remove(b);
  }
  EXPECT_EQ(folder_.entries(), 0u);
}

TEST_F(OutputFiles, IsRefusedBeforeTheWorkForTheSameReasonAsAfterIt) {
  write_file(folder_ / "file", "old");
  fs::create_directory(folder_ / "folder");
  fs::create_symlink("loop", folder_ / "loop");
  fs::create_symlink("none/a.txt", folder_ / "link");
  struct Case {
    fs::path file;
    const char* reason;
  };
  for (const Case& wrong :
       {Case{"", "the name is empty"}, Case{folder_ / "none" / "a.txt", "there is no folder '"},
        Case{folder_ / "file" / "a.txt", "/file' is not a folder"}, Case{folder_ / "folder", "it is a folder"},
        Case{folder_ / "new" / "", "this is the name of a folder"}, Case{folder_ / "loop", "symbolic links"},
        Case{folder_ / "link", "there is no folder '"}, Case{folder_ / std::string(256, 'a'), "name too long"},
        Case{folder_ / std::string(300, 'a'), "name too long"}}) {
    const std::string before = refusal_of([&] { require_writable(std::array{folder_ / "good", wrong.file}); });
    EXPECT_EQ(before.find("cannot write '" + wrong.file.string() + "': "), 0u) << before;
    EXPECT_NE(before.find(wrong.reason), std::string::npos) << before;
    EXPECT_EQ(before, refusal_of([&] { write_file(wrong.file, "new"); }));
  }
  EXPECT_EQ(text_of(folder_ / "file"), "old");
  EXPECT_EQ(folder_.entries(), 4u);
}

TEST_F(OutputFiles, MayBeNewOrOldOrALinkOrADevice) {
  write_file(folder_ / "old", "old");
  fs::create_symlink("new", folder_ / "link");
  EXPECT_EQ(refusal_of([&] {
              require_writable(std::array<fs::path, 5>{folder_ / "new", folder_ / "old", folder_ / "link", "/dev/null",
                                                       folder_ / std::string(240, 'a')});
            }),
            "");
  EXPECT_EQ(folder_.entries(), 2u);  // the check writes nothing
  write_file(folder_ / "link", "text");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(text_of(folder_ / "new"), "text");
}

TEST_F(OutputFiles, IsNotReplacedWhereItIsReadOnly) {
  const BoundByPermissions bound;
  write_file(folder_ / "a.txt", "old");
  fs::permissions(folder_ / "a.txt", fs::perms::owner_read);
  const std::string sentence = refusal_of([&] { write_file(folder_ / "a.txt", "new"); });
  EXPECT_NE(sentence.find("Permission denied"), std::string::npos) << sentence;
  EXPECT_EQ(text_of(folder_ / "a.txt"), "old");
  fs::permissions(folder_.path, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_NE(refusal_of([&] { require_writable(std::array{folder_ / "b.txt"}); }).find("takes no files: "),
            std::string::npos);
  EXPECT_NE(refusal_of([&] { require_writable_folder(folder_ / "sub"); }).find("takes no files: "), std::string::npos);
  fs::permissions(folder_.path, fs::perms::owner_all);
}

TEST_F(OutputFiles, FolderIsThereOrCanBeMade) {
  write_file(folder_ / "file", "old");
  fs::create_symlink("none", folder_ / "link");
  const auto refusal = [](const fs::path& folder) { return refusal_of([&] { require_writable_folder(folder); }); };
  for (const fs::path& folder : {folder_.path, folder_ / "a", folder_ / "a" / "b" / ""}) {
    EXPECT_EQ(refusal(folder), "") << folder;
  }
  EXPECT_NE(refusal("").find("the name is empty"), std::string::npos);
  EXPECT_NE(refusal(folder_ / "file").find("/file' is not a folder"), std::string::npos);
  EXPECT_NE(refusal(folder_ / "file" / "a" / "b").find("/file' is not a folder"), std::string::npos);
  EXPECT_NE(refusal(folder_ / "link").find("there is no folder '"), std::string::npos);
  EXPECT_NE(refusal(folder_ / "a" / std::string(300, 'b')).find("name too long"), std::string::npos);
  EXPECT_EQ(folder_.entries(), 2u);
}

TEST_F(OutputFiles, EndsAsItsFormatAsks) {
  const auto refusal = [](const fs::path& file) -> std::string {
    try {
      require_ending(std::array{file}, std::array<std::string_view, 2>{".html", ".htm"});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_option);
      return error.what();
    }
    return {};
  };
  for (const char* name : {"a.html", "b.HTM", "a.b/c.html"}) EXPECT_EQ(refusal(name), "");
  for (const char* name : {"a.pdf", "html", "a.html.gz", ".html"}) {
    EXPECT_EQ(refusal(name), "output is \"" + std::string(name) + "\", but must end in one of .html, .htm");
  }
}

}  // namespace
}  // namespace octavo
