// A folder of results knows what is up to date, and only that, whatever happened to its files and its jobs.

#include "io/results/result_folder.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <thread>

#include "engine/core/bound_by_permissions.h"
#include "engine/core/test_folder.h"
#include "io/files/content_digest.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

std::string text_of_result(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_text(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

std::vector<std::byte> bytes_of_result(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

class ResultFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    write_text(source_, "an image");
    // Files of the same instant are compared by their digests; older ones must not need that.
    fs::last_write_time(source_, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }

  void write(const std::string& name = "a.txt", const std::string& text = "result", std::uint64_t keypoints = 7) const {
    const std::vector<ResultFile> files{{.name = name, .settings = settings, .bytes = bytes_of_result(text)}};
    ResultFolder(out_).write(read_source(source_).source, keypoints, files);
  }
  void finish() const { ResultFolder(out_).finish(); }

  [[nodiscard]] bool is_up_to_date(const std::string& name = "a.txt") const {
    return ResultFolder(out_).up_to_date(name, source_, settings) != nullptr;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(out_)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  static void age(const fs::path& file) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::minutes(10));
  }

  static constexpr const char* settings = R"({"format":"text"})";
  const TestFolder root_;
  const fs::path source_ = root_ / "a.png", out_ = root_ / "out";
};

TEST_F(ResultFolderTest, KnowsWhatItWrote) {
  EXPECT_FALSE(is_up_to_date());
  EXPECT_FALSE(fs::exists(out_)) << "a look makes no folder";
  write();
  EXPECT_EQ(text_of_result(out_ / "a.txt"), "result");
  for (const bool finished : {false, true}) {
    if (finished) finish();
    const ResultFolder folder(out_);
    const ResultRecord* const record = folder.up_to_date("a.txt", source_, settings);
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(record->keypoints, 7u);
    EXPECT_EQ(record->size, 6u);
    EXPECT_EQ(record->digest, content_digest(bytes_of_result("result")));
    EXPECT_EQ(record->source.file, "../a.png");
    EXPECT_EQ(record->source.digest, content_digest(bytes_of_result("an image")));
    EXPECT_TRUE(folder.holds(out_ / "a.txt"));
    EXPECT_FALSE(folder.holds(source_));
    EXPECT_EQ(folder.up_to_date("a.txt", source_, R"({"format":"other"})"), nullptr);
    EXPECT_EQ(folder.up_to_date("b.txt", source_, settings), nullptr);
    EXPECT_EQ(folder.up_to_date("a.txt", root_ / "missing.png", settings), nullptr);
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"a.txt", "octavo-manifest.jsonl"}));
}

TEST_F(ResultFolderTest, SeesAChangedSource) {
  write();
  finish();
  write_text(source_, "An image");  // as long as before
  EXPECT_FALSE(is_up_to_date());
  write_text(source_, "an image");  // another time, the same content
  EXPECT_TRUE(is_up_to_date());
  write_text(source_, "a longer image");
  EXPECT_FALSE(is_up_to_date());
}

TEST_F(ResultFolderTest, TellsASourceOfTheSameSizeAndTimeInAnotherFolder) {
  write();
  finish();
  const fs::path other = root_ / "other.png";
  write_text(other, "b image");
  fs::last_write_time(other, fs::last_write_time(source_));
  EXPECT_EQ(ResultFolder(out_).up_to_date("a.txt", other, settings), nullptr);
}

TEST_F(ResultFolderTest, SeesAChangedResult) {
  for (const bool finished : {false, true}) {
    for (const char* text : {"Result", "res", ""}) {
      write();
      if (finished) finish();
      write_text(out_ / "a.txt", text);
      EXPECT_FALSE(is_up_to_date()) << text;
      EXPECT_FALSE(ResultFolder(out_).holds(out_ / "a.txt")) << "what others wrote is no result";
    }
    write();
    if (finished) finish();
    fs::remove(out_ / "a.txt");
    EXPECT_FALSE(is_up_to_date());
  }
}

TEST_F(ResultFolderTest, AChangeSurvivesTheNextManifest) {
  write();
  write("b.txt");
  finish();
  write_text(out_ / "a.txt", "RESULT");
  write("b.txt", "other");
  finish();
  EXPECT_FALSE(is_up_to_date());
  EXPECT_TRUE(is_up_to_date("b.txt"));
}

TEST_F(ResultFolderTest, ReadsNoResultThatIsOlderThanItsManifest) {
  write();
  finish();
  age(out_ / "a.txt");
  fs::permissions(out_ / "a.txt", fs::perms::none);
  const BoundByPermissions bound;
  EXPECT_TRUE(is_up_to_date());
}

TEST_F(ResultFolderTest, ACopyIsUpToDate) {
  write();
  finish();
  fs::copy(out_, root_ / "copy", fs::copy_options::recursive);
  EXPECT_NE(ResultFolder(root_ / "copy").up_to_date("a.txt", source_, settings), nullptr);
}

