// octavo video verdict: what a person says of two clips of an archive.

#include <optional>

#include "cli/command.h"
#include "jobs/archive_list.h"

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

void define_video_verdict(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("A", call->a);
  command.add_option("B", call->b);
  command.add_option("VERDICT", call->word);
  command.add_option("--index", call->folder).required();
  command.add_option("--note", call->note);
  command.add_flag("--remove", call->remove);
  command.add_flag("--json", call->json);
  command.action = [call] {
    require_sense(*call);
    VideoArchive archive(call->folder);
    if (call->a.empty()) {
      print_whole(call->json ? verdicts_json(archive) + "\n" : verdicts_text(archive), call->json);
      return exit_done;
    }
    judge(archive, call->a, call->b, call->remove ? std::nullopt : std::optional(judgement_in(call->word)), call->note);
    return exit_done;
  };
}

}  // namespace octavo::cli
