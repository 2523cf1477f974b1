// From clips and images to frames with features. Only small images of them stay in memory.

#include "jobs/place_frames.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "io/drawing/page_image.h"
#include "jobs/each_item.h"
#include "jobs/thinned.h"
#include "multiview/places/overlays.h"
#include "octavo/extractor.h"
#include "octavo/io/image_files.h"
#include "octavo/retrieval.h"
#include "octavo/sift_options.h"
#include "video/frames/content.h"
#include "video/frames/frames_at.h"
#include "video/takes/shot_views.h"

namespace octavo::jobs {
namespace {

constexpr int longest_side = 1280;  // [pixel] of the images whose features are matched: it bounds the time
constexpr int page_side = 480;      // [pixel] of the images of a page

SiftOptions features_of_places() {
  SiftOptions options = preset("signature");
  options.max_features = 1500;  // it bounds time and memory
  options.grid = 4;             // so that no part of the image has all of them
  return options;
}

// A card: most of it is one tone, on which something is written or drawn.
bool is_plain(const ImageView& grey, const PixelRectangle& part) {
  constexpr std::size_t tone = 16;  // [grey level]
  constexpr double most = 0.7;      // of the pixels, as of titles (Junk::title)
  std::array<double, 256> counts{};
  for (int y = part.y; y < part.y + part.height; ++y) {
    const std::byte* const row = grey.row(y);
    for (int x = part.x; x < part.x + part.width; ++x) counts[std::to_integer<std::size_t>(row[x])] += 1;
  }
  const double pixels = static_cast<double>(part.width) * part.height;
  double of_tone = 0;
  for (std::size_t level = 0; level < counts.size(); ++level) {
    of_tone += counts[level] - (level >= tone ? counts[level - tone] : 0);
    if (of_tone >= most * pixels) return true;
  }
  return false;
}

class FrameReading {
 public:
  FrameReading(const PlaceJob& job, FoundPlaces& found, const JobContext& context)
      : job_(job),
        found_(found),
        context_(context),
        extractor_(features_of_places(), job.device),
        encoder_(general_vocabulary(), job.device) {}

  std::vector<PlaceFrame> run() {
    std::vector<PlaceFile> items;
    for (const std::filesystem::path& file : job_.files) items.push_back({.file = file, .clip = {}});
    std::size_t done = 0, failed = 0;
    do_each(items, context_, done, failed, [&](const PlaceFile& item) {
      looks_like_image(item.file) ? add_image(item.file) : add_clip(item.file);
      return true;
    });
    return std::move(frames_);
  }

 private:
  void add_image(const std::filesystem::path& file) {
    const Image image = io::reduced(read_image(file, job_.read).view(), longest_side);
    std::vector<PlaceFrame> frames{frame_of(image.view(), image.view(), 0)};
    found_.files.push_back({.file = file, .clip = {}});
    keep({.shot = {}, .views = {}}, std::move(frames));
  }

  void add_clip(const std::filesystem::path& file) {
    ClipViews clip = views_of_shots(found_.files.size(), file, job_.video, context_.progress, context_.stop);
    std::vector<std::vector<PlaceFrame>> frames(clip.shots.size());
    std::vector<FrameRequest> requests;
    for (std::size_t i = 0; i < clip.shots.size(); ++i) {
      const auto take = [this, &of_shot = frames[i]](const VideoFrame& frame, double seconds) {
        add_frame(of_shot, frame, seconds);
      };
      for (const double time : thinned(clip.shots[i].views, static_cast<std::size_t>(job_.options.max_frames))) {
        requests.push_back({time, take});
      }
    }
    VideoOptions options = job_.video;
    options.size = longest_side;
    options.colour = !job_.output.empty();
    read_frames_at(file, std::move(requests), options, context_.progress, context_.stop);
    take_out_overlays_of(frames);
    for (const VideoWarning& warning : clip.warnings) {
      report_warning(context_, fmt::format("{}: {}", file.string(), warning.sentence));
    }
    found_.files.push_back({.file = file, .clip = std::move(clip.facts)});
    std::ranges::move(clip.left_out, std::back_inserter(found_.left_out));
    for (std::size_t i = 0; i < clip.shots.size(); ++i) keep(clip.shots[i], std::move(frames[i]));
  }

  void take_out_overlays_of(std::vector<std::vector<PlaceFrame>>& shots) {
    std::vector<Features*> features;
    ImageSize size;
    for (std::vector<PlaceFrame>& frames : shots) {
      for (PlaceFrame& frame : frames) {
        features.push_back(&frame.features);
        size = frame.size;
      }
    }
    places::take_out_overlays(features, size);
  }

  // A shot whose frames were all left out was of cards; one of which none was chosen has no texture.
  void keep(const ShotViews& shot, std::vector<PlaceFrame> frames) {
    if (frames.empty()) {
      found_.left_out.push_back({shot.shot, shot.views.empty() ? Junk::flat : Junk::title});
      return;
    }
    PlaceMember& member = found_.members.emplace_back(
        PlaceMember{.file = found_.files.size() - 1, .in = shot.shot.in, .out = shot.shot.out, .frames = {}});
    for (PlaceFrame& frame : frames) {
      frame.vlad = encoder_.encode(frame.features.descriptors);
      frame.member = found_.members.size() - 1;
      member.frames.push_back(frame.seconds);
      frames_.push_back(std::move(frame));
    }
  }

  void add_frame(std::vector<PlaceFrame>& frames, const VideoFrame& frame, double seconds) {
    const ImageView grey = frame.grey.view();
    const FrameContent content = content_of(grey);
    if (content.junk != Junk::none || is_plain(grey, content.active)) return;
    frames.push_back(frame_of(grey, frame.colour.empty() ? grey : frame.colour.view(), seconds));
  }

  PlaceFrame frame_of(const ImageView& image, const ImageView& shown, double seconds) {
    PlaceFrame frame{.seconds = seconds, .size = {image.width, image.height}, .features = extractor_.extract(image)};
    if (!job_.output.empty()) frame.image = io::page_image(io::reduced(shown, page_side).view(), {});
    return frame;
  }

  const PlaceJob& job_;
  FoundPlaces& found_;
  const JobContext& context_;
  Extractor extractor_;
  VladEncoder encoder_;
  std::vector<PlaceFrame> frames_;
};

}  // namespace

std::vector<PlaceFrame> frames_of_places(const PlaceJob& job, FoundPlaces& found, const JobContext& context) {
  return FrameReading(job, found, context).run();
}

}  // namespace octavo::jobs