TEST_F(ResultFolderTest, RecoversFromAKillBeforeTheFile) {
  write("a.txt", "before");
  finish();
  write("a.txt", "result");
  const std::string written = text_of_result(out_ / ".octavo-manifest.journal");
  const std::string journal = written.substr(0, written.rfind("{\"written\""));
  ASSERT_FALSE(journal.empty());
  // The record is there, but the file is the one before, as large and much older.
  write_text(out_ / "a.txt", "before");
  age(out_ / "a.txt");
  write_text(out_ / ".a.txt.part", "resu");
  write_text(out_ / ".octavo-manifest.journal", journal);
  const ResultFolder folder(out_);
  const ResultRecord* const record = folder.up_to_date("a.txt", source_, settings);
  ASSERT_NE(record, nullptr) << "the record of the earlier run fits";
  EXPECT_EQ(record->digest, content_digest(bytes_of_result("before")));
  EXPECT_TRUE(folder.holds(out_ / "a.txt"));
  EXPECT_EQ(names(), (std::vector<std::string>{"a.txt", "octavo-manifest.jsonl"}));
}

TEST_F(ResultFolderTest, RecoversFromAKillBeforeTheFileWhileAnotherJobGoesOn) {
  write("a.txt", "before");
  finish();
  age(out_ / "a.txt");
  const ResultFolder other(out_);
  write("a.txt", "result");
  // The job was killed between its record and its file. The other job, which began earlier, then writes its own file.
  const fs::path journal = out_ / ".octavo-manifest.journal";
  const std::string killed = text_of_result(journal);
  write_text(journal, killed.substr(0, killed.rfind("{\"written\"")));
  write_text(out_ / "a.txt", "before");
  age(out_ / "a.txt");
  const std::vector<ResultFile> files{{.name = "b.txt", .settings = settings, .bytes = bytes_of_result("other")}};
  other.write(read_source(source_).source, 7, files);
  const ResultFolder folder(out_);
  const ResultRecord* const record = folder.up_to_date("a.txt", source_, settings);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->digest, content_digest(bytes_of_result("before")));
  EXPECT_NE(folder.up_to_date("b.txt", source_, settings), nullptr);
}

TEST_F(ResultFolderTest, KnowsTheFilesThatAFailedWriteReplaced) {
  write("a.txt", "before");
  const std::vector<ResultFile> files{{.name = "a.txt", .settings = settings, .bytes = bytes_of_result("result")},
                                      {.name = "b.txt", .settings = settings, .bytes = bytes_of_result("result")}};
  const ResultFolder folder(out_), other(out_);
  folder.write(read_source(source_).source, 1, std::array{files[0]});
  fs::create_directories(out_ / "b.txt");
  const std::vector<ResultFile> later{{.name = "a.txt", .settings = settings, .bytes = bytes_of_result("RESULT")},
                                      files[1]};
  EXPECT_THROW(other.write(read_source(source_).source, 2, later), Error);
  age(out_ / "a.txt");
  folder.write(read_source(source_).source, 3,
               std::array{ResultFile{.name = "c.txt", .settings = settings, .bytes = bytes_of_result("third")}});
  const ResultFolder last(out_);
  const ResultRecord* const record = last.up_to_date("a.txt", source_, settings);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->digest, content_digest(bytes_of_result("RESULT")));
  EXPECT_EQ(last.up_to_date("b.txt", source_, settings), nullptr);
}

TEST_F(ResultFolderTest, RecoversFromEveryCutOfTheJournal) {
  write("a.txt", "first");
  write("b.txt", "second");
  const std::string journal = text_of_result(out_ / ".octavo-manifest.journal");
  const std::size_t whole = journal.rfind("{\"written\"");  // the end of the records
  for (std::size_t length = 0; length <= journal.size(); ++length) {
    fs::remove(out_ / "octavo-manifest.jsonl");
    write_text(out_ / ".octavo-manifest.journal", journal.substr(0, length));
    EXPECT_EQ(is_up_to_date("b.txt"), length + 1 >= whole) << length;
    write("c.txt", "third");
    EXPECT_TRUE(is_up_to_date("c.txt")) << "after a cut at " << length;
  }
}

// Digests of earlier versions were of another kind.
TEST_F(ResultFolderTest, DoesNotMisreadEarlierVersions) {
  write("a.txt");
  const fs::path journal = out_ / ".octavo-manifest.journal", manifest = out_ / "octavo-manifest.jsonl";
  const auto earlier = [](const std::string& text) {
    const std::string shorter = std::regex_replace(text, std::regex("\"([0-9a-f]{16})[0-9a-f]{16}\""), "\"$1\"");
    return std::regex_replace(shorter, std::regex("(entry|written|manifest)\":2"), "$1\":1");
  };
  write_text(journal, earlier(text_of_result(journal)));
  age(out_ / "a.txt");
  EXPECT_TRUE(ResultFolder(out_).records().empty()) << "that of a run that was killed";
  write("a.txt");
  finish();
  write_text(manifest, earlier(text_of_result(manifest)));
  EXPECT_THROW(ResultFolder{out_}, Error);
}

