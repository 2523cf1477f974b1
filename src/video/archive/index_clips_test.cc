#include "octavo/video/video_archive.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>

#include "octavo/error.h"
#include "video/archive/made_archive.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Takes files of text for clips. "bad" in the text is an error.
struct TextReader {
  std::atomic<int>* reads;

  std::optional<ClipFacts> operator()(const fs::path& clip, const ClipReading& tell) const {
    ++*reads;
    const std::string text = text_of(clip);
    tell.progress({.done = 0, .total = 1});
    if (tell.stop.stop_requested()) return std::nullopt;
    if (text.find("bad") != std::string::npos) {
      throw Error(ErrorCode::file_error, "cannot read '" + clip.string() + "': it is broken");
    }
    tell.signature(bytes_of("signature of "));
    tell.signature(bytes_of(text));
    return ClipFacts{
        .container = "text", .codec = "text", .seconds = 2, .frames = 4, .warnings = {}, .decoder = "test"};
  }
};

using Outcomes = std::map<std::string, ClipOutcome>;

class IndexClips : public testing::Test {
 protected:
  IndexClips() { job.read = TextReader{&reads}; }

  // What becomes of the files, by name.
  Outcomes index(const std::vector<fs::path>& files) {
    VideoArchive archive(folder.path / "archive", {});
    Outcomes outcomes;
    failures.clear();
    job.take = [&](const IndexedClip& result) {
      EXPECT_TRUE(outcomes.emplace(result.file.filename().string(), result.outcome).second);
      EXPECT_EQ(result.clip.has_value(), result.failure.empty());
      if (!result.failure.empty()) failures[result.file.filename().string()] = result.failure;
    };
    index_clips(archive, files, job);
    return outcomes;
  }

  std::vector<ArchivedClip> clips() { return VideoArchive(folder.path / "archive").clips(); }

  TestFolder folder;
  std::atomic<int> reads = 0;
  IndexJob job;
  std::map<std::string, std::string> failures;
};

TEST_F(IndexClips, ReadsOnlyWhatIsNew) {
  const fs::path a = folder.write("a", "one"), b = folder.write("b", "two");
  EXPECT_EQ(index({a, b}), (Outcomes{{"a", ClipOutcome::indexed}, {"b", ClipOutcome::indexed}}));
  EXPECT_EQ(index({a, b}), (Outcomes{{"a", ClipOutcome::unchanged}, {"b", ClipOutcome::unchanged}}));
  fs::rename(a, folder.path / "c");
  fs::copy_file(b, folder.path / "d");
  EXPECT_EQ(index({folder.path / "c", b, folder.path / "d"}),
            (Outcomes{{"b", ClipOutcome::unchanged}, {"c", ClipOutcome::recognised}, {"d", ClipOutcome::recognised}}));
  EXPECT_EQ(reads, 2);
  EXPECT_EQ(clips().size(), 2u);
  folder.write("b", "another");
  EXPECT_EQ(index({b}), (Outcomes{{"b", ClipOutcome::indexed}}));
  EXPECT_EQ(reads, 3);
  EXPECT_EQ(clips().size(), 3u);
}

TEST_F(IndexClips, NotesFailures) {
  const fs::path bad = folder.write("bad", "bad"), empty = folder.write("empty", ""),
                 good = folder.write("good", "one");
  const fs::path none = folder.path / "none";
  const std::vector<fs::path> all{bad, folder.path, empty, none, good};
  Outcomes outcomes{{"bad", ClipOutcome::failed},
                    {folder.path.filename().string(), ClipOutcome::failed},
                    {"empty", ClipOutcome::failed},
                    {"none", ClipOutcome::failed},
                    {"good", ClipOutcome::indexed}};
  std::map<std::string, std::string> reasons{{"bad", "it is broken"},
                                             {folder.path.filename().string(), "it is a directory"},
                                             {"empty", "it is empty"},
                                             {"none", "no such file"}};
  EXPECT_EQ(index(all), outcomes);
  EXPECT_EQ(failures, reasons);
  EXPECT_EQ(reads, 2);
  for (auto& [name, outcome] : outcomes) {
    outcome = name == "good" ? ClipOutcome::unchanged : ClipOutcome::failed_before;
  }
  EXPECT_EQ(index(all), outcomes);
  EXPECT_EQ(failures, reasons);
  EXPECT_EQ(reads, 2);
  job.retry = true;
  EXPECT_EQ(index({bad, good}), (Outcomes{{"bad", ClipOutcome::failed}, {"good", ClipOutcome::unchanged}}));
  EXPECT_EQ(reads, 3);
  job.retry = false;
  folder.write("bad", "mended");
  EXPECT_EQ(index({bad}), (Outcomes{{"bad", ClipOutcome::indexed}}));
  // The disk of a file may be absent: its clip stays.
  fs::remove(good);
  EXPECT_EQ(index({good}), (Outcomes{{"good", ClipOutcome::failed}}));
  EXPECT_EQ(clips().size(), 2u);
}

