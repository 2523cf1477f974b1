// Pairs of many images.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "cli/match/match_call.h"
#include "cli/standard_streams.h"
#include "cli/work.h"
#include "cli/wrong_call.h"
#include "io/files/output_file.h"
#include "octavo/io/collection.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

// Refuses options without effect.
void check_options(const MatchCall& call) {
  if (!call.image_a.empty() || !call.image_b.empty()) {
    throw WrongCall("--image-a and --image-b have no effect with many images");
  }
  if (call.job.verification.camera_b) {
    throw WrongCall("--camera-b has no effect with many images, which have one camera");
  }
  if (is_standard_stream(call.places.a) || is_standard_stream(call.places.b)) {
    throw WrongCall("-: the standard input is one image, and is matched with one other");
  }
  if (call.json && is_standard_stream(call.output)) refuse_standard_output("--json has no place there");
}

// Refuses options that have no effect on these images, and an output that is the list of pairs.
void check(const MatchCall& call) {
  if (std::ranges::all_of(call.job.pairs.images, has_features)) {
    if (call.detector_given) throw WrongCall("options of detectors have no effect on stored features");
    if (call.reading_given) throw WrongCall("options of reading images and --mask have no effect on stored features");
  }
  if (call.job.output.empty()) return;
  require_not_read(std::array{call.job.output}, std::array{fs::path(call.places.pairs)});
}

// Prints the matches of pairs as they come: lines, JSON, or, with --output -, the list itself.
class PairReport {
 public:
  explicit PairReport(const MatchCall& call) : call_(call), is_list_(is_standard_stream(call.output)) {
    if (call_.json) out_.print("[");
  }

  void add(const MatchedImages& pair) {
    if (is_list_) {
      const auto inliers =
          pair.model != nullptr ? std::span<const std::uint8_t>(pair.model->inliers) : std::span<const std::uint8_t>();
      out_.print(colmap_matches(pair.a.name.string(), pair.b.name.string(), pair.matches, inliers));
    } else if (call_.json) {
      out_.print((pairs_ == 0 ? "\n" : ",\n") + json_of(call_.job.verification.by, pair));
    } else {
      out_.print(text_of(pair));
    }
    ++pairs_;
  }

  // Ends the JSON, or sums up the text.
  void sum_up(const MatchSummary& summary) {
    if (is_list_) return;
    if (call_.json) return out_.print("\n]\n");
    out_.print(fmt::format("pairs        {}\nmatches      {}\n", summary.pairs, summary.matches));
    if (summary.is_written) out_.print(fmt::format("file         {}\n", call_.output));
  }

  [[nodiscard]] bool is_broken() const { return out_.is_broken(); }
  void require_whole() const { out_.require_whole(); }

 private:
  const MatchCall& call_;
  bool is_list_;
  ListOutput out_;
  std::size_t pairs_ = 0;
};

}  // namespace

int match_many_pairs(MatchCall& call) {
  check_options(call);
  if (!is_standard_stream(call.output)) call.job.output = call.output;
  Work work;
  call.job.pairs = find_image_pairs(call.places, call.job.read, call.job.device, work.context());
  work.end_if_interrupted("interrupted while pairs were chosen; nothing is written");
  check(call);
  PairReport report(call);
  call.job.take = [&](const MatchedImages& pair) {
    work.progress().clear();
    report.add(pair);
    // The job ends if its results are neither printed nor written to a file.
    return !report.is_broken() || !call.job.output.empty();
  };
  const MatchSummary summary = work.run(match_images, call.job);
  report.sum_up(summary);
  if (!summary.is_finished) {
    work.end_if_interrupted(fmt::format("interrupted after {} of {} pairs{}", summary.done, call.job.pairs.pairs.size(),
                                        summary.is_written ? ", which '" + call.output + "' has" : ""));
  }
  report.require_whole();
  return work.exit_code();
}

}  // namespace octavo::cli
