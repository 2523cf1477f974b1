// Pairs of many images.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "cli/complaint.h"
#include "cli/match/match_call.h"
#include "cli/standard_streams.h"
#include "cli/work.h"
#include "io/files/output_file.h"
#include "octavo/io/collection.h"

namespace octavo::cli {
namespace {

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
  require_not_read(std::array{call.job.output}, std::array{std::filesystem::path(call.places.pairs)});
}

}  // namespace

int match_many_pairs(MatchCall& call) {
  check_options(call);
  if (!is_standard_stream(call.output)) call.job.output = call.output;
  Work work;
  call.job.pairs = find_image_pairs(call.places, call.job.read, call.job.device, work.context());
  work.end_if_interrupted("interrupted while pairs were chosen; nothing is written");
  check(call);
  const bool is_list = is_standard_stream(call.output);
  ListOutput out(call.json);
  std::size_t printed = 0;
  if (call.json) out.print("[");
  call.job.take = [&](const MatchedImages& pair) {
    work.progress().clear();
    if (is_list) {
      using Inliers = std::span<const std::uint8_t>;
      out.print(colmap_matches(pair.a.name.string(), pair.b.name.string(), pair.matches,
                               pair.model != nullptr ? Inliers(pair.model->inliers) : Inliers()));
    } else {
      out.print(call.json ? (printed == 0 ? "\n" : ",\n") + json_of(call.job.verification.by, pair) : text_of(pair));
    }
    ++printed;
    // The job ends if its results are neither printed nor written to a file.
    return !out.is_broken() || !call.job.output.empty();
  };
  const MatchSummary summary = work.run(match_images, call.job);
  if (call.json) {
    out.print("\n]\n");
  } else if (!is_list) {
    out.print(text_of(call.job, summary));
  }
  if (!summary.is_finished) {
    work.end_if_interrupted(fmt::format("interrupted after {} of {} pairs{}", summary.done, call.job.pairs.pairs.size(),
                                        summary.is_written ? ", which '" + call.output + "' has" : ""));
  }
  out.require_whole();
  return work.exit_code();
}

}  // namespace octavo::cli
