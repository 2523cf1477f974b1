// Features of many images or frames: what is to be done is planned (shards, results of earlier runs, images that are up
// to date), then the items go through a batch, and each is written and told in its order.

#include "octavo/jobs/image_jobs.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <deque>
#include <exception>
#include <new>
#include <utility>

#include "io/files/content_digest.h"
#include "io/files/output_file.h"
#include "io/images/mask.h"
#include "io/json/json.h"
#include "io/results/collected_problems.h"
#include "io/results/part_note.h"
#include "jobs/extract_hloc.h"
#include "jobs/extract_items.h"
#include "jobs/extract_output.h"
#include "jobs/image_masks.h"
#include "jobs/no_keypoints.h"
#include "octavo/error.h"
#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"

namespace octavo {
namespace jobs {
namespace {

namespace fs = std::filesystem;

bool is_one_file(const ExtractJob& job) { return job.format == FeatureFormat::hloc && !job.shard; }

[[noreturn]] void refuse_job(const std::string& sentence) { throw Error(ErrorCode::invalid_option, sentence); }

// Refuses a folder that is named like a file.
void check_folder(const fs::path& folder) {
  constexpr std::array endings{".npz", ".json", ".txt", ".h5", ".hdf5"};
  if (std::ranges::find(endings, folder.extension()) == endings.end() || fs::is_directory(folder)) return;
  refuse_job(fmt::format("`output` {} is named like a file, but must be a folder, which gets a file for each image",
                         folder.string()));
}

// Refuses formats that do not fit.
void check_format(const ExtractJob& job) {
  if (job.output.empty()) {
    if (job.skip_existing || job.draw || job.shard) refuse_job("`skip_existing`, `draw` and `shard` need `output`");
    return;
  }
  const bool is_hloc = job.format == FeatureFormat::hloc;
  if (is_hloc && job.are_videos) refuse_job("`format` hloc has no place for videos");
  if (is_hloc && job.draw) refuse_job("`draw` needs a folder, but `format` hloc writes one file");
  if ((is_hloc || job.format == FeatureFormat::colmap) && !describes(job.detector)) {
    refuse_job(fmt::format("`format` {} holds descriptors: {}choose npz or json", name_of(job.format),
                           detector_of(job.detector).has_descriptors ? "add `describe`, or " : ""));
  }
  if (!is_one_file(job)) check_folder(job.output);
}

// All that determines the bytes of every result, besides the image, its mask and the format.
Json settings_of(const ExtractJob& job) {
  Json settings = parse_json(json_of(job.detector));
  const VideoOptions& video = job.video;
  if (job.are_videos) {
    settings["size"] = video.size;
    settings["range"] = range_text({.range = video.range, .black = video.black, .white = video.white});
  } else {
    settings["exif_rotation"] = job.read.apply_exif_rotation;
    settings["range"] = range_text(job.read);
  }
  settings["octavo"] = OCTAVO_VERSION;
  return settings;
}

// The same of a shard: its files may have several forms, and its videos other frames.
std::string settings_of_shard(const ExtractJob& job, const Masks& masks, Json settings) {
  if (const std::string digest = masks.digest({}); !digest.empty()) settings["mask"] = digest;
  if (job.are_videos) {
    settings["every"] = job.video.every;
    settings["fps"] = job.video.fps;
  }
  settings["format"] = name_of(job.format);
  settings["draw"] = job.draw;
  return json_text(settings);
}

// Refuses images of one name, and a job that would write over an image or the mask.
void check_names(const ExtractJob& job, const ExtractOutput& output, const std::vector<ImageFile>& images) {
  if (const auto same = same_name(images)) {
    refuse_job(
        fmt::format("{} and {} have the same name, their results would overwrite each other; give them one call "
                    "each",
                    same->first.file.string(), same->second.file.string()));
  }
  if (job.are_videos) return;  // files of frames
  std::vector<fs::path> read{job.mask}, written;
  for (const ImageFile& image : images) {
    read.push_back(image.file);
    const std::vector<fs::path> files = output.files(image);
    written.insert(written.end(), files.begin(), files.end());
  }
  require_not_read(written, read);
}

// A job at work.
class Extraction {
 public:
  Extraction(const ExtractJob& job, const JobContext& context)
      : job_(job), context_(shards::collecting(context, problems_)) {}

