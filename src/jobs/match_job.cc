// Pairs of many images. Features come first, then the pairs, those of one image in one submission. What fails is told,
// and the others are matched. A job that is stopped keeps the pairs that are done.

#include "octavo/jobs/match_jobs.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <optional>
#include <string_view>

#include "io/features/hloc.h"
#include "io/files/output_file.h"
#include "jobs/giving_up.h"
#include "jobs/match_features.h"
#include "jobs/match_output.h"
#include "octavo/error.h"

namespace octavo {
namespace jobs {
namespace {

namespace fs = std::filesystem;

// Refuses what does not fit the images, and an output that cannot be made, before the work.
void check_job(const MatchJob& job) {
  validate(job.match);
  validate(job.verification.robust);
  const bool any_stored = !job.features && std::ranges::any_of(job.pairs.images, has_features);
  require_known_camera(job.verification, job.verification.camera, !any_stored);
  if (job.output.empty()) return;
  const std::array<fs::path, 1> written{job.output};
  require_ending(written, std::array<std::string_view, 3>{".txt", ".h5", ".hdf5"});
  std::vector<fs::path> read;
  for (const ImageFile& image : job.pairs.images) read.push_back(image.file);
  require_not_read(written, read);
  require_writable(written);
}

// The first pairs that have their first image in common; a few, so that a stop need not wait for all.
std::span<const ImagePair> first_block(std::span<const ImagePair> pairs) {
  constexpr std::size_t most = 16;
  std::size_t count = 1;
  while (count < std::min(most, pairs.size()) && pairs[count].first == pairs.front().first) ++count;
  return pairs.first(count);
}

// Matches the pairs of a job and tells of each. A pair that fails is no other's failure.
class Matching {
 public:
  Matching(const MatchJob& job, const JobContext& context, Matcher& matcher, const std::vector<ImageFeatures>& found,
           MatchOutput& output)
      : job_(job), context_(context), matcher_(matcher), found_(found), output_(output) {}

  // Ends early at a stop, in the midst of a pair. Throws Error(file_error) if the output cannot be written.
  void run(std::span<const ImagePair> pairs, MatchSummary& summary) try {
    for (std::span<const ImagePair> rest = pairs; !rest.empty();) {
      const std::span<const ImagePair> block = first_block(rest);
      report_item(context_.progress, "matching " + job_.pairs.images[block.front().first].name.string(), summary.done,
                  pairs.size());
      const std::vector<std::vector<Match>> matches = matches_of(block);
      for (std::size_t i = 0; i < block.size(); ++i) {
        if (context_.stop.stop_requested() || !goes_on_) return;
        if (are_loaded(block[i]) && !matches.empty()) tell(block[i], matches[i], summary);
        ++summary.done;
      }
      rest = rest.subspan(block.size());
    }
    summary.is_finished = true;
  } catch (const GivenUp&) {
  }

 private:
  [[nodiscard]] const ImageFile& image(std::size_t index) const { return job_.pairs.images[index]; }
  [[nodiscard]] bool are_loaded(const ImagePair& pair) const {
    return found_[pair.first].features && found_[pair.second].features;
  }

  // The matches of each pair; none of a pair that is not loaded. Empty if this fails.
  std::vector<std::vector<Match>> matches_of(std::span<const ImagePair> block) {
    static const Features none;
    const std::size_t first = block.front().first;
    std::vector<const Features*> partners;
    for (const ImagePair& pair : block) partners.push_back(are_loaded(pair) ? &*found_[pair.second].features : &none);
    try {
      return matcher_.match(found_[first].features ? *found_[first].features : none, partners);
    } catch (const std::exception& error) {
      report_failure(context_, fmt::format("{}: {}", image(first).file.string(), error.what()));
      return {};
    }
  }

  void tell(const ImagePair& pair, std::span<const Match> matches, MatchSummary& summary) {
    const ImageFeatures &a = found_[pair.first], &b = found_[pair.second];
    std::optional<EssentialModel> model;
    try {
      model = verified(job_.verification, *a.features, a.facts, *b.features, b.facts, matches);
    } catch (const std::exception& error) {
      return report_failure(context_, fmt::format("{} and {}: {}", image(pair.first).file.string(),
                                                  image(pair.second).file.string(), error.what()));
    }
    const MatchedImages matched{image(pair.first), image(pair.second),       *a.features, *b.features,
                                matches,           model ? &*model : nullptr};
    output_.add(matched);
    ++summary.pairs;
    summary.matches += matches.size();
    if (model && !model->warnings.empty()) ++summary.doubtful;
    if (job_.take) goes_on_ = job_.take(matched);
  }

  const MatchJob& job_;
  const JobContext& context_;
  Matcher& matcher_;
  const std::vector<ImageFeatures>& found_;
  MatchOutput& output_;
  bool goes_on_ = true;
};

// Without the pairs that COLMAP's text cannot hold.
std::vector<ImagePair> writable_pairs(const MatchJob& job, const JobContext& context) {
  std::vector<ImagePair> pairs = job.pairs.pairs;
  if (job.output.empty() || is_hloc_file(job.output)) return pairs;
  std::vector<std::string> names;
  for (const ImageFile& image : job.pairs.images) names.push_back(image.name.string());
  for (const std::string& problem : take_out_unlistable(pairs, names, NamesInList::plain))
    report_failure(context, problem);
  return pairs;
}

}  // namespace
}  // namespace jobs

MatchSummary match_images(const MatchJob& job, const JobContext& context) {
  jobs::check_job(job);
  MatchSummary summary;
  bool has_failed = false;
  JobContext noting = context;
  noting.fail = [&](const std::string& sentence) {
    has_failed = true;
    report_failure(context, sentence);
  };
  for (const std::string& problem : job.pairs.problems) report_failure(noting, problem);
  const std::vector<ImagePair> pairs = jobs::writable_pairs(job, noting);
  if (job.pairs.pairs.empty() && !has_failed) {
    const std::vector<ImageFile>& images = job.pairs.images;
    report_failure(noting, images.size() == 1
                               ? fmt::format("one image alone has no pair: '{}'", images.front().file.string())
                               : fmt::format("there are no pairs of these images: {}", images.size()));
  }
  DeviceOptions device = job.device;
  device.progress = jobs::giving_up(context);
  Matcher matcher(for_views(job.match, views_of(job.detector)), device);
  const std::vector<jobs::ImageFeatures> found = jobs::features_of_images(job, noting);
  try {
    jobs::MatchOutput output(job.output, job.unit_length);
    if (!context.stop.stop_requested()) jobs::Matching(job, noting, matcher, found, output).run(pairs, summary);
    // A job that was stopped or failed replaces no list by an empty one.
    const bool is_worth = summary.pairs > 0 || (summary.is_finished && !has_failed);
    if (is_worth) {
      report_writing(context.progress, job.output.string());
      summary.is_written = output.finish();
    }
  } catch (const Error& error) {
    report_failure(context, error.what());
  }
  return summary;
}

}  // namespace octavo