TEST_F(IndexClips, NoticesFilesThatChangeMeanwhile) {
  const fs::path shrinks = folder.write("shrinks", "0123456789"), vanishes = folder.write("vanishes", "one");
  job.read = [&](const fs::path& clip, const ClipReading& tell) {
    const std::optional<ClipFacts> facts = TextReader{&reads}(clip, tell);
    if (clip == shrinks) fs::resize_file(clip, 5);
    if (clip == vanishes) fs::remove(clip);
    return facts;
  };
  EXPECT_EQ(index({shrinks, vanishes}),
            (Outcomes{{"shrinks", ClipOutcome::failed}, {"vanishes", ClipOutcome::failed}}));
  EXPECT_EQ(failures["shrinks"], "it changed while it was read");
  EXPECT_EQ(failures["vanishes"], "it vanished while it was read");
  EXPECT_TRUE(clips().empty());
  EXPECT_TRUE(files_below(folder.path / "archive" / "segments").empty());
  job.read = TextReader{&reads};
  EXPECT_EQ(index({shrinks}), (Outcomes{{"shrinks", ClipOutcome::indexed}}));  // it was stable now
}

TEST_F(IndexClips, HasOneAnswerInAnyOrder) {
  std::vector<fs::path> files;
  for (int i = 0; i < 12; ++i) files.push_back(folder.write(std::to_string(i), "clip " + std::to_string(i % 10)));
  std::vector<std::string> digests;
  for (const std::size_t jobs : {1, 2, 7}) {
    VideoArchive archive(folder.path / ("archive" + std::to_string(jobs)), {});
    job.jobs = jobs;
    reads = 0;
    index_clips(archive, files, job);
    EXPECT_EQ(reads, 10);
    EXPECT_EQ(archive.files().size(), 12u);
    digests.push_back(archive.digest());
    std::rotate(files.begin(), files.begin() + 5, files.end());
    std::reverse(files.begin(), files.begin() + 3);
  }
  EXPECT_EQ(digests, std::vector<std::string>(3, digests.front()));
}

TEST_F(IndexClips, SharesTheWorkOfProcesses) {
  std::vector<fs::path> files;
  for (int i = 0; i < 30; ++i) files.push_back(folder.write(std::to_string(i), "clip " + std::to_string(i)));
  std::vector<std::thread> processes;
  for (int i = 0; i < 4; ++i) {
    processes.emplace_back([&] {
      VideoArchive archive(folder.path / "archive", {});
      index_clips(archive, files, job);
    });
  }
  for (std::thread& process : processes) process.join();
  EXPECT_EQ(reads, 30);  // each clip by one of them
  EXPECT_EQ(clips().size(), 30u);
}

TEST_F(IndexClips, StopsAndGoesOn) {
  std::vector<fs::path> files;
  for (int i = 0; i < 5; ++i) files.push_back(folder.write(std::to_string(i), "clip " + std::to_string(i)));
  std::stop_source stop;
  job.stop = stop.get_token();
  job.progress = [&](const IndexProgress&) {
    if (reads == 3) stop.request_stop();  // the third clip is dropped
  };
  EXPECT_EQ(index(files).size(), 2u);
  EXPECT_EQ(clips().size(), 2u);
  EXPECT_EQ(files_below(folder.path / "archive" / "segments").size(), 2u);
  job.stop = {};
  job.progress = {};
  EXPECT_EQ(index(files).size(), 5u);
  EXPECT_EQ(clips().size(), 5u);
  EXPECT_EQ(reads, 6);
}

TEST_F(IndexClips, TellsProgress) {
  std::vector<fs::path> files;
  for (int i = 0; i < 3; ++i) files.push_back(folder.write(std::to_string(i), "clip " + std::to_string(i)));
  std::vector<IndexProgress> told;
  job.progress = [&](const IndexProgress& progress) { told.push_back(progress); };
  index(files);
  ASSERT_GE(told.size(), 6u);
  EXPECT_EQ(told.front().done, 0u);
  EXPECT_EQ(told.front().files, 3u);
  EXPECT_EQ(told.back().done, 3u);
  EXPECT_EQ(told.back().clip_seconds, 6);
}

TEST_F(IndexClips, EndsWhenTheArchiveCannotBeWritten) {
  const std::vector<fs::path> files{folder.write("a", "one"), folder.write("b", "two")};
  index({files[0]});
  fs::rename(folder.path / "archive" / "segments", folder.path / "kept");
  folder.write("archive/segments", "no folder");
  EXPECT_THROW(index(files), Error);
  fs::remove(folder.path / "archive" / "segments");
  fs::rename(folder.path / "kept", folder.path / "archive" / "segments");
  // This is no failure of the clip.
  EXPECT_EQ(index(files), (Outcomes{{"a", ClipOutcome::unchanged}, {"b", ClipOutcome::indexed}}));
}

TEST_F(IndexClips, EndsWithoutItsDevice) {
  const std::vector<fs::path> files{folder.write("a", "one"), folder.write("b", "two")};
  job.read = [](const fs::path&, const ClipReading&) -> std::optional<ClipFacts> {
    throw Error(ErrorCode::device_unavailable, "there is no such device");
  };
  EXPECT_THROW(index(files), Error);
  EXPECT_TRUE(VideoArchive(folder.path / "archive").files().empty());
}

}  // namespace
}  // namespace octavo