  ExtractSummary run() {
    check_format(job_);
    if (job_.are_videos) validate(job_.video);
    validate(job_.read);
    DeviceOptions device = job_.device;
    device.progress = context_.progress;
    Extractor extractor = make_extractor(job_.detector, device);
    masks_ = masks_of(job_.mask, job_.read, job_.standard_input);
    const Json settings = settings_of(job_);
    open_output(settings);
    plan();
    if (job_.shard) remove_part_note(job_.output, *job_.shard);
    extract(extractor);
    complete(settings);
    return summary_;
  }

 private:
  void open_output(const Json& settings) {
    if (job_.output.empty()) return;
    SettingsOfImage of_image = [this, settings](const ImageFile& image) {
      Json all = settings;
      if (const std::string digest = masks_.digest(image.name); !digest.empty()) all["mask"] = digest;
      return all;
    };
    if (is_one_file(job_)) {
      output_ = std::make_unique<ExtractHloc>(job_.output, std::move(of_image));
      return;
    }
    auto folder = std::make_unique<ExtractFolder>(job_.output, job_.format, job_.draw, std::move(of_image));
    folder_ = folder.get();
    output_ = std::move(folder);
  }

  // Which images are to be done.
  void plan() {
    images_ = job_.images;
    if (output_) {
      if (!job_.are_videos) {
        summary_.left_out = std::erase_if(images_, [&](const ImageFile& image) { return output_->is_result(image); });
      }
      check_names(job_, *output_, images_);
      output_->prepare();
    }
    if (job_.shard) {
      std::vector<std::string> names;
      for (const ImageFile& image : images_) names.push_back(image.name.generic_string());
      inputs_ = inputs_of(names);
      std::erase_if(images_,
                    [&](const ImageFile& image) { return !has_item(*job_.shard, image.name.generic_string()); });
    }
    summary_.images = images_.size();
    if (job_.are_videos) return;
    check_masks(masks_, images_, context_);
    known_.resize(images_.size());
    for (std::size_t i = 0; job_.skip_existing && i < images_.size(); ++i) {
      report_item(context_.progress, images_[i].file.string(), i, images_.size());
      if (const ResultRecord* const record = output_->up_to_date(images_[i])) known_[i] = record->keypoints;
    }
  }

  // Pulls the next item into the queue. False: there is none.
  bool pull() {
    const std::shared_ptr<ExtractItem> item = source_();
    if (item) queue_.push_back(item);
    return item != nullptr;
  }

  // The next item of the queue that is to be extracted.
  std::optional<BatchImage> next_to_extract() {
    for (; given_ < queue_.size() || pull(); ++given_) {
      const ExtractItem& item = *queue_[given_];
      if (!item.load) continue;
      ++given_;
      return BatchImage{item.image.file.string(), item.load};
    }
    return std::nullopt;
  }

  void extract(Extractor& extractor) {
    problems_ = job_.problems;
    source_ = job_.are_videos ? items_of_videos(job_, images_, folder_, masks_, context_)
                              : items_of_images(job_, images_, known_, masks_);
    Batch batch(extractor, [this] { return next_to_extract(); }, {.stop = context_.stop});
    const std::size_t total = job_.are_videos ? 0 : images_.size();
    while (goes_on_ && !context_.stop.stop_requested()) {
      if (queue_.empty() && !pull()) {
        summary_.is_finished = true;
        return;
      }
      ExtractItem& item = *queue_.front();
      if (item.load) {
        report_item(context_.progress, item.image.file.string(), summary_.done, total);
        const std::optional<BatchResult> result = batch.next();
        if (!result) return;
        take(item, *result);
      } else {
        pass(item);
      }
      queue_.pop_front();
      if (given_ > 0) --given_;
    }
  }

