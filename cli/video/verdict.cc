// octavo video verdict: what a person says of two clips of an archive.

#include <fmt/core.h>

#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/video/archive.h"
#include "cli/video/video.h"
#include "cli/wrong_call.h"
#include "jobs/archive_list.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(judge two clips of an archive

Notes that two clips show the same, that they do not, or that the pair is not of
interest. octavo video duplicates leaves out pairs that are different or not of
interest. A verdict holds for the contents of the clips, not for their names: it
stays when files are moved, and when they leave the archive and come back. A
clip can be named by its content, which octavo video list --json tells.
Without clips, prints all verdicts.)";

constexpr auto footer = R"(JSON, without clips:
  [{"content_a": "8c0e...", "content_b": "91fa...",
    "files_a": ["/films/a.mp4"], "files_b": [],
    "verdict": "different", "note": "another match of the same teams"}]

Examples:
  octavo video verdict a.mp4 b.mp4 different --index archive
  octavo video verdict a.mp4 b.mp4 ignore --note "same jingle" --index archive
  octavo video verdict a.mp4 b.mp4 --remove --index archive
  octavo video verdict --index archive --json

Exit codes:
  0  done
  1  the archive does not have the clips, or has no verdict to remove
  2  the call was wrong)";

struct Call {
  std::string a, b, word, note;
  std::filesystem::path folder;
  bool remove = false, json = false;
};

Judgement judgement_in(const std::string& word) {
  if (const std::optional<Judgement> judgement = judgement_of(word)) return *judgement;
  throw WrongCall(fmt::format("the verdict '{}' must be same, different or ignore", word));
}

std::string content_of(const VideoArchive& archive, const std::string& file) {
  std::optional<ArchivedClip> clip = archive.clip_of_file(file);
  if (!clip) clip = archive.clip_of_content(file);
  if (!clip) {
    throw Error(ErrorCode::file_error, fmt::format("'{}' is not in the archive '{}'", file, archive.folder().string()));
  }
  return clip->content;
}

void judge(const Call& call) {
  VideoArchive archive(call.folder);
  const std::string a = content_of(archive, call.a), b = content_of(archive, call.b);
  if (a == b) {
    throw Error(ErrorCode::file_error,
                fmt::format("'{}' and '{}' have the same bytes: they are one clip", call.a, call.b));
  }
  if (!call.remove) {
    archive.set_verdict({.a = a, .b = b, .judgement = judgement_in(call.word), .note = call.note});
  } else if (!archive.remove_verdict(a, b)) {
    throw Error(ErrorCode::file_error, fmt::format("there is no verdict on '{}' and '{}'", call.a, call.b));
  }
}

std::string as_text(const VideoArchive& archive) {
  const auto name_of_content = [&](const std::string& content) {
    const std::optional<ArchivedClip> clip = archive.clip_of_content(content);
    return clip ? clip->files.front().string() : "content " + content;
  };
  std::string text;
  for (const Verdict& one : archive.verdicts()) {
    text += fmt::format("{:9}  {}  {}{}\n", name_of(one.judgement), name_of_content(one.a), name_of_content(one.b),
                        one.note.empty() ? "" : "  " + one.note);
  }
  return text;
}

void list(const Call& call) {
  const VideoArchive archive(call.folder);
  print_whole(call.json ? verdicts_json(archive) + "\n" : as_text(archive));
}

void require_sense(const Call& call) {
  const bool has_word = !call.word.empty(), has_clips = !call.a.empty();
  if (has_clips && call.b.empty()) throw WrongCall("a verdict is on two clips, but one is given");
  if (has_clips && has_word == call.remove) {
    throw WrongCall(has_word ? "--remove takes no verdict" : "no verdict given: same, different or ignore");
  }
  if (has_word) judgement_in(call.word);
  if (!call.note.empty() && !has_word) refuse_without_effect("--note", "without a verdict");
  if (call.remove && !has_clips) refuse_without_effect("--remove", "without clips");
  if (call.json && has_clips) refuse_without_effect("--json", "with clips");
}

}  // namespace

void add_video_verdict(Command& video) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "verdict", description, footer);
  command.add_option("A", call->a, "The first clip: a file, or its content.").type_name("FILE");
  command.add_option("B", call->b, "The second clip.").type_name("FILE");
  command.add_option("VERDICT", call->word, "What is said of them: same, different or ignore.");
  add_archive_option(command, call->folder, "The folder of the archive.");
  command.add_option("--note", call->note, "A note on the verdict.").type_name("TEXT");
  command.add_flag("--remove", call->remove, "Remove the verdict.");
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  command.callback([call] {
    require_sense(*call);
    if (call->a.empty()) {
      list(*call);
    } else {
      judge(*call);
    }
  });
}

}  // namespace octavo::cli
