// octavo video verdict: what a person says of two clips of an archive.

#include <optional>

#include "cli/command.h"
#include "cli/video/archive.h"
#include "cli/video/video.h"
#include "jobs/archive_list.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

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
  Command& command = add_command(video, "verdict", video_verdict_txt);
  command.add_option("A", call->a);
  command.add_option("B", call->b);
  command.add_option("VERDICT", call->word);
  command.add_option("--index", call->folder).required();
  command.add_option("--note", call->note);
  command.add_flag("--remove", call->remove);
  command.add_flag("--json", call->json);
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
