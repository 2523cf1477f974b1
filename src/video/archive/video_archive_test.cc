#include "octavo/video/video_archive.h"

#include <gtest/gtest.h>
#include <sys/file.h>

#include <cstring>
#include <fstream>
#include <thread>

#include "io/files/content_digest.h"
#include "io/files/file_descriptor.h"
#include "io/files/read_bytes.h"
#include "io/sqlite/sqlite.h"
#include "octavo/error.h"
#include "video/archive/made_archive.h"
#include "video/signature/made_signature.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

ClipFacts some_facts() {
  return {.container = "avi",
          .codec = "h264",
          .width = 720,
          .height = 576,
          .frame_rate = {30000, 1001},
          .seconds = 12.5,
          .frames = 375,
          .warnings = {{"truncated", "the file ends too early"}, {"time", "times go back"}},
          .decoder = "h264 (libavcodec 59.37.100)"};
}

// Adds a file as an indexing job would: its content is that of the file, its signature these bytes.
std::int64_t add(VideoArchive& archive, const fs::path& file, std::string_view signature, double work_seconds = 0.5) {
  ArchivedClip clip;
  clip.content = content_digest(file);
  clip.size = stamp_of(file).value().size;
  clip.facts = some_facts();
  clip.work_seconds = work_seconds;
  VideoArchive::NewSignature made = archive.new_signature(clip.content);
  made.write(bytes_of(signature.substr(0, 1)));
  made.write(bytes_of(signature.substr(1)));
  return archive.add(clip, std::move(made), file, stamp_of(file).value());
}

std::vector<std::string> signatures_in(const VideoArchive& archive) {
  return files_below(archive.folder() / "segments");
}

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(VideoArchive, HasTheSameCatalogueWhateverTimeTheWorkTook) {
  const TestFolder folder;
  const fs::path file = folder.write("a.avi", "content of a");
  for (const double seconds : {0.5, 7.0}) {
    const fs::path place = folder.path / (seconds < 1 ? "fast" : "slow");
    {
      VideoArchive archive(place, {});
      add(archive, file, "signature", seconds);
    }
    EXPECT_EQ(VideoArchive(place).clips()[0].work_seconds, seconds);
    std::ofstream(place / "work_times", std::ios::app) << VideoArchive(place).clips()[0].content << " 9";  // is cut
    EXPECT_EQ(VideoArchive(place).clips()[0].work_seconds, seconds);
  }
  EXPECT_EQ(io::read_bytes(folder.path / "fast/catalogue.sqlite"),
            io::read_bytes(folder.path / "slow/catalogue.sqlite"));
}

TEST(VideoArchive, KeepsItsSettings) {
  const TestFolder folder;
  const fs::path place = folder.path / "new" / "archive";
  EXPECT_FALSE(VideoArchive::exists(place));
  EXPECT_EQ(error_of([&] { VideoArchive archive(place); }), "there is no archive in '" + place.string() + "'");
  const SignatureOptions settings{.every = 5, .max_features = 300, .doubled = true};
  { const VideoArchive archive(place, settings); }
  EXPECT_TRUE(VideoArchive::exists(place));
  EXPECT_EQ(VideoArchive(place).settings(), settings);
  EXPECT_EQ(VideoArchive(place, settings).settings(), settings);
  SignatureOptions other = settings;
  other.max_features = 200;
  EXPECT_EQ(error_of([&] { VideoArchive archive(place, other); }),
            "max_features is 200, but must be 300, with which the archive '" + place.string() + "' was made");
  EXPECT_FALSE(VideoArchive(place).is_fast());
  EXPECT_EQ(error_of([&] { VideoArchive archive(place, settings, true); }),
            "fast is true, but must be false, with which the archive '" + place.string() + "' was made");
  { const VideoArchive archive(folder.path / "fast", settings, true); }
  EXPECT_TRUE(VideoArchive(folder.path / "fast").is_fast());
  EXPECT_NE(VideoArchive(folder.path / "fast").digest(), VideoArchive(place).digest());
  other.max_features = 1;
  EXPECT_THROW(VideoArchive(folder.path / "other", other), Error);
  EXPECT_FALSE(VideoArchive::exists(folder.path / "other"));
}