TEST_F(ResultFolderTest, AFailedWriteLeavesNoRecord) {
  write("a.txt", "before");
  fs::create_directories(out_ / "b.txt");
  EXPECT_THROW(write("b.txt"), Error);
  fs::remove(out_ / "b.txt");
  write_text(out_ / "b.txt", "RESULT");
  age(out_ / "b.txt");
  write("c.txt");
  finish();
  EXPECT_FALSE(is_up_to_date("b.txt"));
  EXPECT_TRUE(is_up_to_date("a.txt"));
  EXPECT_EQ(text_of_result(out_ / "octavo-manifest.jsonl").find("b.txt"), std::string::npos);
}

TEST_F(ResultFolderTest, TheManifestDoesNotDependOnTheOrder) {
  write("a.txt");
  write("b.txt");
  finish();
  const std::string expected = text_of_result(out_ / "octavo-manifest.jsonl");
  fs::remove_all(out_);
  write("b.txt");
  finish();
  write("a.txt", "other");
  write("a.txt");
  finish();
  EXPECT_EQ(text_of_result(out_ / "octavo-manifest.jsonl"), expected);
}

TEST_F(ResultFolderTest, TakesRecordsOfSeveralWritersAtATime) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 6; ++i) {
    writers.emplace_back([this, i] {
      for (int k = 0; k < 5; ++k) write(std::to_string(i) + "." + std::to_string(k));
      finish();
    });
  }
  for (std::thread& writer : writers) writer.join();
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 5; ++k) EXPECT_TRUE(is_up_to_date(std::to_string(i) + "." + std::to_string(k)));
  }
  EXPECT_EQ(names().size(), 31u);
}

TEST_F(ResultFolderTest, RefusesAForeignFileAndLeavesOutDamagedLines) {
  write();
  finish();
  const fs::path manifest = out_ / "octavo-manifest.jsonl";
  const std::string text = text_of_result(manifest);
  for (const char* line : {"no JSON\n", "{}\n", "[[[[\n", "{\"file\":3}\n", "{\"file\":\"b.txt\",\"size\":-1}\n",
                           "{\"settings\":1,\"values\":{}}\n", "{\"file\":\"../a.png\"}\n", "\xff\n"}) {
    write_text(manifest, text + line);
    EXPECT_TRUE(is_up_to_date()) << line;
  }
  // A line of 100 000 brackets, which a recursion could not read.
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  write_text(manifest, text + "{\"settings\":\"a\",\"values\":" + deep + "}\n");
  EXPECT_TRUE(is_up_to_date());
  write_text(manifest, "notes of mine\n");
  try {
    static_cast<void>(is_up_to_date());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::file_error);
    EXPECT_NE(std::string(error.what()).find("octavo-manifest.jsonl"), std::string::npos);
  }
  EXPECT_EQ(text_of_result(manifest), "notes of mine\n");
}

TEST_F(ResultFolderTest, AJournalOfOthersRemovesOnlyPartFiles) {
  write();
  const fs::path journal = out_ / ".octavo-manifest.journal";
  const std::string text = text_of_result(journal);
  const std::size_t name = text.find("a.txt");
  ASSERT_NE(name, std::string::npos);
  write_text(out_ / ".notes", "mine");
  write_text(journal, std::string(text).replace(name, 5, "notes\\u0000"));
  static_cast<void>(is_up_to_date());
  EXPECT_EQ(text_of_result(out_ / ".notes"), "mine");
}

TEST_F(ResultFolderTest, AFullDiskIsAnErrorAndTheJournalStaysWhole) {
  write("a.txt");
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit none{fs::file_size(out_ / ".octavo-manifest.journal") + 40, before.rlim_max};
  const ResultFolder folder(out_);  // merges the journal
  const std::vector<ResultFile> large{
      {.name = "b.txt", .settings = settings, .bytes = bytes_of_result(std::string(9999, 'x'))}};
  setrlimit(RLIMIT_FSIZE, &none);
  EXPECT_THROW(folder.write(read_source(source_).source, 1, large), Error);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  write("c.txt");
  EXPECT_TRUE(is_up_to_date("a.txt") && is_up_to_date("c.txt"));
  EXPECT_FALSE(is_up_to_date("b.txt"));
  EXPECT_EQ(names(), (std::vector<std::string>{"a.txt", "c.txt", "octavo-manifest.jsonl"}));
}

}  // namespace
}  // namespace octavo