  void take(ExtractItem& item, const BatchResult& result) {
    ++summary_.done;
    if (result.failure) return fail(result.problem);
    const std::string name = item.image.file.string();
    try {
      if (output_) output_->write(item.image, item.source, result);
      note_keypoints(item, result);
      const std::size_t count = result.features.size();
      tell({item.image, count, &result.features, result.extract_milliseconds / 1000});
    } catch (const std::bad_alloc&) {
      fail(name + ": out of memory");
      tell_lost(&item.image);
    } catch (const std::exception& error) {
      fail(fmt::format("{}: {}", name, error.what()));
      tell_lost(&item.image);
    }
  }

  void fail(const std::string& sentence) {
    ++summary_.failed;
    report_failure(context_, sentence);
  }

  // An item that needs no extraction.
  void pass(ExtractItem& item) {
    if (item.known) {
      ++summary_.done;
      ++summary_.up_to_date;
      if (item.clip && *item.known > 0) item.clip->has_keypoints = true;
      return tell({item.image, *item.known, nullptr, 0});
    }
    for (const std::string& warning : item.warnings) {
      report_warning(context_, fmt::format("warning: {}: {}", item.image.file.string(), warning));
    }
    if (!item.failure.empty()) return report_failure(context_, item.failure);
    if (item.clip->has_keypoints || item.clip->why_none.empty()) return;
    report_warning(context_, fmt::format("{}: no keypoints in any frame; in the first: {}", item.image.file.string(),
                                         item.clip->why_none));
  }

  void note_keypoints(const ExtractItem& item, const BatchResult& result) const {
    if (result.features.size() > 0) {
      if (item.clip) item.clip->has_keypoints = true;
    } else if (!item.clip) {
      warn_of_no_keypoints(context_, item.image.file, result.image.view(), !job_.mask.empty());
    } else if (item.clip->why_none.empty()) {
      item.clip->why_none = why_none_shown(result.image.view(), !job_.mask.empty());
    }
  }

  void tell(const ExtractedImage& image) {
    if (job_.take && !job_.take(image)) goes_on_ = false;
  }

  // The images whose features were written and are lost by a failure that is told already, of `known` if not null.
  void tell_lost(const ImageFile* known) {
    if (!output_) return;
    for (const ImageFile& lost : output_->lost()) {
      if (known != nullptr && lost.file == known->file) continue;
      fail(lost.file.string() + ": its features are lost, since the file could not be saved");
    }
  }

  void complete(const Json& settings) {
    try {
      if (output_) output_->finish();
      if (!job_.shard || !summary_.is_finished) return;
      const bool is_hloc = job_.format == FeatureFormat::hloc;
      write_part_note(job_.output, {.kind = is_hloc ? PartKind::hloc_features : PartKind::features,
                                    .shard = *job_.shard,
                                    .settings = settings_of_shard(job_, masks_, settings),
                                    .inputs = inputs_,
                                    .items = images_.size(),
                                    .problems = problems_});
    } catch (const std::exception& error) {
      report_failure(context_, error.what());
      tell_lost(nullptr);
    }
  }

  const ExtractJob& job_;
  std::vector<std::string> problems_;
  const JobContext context_;  // the caller's, with a list of problems
  Masks masks_;
  std::unique_ptr<ExtractOutput> output_;
  ExtractFolder* folder_ = nullptr;  // the output, if it is a folder
  std::vector<ImageFile> images_;
  std::vector<std::optional<std::uint64_t>> known_;  // keypoints of each image that is up to date
  PartInputs inputs_;                                // the images of all shards
  ItemSource source_;
  std::deque<std::shared_ptr<ExtractItem>> queue_;  // items whose turn has not come
  std::size_t given_ = 0;                           // those of the queue that the batch was given, or does not get
  bool goes_on_ = true;
  ExtractSummary summary_;
};

}  // namespace
}  // namespace jobs

ExtractSummary extract_features(const ExtractJob& job, const JobContext& context) {
  return jobs::Extraction(job, context).run();
}

}  // namespace octavo
