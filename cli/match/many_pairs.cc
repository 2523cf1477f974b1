// Pairs of many pictures. The features of all of them are computed or read once and stay in memory, within a limit.
// Then each picture is matched with its partners, several in one submission. A picture or pair that fails is reported,
// and the others are matched. An interrupted run keeps the pairs that are done.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/complaint.h"
#include "cli/interruption.h"
#include "cli/match/match_call.h"
#include "cli/match/pair_features.h"
#include "cli/match/pair_plan.h"
#include "cli/match/pair_report.h"
#include "cli/match/verification.h"
#include "cli/progress.h"
#include "cli/standard_streams.h"
#include "cli/wrong_call.h"
#include "octavo/error.h"
#include "octavo/hloc.h"
#include "octavo/imageio.h"
#include "octavo/output_file.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

// Refuses options without effect.
void check_options(const MatchCall& call) {
  if (!call.image_a.empty() || !call.image_b.empty()) {
    throw WrongCall("--image-a and --image-b have no effect with many pictures");
  }
  if (call.camera_b) throw WrongCall("--camera-b has no effect with many pictures, which have one camera");
  if (is_standard_stream(call.a) || is_standard_stream(call.b)) {
    throw WrongCall("-: the standard input is one picture, and is matched with one other");
  }
  if (call.json && is_standard_stream(call.output)) refuse_standard_output("--json has no place there");
}

// Leaves out the pairs that COLMAP's text cannot hold.
void leave_out_unlistable(PairPlan& plan) {
  std::vector<std::string> names;
  for (const PlannedPicture& picture : plan.pictures) names.push_back(picture.name);
  std::ranges::move(take_out_unlistable(plan.pairs, names), std::back_inserter(plan.problems));
}

// Refuses what does not fit the pictures, and an output that cannot be made, before the work.
void check(const MatchCall& call, const PairPlan& plan) {
  const bool all_stored = std::all_of(plan.pictures.begin(), plan.pictures.end(), is_stored);
  const bool any_stored = std::any_of(plan.pictures.begin(), plan.pictures.end(), is_stored);
  require_known_camera(call, call.camera, !any_stored);
  if (all_stored && call.detector_given) {
    throw WrongCall("options of detectors have no effect on stored features");
  }
  if (all_stored && call.reading_given) {
    throw WrongCall("--no-exif-rotation and --max-pixels have no effect on stored features");
  }
  if (call.output.empty()) return;
  if (is_standard_stream(call.output)) return;
  const std::array<fs::path, 1> written{call.output};
  require_ending(written, std::array<std::string_view, 3>{".txt", ".h5", ".hdf5"});
  std::vector<fs::path> read{call.pairs};
  for (const PlannedPicture& picture : plan.pictures) read.push_back(picture.file.file);
  require_not_read(written, read);
  require_writable(written);
}

// The first pairs that have their first picture in common; a few, so that an interruption need not wait for all.
std::span<const PicturePair> first_block(std::span<const PicturePair> pairs) {
  constexpr std::size_t most = 16;
  std::size_t count = 1;
  while (count < std::min(most, pairs.size()) && pairs[count].first == pairs.front().first) ++count;
  return pairs.first(count);
}

// Matches the pairs of a plan and tells of each. A pair that fails is no other's failure.
class PairMatching {
 public:
  PairMatching(const MatchCall& call, Matcher& matcher, const PairPlan& plan, PairReport& report, Progress& progress,
               const OnFailure& fail)
      : call_(call), matcher_(matcher), plan_(plan), report_(report), progress_(progress), fail_(fail) {}

  // Ends early when it is interrupted. Throws Error(file_error) if the report cannot be written.
  void run(const Interruption& interruption) {
    for (std::span<const PicturePair> rest = plan_.pairs; !rest.empty();) {
      const std::span<const PicturePair> block = first_block(rest);
      show(block.front());
      const std::vector<std::vector<Match>> matches = matches_of(block);
      for (std::size_t i = 0; i < block.size(); ++i) {
        if (interruption.is_requested() || report_.is_in_vain()) return;
        if (are_loaded(block[i]) && !matches.empty()) tell(block[i], matches[i]);
        ++done_;
      }
      rest = rest.subspan(block.size());
    }
  }

  // The number of pairs whose turn is over.
  [[nodiscard]] std::size_t done() const { return done_; }

 private:
  [[nodiscard]] const PlannedPicture& picture(std::size_t index) const { return plan_.pictures[index]; }
  [[nodiscard]] bool are_loaded(const PicturePair& pair) const {
    return picture(pair.first).features && picture(pair.second).features;
  }
  void show(const PicturePair& pair) {
    progress_.show("matching " + picture(pair.first).name, done_, plan_.pairs.size());
  }

  // The matches of each pair; none of a pair that is not loaded. Empty if this fails.
  std::vector<std::vector<Match>> matches_of(std::span<const PicturePair> block) {
    static const Features none;
    const PlannedPicture& a = picture(block.front().first);
    std::vector<const Features*> partners;
    for (const PicturePair& pair : block)
      partners.push_back(are_loaded(pair) ? &*picture(pair.second).features : &none);
    try {
      return matcher_.match(a.features ? *a.features : none, partners);
    } catch (const std::exception& error) {
      fail_(fmt::format("{}: {}", a.file.file.string(), error.what()));
      return {};
    }
  }

  void tell(const PicturePair& pair, std::span<const Match> matches) {
    const PlannedPicture &a = picture(pair.first), &b = picture(pair.second);
    std::optional<EssentialModel> model;
    try {
      model = verified(call_, *a.features, a.facts, *b.features, b.facts, matches);
    } catch (const std::exception& error) {
      return fail_(fmt::format("{} and {}: {}", a.file.file.string(), b.file.file.string(), error.what()));
    }
    progress_.clear();
    report_.add(a, b, matches, model);
    show(pair);
  }

  const MatchCall& call_;
  Matcher& matcher_;
  const PairPlan& plan_;
  PairReport& report_;
  Progress& progress_;
  const OnFailure& fail_;
  std::size_t done_ = 0;
};

}  // namespace

int match_many_pairs(const MatchCall& call) {
  check_options(call);
  PairPlan plan = plan_pairs(call);
  check(call, plan);
  if (!call.output.empty() && !is_hloc_file(call.output)) leave_out_unlistable(plan);
  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  bool failed = false;
  const OnFailure fail = [&](const std::string& sentence) {
    failed = true;
    progress.clear();
    complain(sentence);
  };
  for (const std::string& problem : plan.problems) fail(problem);
  const Interruption interruption;
  progress.show("starting");
  Matcher matcher(call.match, device);
  load_features(call, device, plan, progress, interruption, fail);

  PairReport report(call);
  PairMatching matching(call, matcher, plan, report, progress, fail);
  try {
    if (!interruption.is_requested()) matching.run(interruption);
    progress.clear();
    // A run that was interrupted or failed replaces no list by an empty one.
    const bool is_worth = report.pairs() > 0 || !(interruption.is_requested() || failed);
    is_worth ? report.finish_list() : report.drop_list();
  } catch (const Error& error) {
    fail(error.what());
    report.drop_list();
  }
  report.sum_up();
  if (interruption.is_requested() && matching.done() < plan.pairs.size()) {
    complain(fmt::format("interrupted after {} of {} pairs{}", matching.done(), plan.pairs.size(),
                         report.is_list_finished() ? ", which '" + call.output + "' has" : ""));
    interruption.end_program();
  }
  report.require_whole();
  return failed ? exit_failed : exit_done;
}

}  // namespace octavo::cli
