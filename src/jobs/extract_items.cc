// The items of an extraction, one after the other: images, which are read and decoded on threads of the batch, and
// frames of videos, which are decoded in their order.

#include "jobs/extract_items.h"

#include <fmt/core.h>

#include <exception>
#include <span>
#include <utility>

#include "io/images/mask.h"
#include "octavo/io/image_files.h"
#include "octavo/video/video.h"
#include "octavo/video/video_file.h"

namespace octavo::jobs {
namespace {

class Images {
 public:
  Images(const ExtractJob& job, const std::vector<ImageFile>& images,
         const std::vector<std::optional<std::uint64_t>>& up_to_date, const Masks& masks)
      : job_(job), images_(images), up_to_date_(up_to_date), masks_(masks) {}

  std::shared_ptr<ExtractItem> next() {
    if (next_ == images_.size()) return nullptr;
    const std::size_t i = next_++;
    auto item = std::make_shared<ExtractItem>();
    item->image = images_[i];
    item->known = up_to_date_[i];
    if (item->known) return item;
    const bool is_stream = job_.standard_input && item->image.file == "-";
    item->load = [this, is_stream, &item = *item] { return is_stream ? load_stream(item) : load_file(item); };
    return item;
  }

 private:
  LoadedImage load_file(ExtractItem& item) const {
    ReadSource read = read_source(item.image.file);
    item.source = std::move(read.source);
    return decoded(item.image, item.image.file.string(), read.bytes);
  }

  LoadedImage load_stream(ExtractItem& item) {
    if (stream_.empty()) stream_ = job_.standard_input->image();
    item.source = source_of(item.image.file, stream_);
    return decoded(item.image, "standard input", stream_);
  }

  [[nodiscard]] LoadedImage decoded(const ImageFile& image, const std::string& name,
                                    std::span<const std::byte> bytes) const {
    const auto read = [&](const Image* mask) { return decode_photograph(bytes, name, job_.read, mask); };
    return masked(masks_.hidden(image.name, name, read).image);
  }

  const ExtractJob& job_;
  const std::vector<ImageFile>& images_;
  const std::vector<std::optional<std::uint64_t>>& up_to_date_;
  const Masks& masks_;
  std::size_t next_ = 0;
  std::vector<std::byte> stream_;  // read once
};

class Frames {
 public:
  Frames(const ExtractJob& job, const std::vector<ImageFile>& videos, ExtractFolder* output, const Masks& masks,
         const JobContext& context)
      : job_(job), videos_(videos), output_(output), masks_(masks), context_(context) {}

  std::shared_ptr<ExtractItem> next() {
    while (video_ || next_ < videos_.size()) {
      try {
        if (!video_) open();
        if (std::optional<VideoFrame> frame = video_->next()) return item_of(std::move(*frame));
        return end({});
      } catch (const std::exception& error) {
        return end(error.what());
      }
    }
    return nullptr;
  }

 private:
  [[nodiscard]] const ImageFile& file() const { return videos_[next_ - 1]; }

  void open() {
    const ImageFile& video = videos_[next_++];
    report_item(context_.progress, video.file.string());
    clip_ = std::make_shared<ClipTally>();
    source_ = {.file = video.name};
    if (job_.standard_input && video.file == "-") {
      video_.emplace(job_.standard_input->video(job_.video));
    } else {
      video_.emplace(video.file, job_.video);
      if (output_ != nullptr) source_ = source_at(video.file);
    }
  }

  std::shared_ptr<ExtractItem> item_of(VideoFrame frame) const {
    auto item = std::make_shared<ExtractItem>();
    item->image = {fmt::format("{}#{}", file().file.string(), frame.index),
                   fmt::format("{}#{}", file().name.string(), frame.index)};
    item->source = source_;
    item->clip = clip_;
    if (job_.skip_existing) {
      if (const ResultRecord* const record = output_->up_to_date(item->image, source_)) {
        item->known = record->keypoints;
        return item;
      }
    }
    const auto pixels = std::make_shared<const Image>(std::move(frame.grey));
    item->load = [this, pixels, name = item->image.name] {
      const auto read = [&](const Image*) { return Photograph{.image = pixels->clone(), .focal_length = {}}; };
      return masked(masks_.hidden(name, name.string(), read).image);
    };
    return item;
  }

  std::shared_ptr<ExtractItem> end(std::string failure) {
    auto item = std::make_shared<ExtractItem>();
    item->image = file();
    item->failure = std::move(failure);
    item->clip = clip_;
    if (video_) {
      for (const VideoWarning& warning : video_->warnings()) item->warnings.push_back(warning.sentence);
    }
    video_.reset();
    return item;
  }

  const ExtractJob& job_;
  const std::vector<ImageFile>& videos_;
  ExtractFolder* output_;
  const Masks& masks_;
  const JobContext& context_;
  std::size_t next_ = 0;  // of the videos
  std::optional<Video> video_;
  ResultSource source_;
  std::shared_ptr<ClipTally> clip_;
};

}  // namespace

ItemSource items_of_images(const ExtractJob& job, const std::vector<ImageFile>& images,
                           const std::vector<std::optional<std::uint64_t>>& up_to_date, const Masks& masks) {
  return [source = std::make_shared<Images>(job, images, up_to_date, masks)] { return source->next(); };
}

ItemSource items_of_videos(const ExtractJob& job, const std::vector<ImageFile>& videos, ExtractFolder* output,
                           const Masks& masks, const JobContext& context) {
  return [source = std::make_shared<Frames>(job, videos, output, masks, context)] { return source->next(); };
}

}  // namespace octavo::jobs