TEST(VideoArchive, ReadsTablesOfTheFirstVersion) {
  const TestFolder folder;
  { const VideoArchive archive(folder.path, {.max_features = 300}); }
  sqlite::Database(folder.path / "catalogue.sqlite", false, "catalogue")
      .run_script(
          "UPDATE setting SET name = 'features' WHERE name = 'max_features'; ALTER TABLE clip DROP COLUMN time_code; "
          "PRAGMA user_version = 1");
  EXPECT_EQ(VideoArchive(folder.path).settings().max_features, 300);
  EXPECT_TRUE(VideoArchive(folder.path).clips().empty());
}

TEST(VideoArchive, MakesWhatAKilledProcessBegan) {
  const TestFolder folder;
  sqlite::Database(folder.path / "catalogue.sqlite", true, "catalogue").use_write_ahead_log();
  EXPECT_FALSE(VideoArchive::exists(folder.path));
  EXPECT_EQ(error_of([&] { VideoArchive archive(folder.path); }),
            "there is no archive in '" + folder.path.string() + "'");
  EXPECT_TRUE(VideoArchive(folder.path, {}).files().empty());
  EXPECT_TRUE(VideoArchive::exists(folder.path));
}

TEST(VideoArchive, RefusesOtherFiles) {
  const TestFolder folder;
  { const VideoArchive archive(folder.path / "later", {}); }
  sqlite::Database(folder.path / "later" / "catalogue.sqlite", false, "catalogue")
      .run_script("PRAGMA user_version = 5");
  EXPECT_NE(error_of([&] { VideoArchive archive(folder.path / "later"); }).find("a later version of Octavo made it"),
            std::string::npos);
  fs::create_directory(folder.path / "foreign");
  sqlite::Database(folder.path / "foreign" / "catalogue.sqlite", true, "catalogue").run_script("CREATE TABLE t (x)");
  for (const auto& open : {+[](const fs::path& at) { VideoArchive archive(at); },
                           +[](const fs::path& at) { VideoArchive archive(at, {}); }}) {
    EXPECT_NE(error_of([&] { open(folder.path / "foreign"); }).find("another program made this file"),
              std::string::npos);
  }
  folder.write("text/catalogue.sqlite", std::string(5000, 'x'));
  EXPECT_NE(error_of([&] { VideoArchive archive(folder.path / "text"); }).find("it is no database of SQLite"),
            std::string::npos);
}

TEST(VideoArchive, GivesBackWhatWasAdded) {
  const TestFolder folder;
  const fs::path file = folder.write("films/a.avi", "content of a");
  const ClipSignature signature = made_signature(1, 3, 10);
  const std::vector<std::byte> bytes = encode_signature(signature);
  {
    VideoArchive archive(folder.path / "archive", {});
    add(archive, file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  const VideoArchive archive(folder.path / "archive");
  const std::vector<ArchivedClip> clips = archive.clips();
  ASSERT_EQ(clips.size(), 1u);
  EXPECT_EQ(clips[0].content, content_digest(bytes_of("content of a")));
  EXPECT_EQ(clips[0].size, 12u);
  EXPECT_EQ(clips[0].files, std::vector<fs::path>{file});
  EXPECT_EQ(clips[0].facts, some_facts());
  EXPECT_EQ(clips[0].signature_digest, content_digest(bytes));
  EXPECT_EQ(clips[0].signature_size, bytes.size());
  EXPECT_EQ(clips[0].work_seconds, 0.5);
  EXPECT_EQ(archive.signature_bytes(clips[0]), bytes);
  ClipSignature with_step = signature;
  with_step.step = 1 / SignatureOptions().fps;
  EXPECT_EQ(archive.signature(clips[0]), with_step);
  EXPECT_EQ(archive.clip_of_file(folder.path / "films/../films/a.avi").value().id, clips[0].id);
  EXPECT_EQ(archive.clip_of_content(clips[0].content).value().id, clips[0].id);
  EXPECT_FALSE(archive.clip_of_file(folder.path / "b.avi"));
  EXPECT_FALSE(archive.clip_of_content("00"));
  EXPECT_EQ(archive.file(file).value().stamp, stamp_of(file));
  EXPECT_EQ(signatures_in(archive), std::vector<std::string>{clips[0].signature_digest + ".signature"});

  folder.write(
      "archive/segments/" + clips[0].signature_digest.substr(0, 2) + "/" + clips[0].signature_digest + ".signature",
      "other");
  EXPECT_NE(error_of([&] { static_cast<void>(archive.signature(clips[0])); }).find("is damaged"), std::string::npos);
}

TEST(VideoArchive, HasContentsOnce) {
  const TestFolder folder;
  VideoArchive archive(folder.path / "archive", {});
  const fs::path a = folder.write("a.avi", "one"), b = folder.write("b.avi", "one"), c = folder.write("c.avi", "two");
  const std::int64_t first = add(archive, a, "signature");
  EXPECT_EQ(add(archive, a, "signature"), first);
  EXPECT_TRUE(archive.add_file(content_digest(b), b, stamp_of(b).value()));
  EXPECT_FALSE(archive.add_file(content_digest(c), c, stamp_of(c).value()));
  EXPECT_EQ(archive.clips().size(), 1u);
  EXPECT_EQ(archive.clips()[0].files, (std::vector<fs::path>{a, b}));
  // Another content with the same signature shares the file of the signature.
  EXPECT_NE(add(archive, c, "signature"), first);
  EXPECT_EQ(signatures_in(archive).size(), 1u);
  EXPECT_TRUE(archive.forget(a));
  EXPECT_FALSE(archive.forget(a));
  EXPECT_EQ(archive.clips().size(), 2u);
  EXPECT_TRUE(archive.forget(b));
  EXPECT_EQ(archive.clips().size(), 1u);
  EXPECT_EQ(signatures_in(archive).size(), 1u);
  EXPECT_TRUE(archive.forget(c));
  EXPECT_TRUE(archive.clips().empty());
  EXPECT_TRUE(archive.files().empty());
  EXPECT_TRUE(signatures_in(archive).empty());
  EXPECT_GT(add(archive, a, "signature"), first + 1);  // ids are not used again
}

TEST(VideoArchive, FollowsChangedAndMovedFiles) {
  const TestFolder folder;
  VideoArchive archive(folder.path / "archive", {});
  const fs::path a = folder.write("a.avi", "one");
  const std::int64_t id = add(archive, a, "first");
  const fs::path moved = folder.path / "moved.avi";
  fs::rename(a, moved);
  EXPECT_TRUE(archive.add_file(content_digest(moved), moved, stamp_of(moved).value()));
  ASSERT_EQ(archive.files().size(), 1u);
  EXPECT_EQ(archive.files()[0].file, moved);
  EXPECT_EQ(archive.clip_of_file(moved).value().id, id);

  folder.write("moved.avi", "another content");
  EXPECT_NE(add(archive, moved, "second"), id);
  ASSERT_EQ(archive.clips().size(), 1u);
  EXPECT_EQ(signatures_in(archive), std::vector<std::string>{content_digest(bytes_of("second")) + ".signature"});

  archive.add_failure(moved, stamp_of(moved), "it is broken");
  EXPECT_TRUE(archive.clips().empty());
  EXPECT_TRUE(signatures_in(archive).empty());
  EXPECT_EQ(archive.files()[0].failure, "it is broken");
  EXPECT_FALSE(archive.files()[0].clip);
}

TEST(VideoArchive, TakesAnyFileName) {
  const TestFolder folder;
  VideoArchive archive(folder.path / "archive", {});
  const fs::path file = folder.write("\xff'\" %\n.avi", "one");  // not UTF-8
  add(archive, file, "signature");
  EXPECT_EQ(archive.files()[0].file, file);
  EXPECT_TRUE(archive.forget(file));
}

TEST(VideoArchive, HasADigestOfContentsAndSettings) {
  const TestFolder folder;
  VideoArchive first(folder.path / "first", {}), second(folder.path / "second", {}), third(folder.path / "third", {});
  const fs::path a = folder.write("a.avi", "one"), b = folder.write("b.avi", "two"), c = folder.write("c.avi", "one");
  add(first, a, "of one");
  EXPECT_NE(first.digest(), second.digest());
  add(first, b, "of two");
  first.add_failure(folder.path / "no.avi", {}, "no such file");
  add(second, b, "of two");
  add(second, c, "of one");
  EXPECT_EQ(first.digest(), second.digest());
  add(third, a, "of one");
  add(third, b, "of two!");
  EXPECT_NE(first.digest(), third.digest());
  EXPECT_NE(VideoArchive(folder.path / "x", {}).digest(),
            VideoArchive(folder.path / "y", {.max_features = 99}).digest());
}

TEST(VideoArchive, ReplacesTheVerdictThatTheCallerKnows) {
  const TestFolder folder;
  VideoArchive archive(folder.path / "archive", {});
  const Verdict same{"aa", "bb", Judgement::same, "a note"}, other{"aa", "bb", Judgement::different, ""};
  EXPECT_TRUE(archive.replace_verdict(std::nullopt, Verdict{"bb", "aa", Judgement::same, "a note"}));
  EXPECT_FALSE(archive.replace_verdict(std::nullopt, other));
  EXPECT_FALSE(archive.replace_verdict(Verdict{"aa", "bb", Judgement::same, "another note"}, other));
  EXPECT_EQ(archive.verdicts(), std::vector{same});
  EXPECT_TRUE(archive.replace_verdict(same, other));
  EXPECT_EQ(archive.verdicts(), std::vector{other});
  EXPECT_FALSE(archive.replace_verdict(same, std::nullopt));
  EXPECT_TRUE(archive.replace_verdict(other, std::nullopt));
  EXPECT_TRUE(archive.verdicts().empty());
  EXPECT_THROW(archive.replace_verdict(std::nullopt, std::nullopt), Error);
  EXPECT_THROW(archive.replace_verdict(same, Verdict{"aa", "cc", Judgement::same, ""}), Error);
  EXPECT_THROW(archive.replace_verdict(std::nullopt, Verdict{"aa", "aa", Judgement::same, ""}), Error);
}

TEST(VideoArchive, KeepsVerdicts) {
  const TestFolder folder;
  VideoArchive archive(folder.path / "archive", {});
  archive.set_verdict({"bb", "aa", Judgement::same, "two scans of one print"});
  archive.set_verdict({"aa", "cc", Judgement::different, ""});
  archive.set_verdict({"cc", "aa", Judgement::ignore, "the intro"});
  const std::vector<Verdict> expected{{"aa", "bb", Judgement::same, "two scans of one print"},
                                      {"aa", "cc", Judgement::ignore, "the intro"}};
  EXPECT_EQ(VideoArchive(folder.path / "archive").verdicts(), expected);
  EXPECT_TRUE(archive.remove_verdict("cc", "aa"));
  EXPECT_FALSE(archive.remove_verdict("cc", "aa"));
  EXPECT_EQ(archive.verdicts().size(), 1u);
  EXPECT_THROW(archive.set_verdict({"aa", "aa", Judgement::same, ""}), Error);
}

TEST(VideoArchive, RemovesWhatKilledProcessesLeave) {
  const TestFolder folder;
  VideoArchive archive(folder.path / "archive", {});
  add(archive, folder.write("a.avi", "one"), "signature");
  const std::vector<std::string> whole = signatures_in(archive);
  folder.write("archive/segments/12/1234.signature", "of no clip");
  folder.write("archive/segments/.dead.part", "unfinished");
  const fs::path living = folder.write("archive/segments/.living.part", "unfinished");
  {
    const io::FileDescriptor writer(living, O_WRONLY);
    ASSERT_EQ(flock(writer.number(), LOCK_EX), 0);
    archive.remove_leftovers();
    EXPECT_TRUE(fs::exists(living));
  }
  archive.remove_leftovers();
  EXPECT_EQ(signatures_in(archive), whole);
  { const VideoArchive::NewSignature dropped = archive.new_signature("55"); }
  EXPECT_EQ(signatures_in(archive), whole);
}

TEST(VideoArchive, GivesAClaimOnce) {
  const TestFolder folder;
  const VideoArchive archive(folder.path / "archive", {}), other(folder.path / "archive", {});
  const std::string content = content_digest(bytes_of("one")), another = content_digest(bytes_of("two"));
  std::optional<VideoArchive::Claim> claim = archive.claim(content);
  EXPECT_TRUE(claim);
  EXPECT_FALSE(archive.claim(content));
  EXPECT_FALSE(other.claim(content));
  EXPECT_TRUE(other.claim(another));
  claim.reset();
  EXPECT_TRUE(other.claim(content));
}

TEST(VideoArchive, TakesManyWritersAtATime) {
  const TestFolder folder;
  std::vector<std::thread> threads;
  std::vector<std::string> errors(8);
  for (std::size_t t = 0; t < errors.size(); ++t) {
    threads.emplace_back([&, t] {
      errors[t] = error_of([&] {
        VideoArchive archive(folder.path / "archive", {});  // all make it at the same time
        for (int i = 0; i < 5; ++i) {
          const std::string name = std::to_string(t) + "-" + std::to_string(i);
          add(archive, folder.write(name + ".avi", name), "signature of " + name);
          archive.remove_leftovers();
        }
      });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(errors, std::vector<std::string>(errors.size(), "no error"));
  const VideoArchive archive(folder.path / "archive");
  EXPECT_EQ(archive.clips().size(), 40u);
  EXPECT_EQ(signatures_in(archive).size(), 40u);
}

}  // namespace
}  // namespace octavo
