// The page of places is a report: text and images can be read without its script.

#include "jobs/places_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "io/pages/report_page.h"
#include "io/pages/shared_text.h"
#include "video/frames/contact_sheet.h"

namespace octavo::jobs {
namespace {

constexpr std::size_t most_lines = 60;  // of a drawing

std::string count_of(std::size_t count, const char* name) {
  return fmt::format("{} {}{}", count, name, count == 1 ? "" : "s");
}

class PlacesPage {
 public:
  PlacesPage(const FoundPlaces& found, const PlaceJob& job, const std::vector<PlaceFrame>& frames,
             const std::vector<PlaceLink>& links)
      : found_(found), frames_(frames), drawings_left_(static_cast<std::size_t>(job.options.max_drawings)) {
    for (const PlaceLink& link : links) {
      const PlaceFrame &a = frames[link.a], &b = frames[link.b];
      links_.emplace(std::tuple(a.member, b.member, a.seconds, b.seconds), &link);
    }
  }

  ReportPage run() {
    ReportPage page{.subject = PageSubject::places, .title = "Places of clips and images", .json = json_of(found_)};
    page.sections.push_back(summary());
    for (std::size_t i = 0; i < found_.places.size(); ++i) page.sections.push_back(section_of(i));
    if (!found_.doubtful.empty()) page.sections.push_back(doubts());
    if (!found_.single.empty()) page.sections.push_back(singles());
    return page;
  }

 private:
  [[nodiscard]] const PlaceFile& file_of(std::size_t member) const { return found_.files[found_.members[member].file]; }

  // "a.mp4, 0:01.000 to 0:04.000".
  [[nodiscard]] std::string name_of(std::size_t member) const {
    const PlaceMember& one = found_.members[member];
    const std::string name = file_of(member).file.filename().string();
    if (!file_of(member).clip) return name;
    return fmt::format("{}, {} to {}", name, time_text(one.in), time_text(one.out));
  }

  // "a.mp4 at 0:02.800".
  [[nodiscard]] std::string name_of(std::size_t member, double seconds) const {
    const std::string name = file_of(member).file.filename().string();
    return file_of(member).clip ? fmt::format("{} at {}", name, time_text(seconds)) : name;
  }

  // The frame that shows most of what others show; without pairs the one in the middle.
  [[nodiscard]] PageImage image_of(std::size_t member, const std::vector<PlacePair>& pairs) const {
    const std::vector<double>& times = found_.members[member].frames;
    double best = times[times.size() / 2];
    for (const PlacePair& pair : pairs) {  // those with most inliers first
      if (pair.member_a != member && pair.member_b != member) continue;
      best = pair.member_a == member ? pair.seconds_a : pair.seconds_b;
      break;
    }
    const auto frame = std::ranges::find_if(
        frames_, [&](const PlaceFrame& one) { return one.member == member && one.seconds == best; });
    PageImage image = frame->image;
    image.caption = name_of(member);
    return image;
  }

  [[nodiscard]] PageSection summary() const {
    std::set<std::size_t> files;
    for (const Place& place : found_.places) {
      for (const std::size_t member : place.members) files.insert(found_.members[member].file);
    }
    PageSection section;
    section.conclusions.push_back(fmt::format("{} with {} of {}.", count_of(found_.places.size(), "place"),
                                              files.size(), count_of(found_.files.size(), "file")));
    section.paragraphs.push_back(
        "A place has the images and the shots of clips whose matches show the same scene. Below the frames of a place "
        "are the pairs that join it, with lines between what matches.");
    return section;
  }

  PageSection section_of(std::size_t index) {
    const Place& place = found_.places[index];
    PageSection section{.heading = fmt::format("Place {}: {} shots and images, {}", index + 1, place.members.size(),
                                               count_of(place.pairs.size(), "pair")),
                        .id = fmt::format("place-{}", index + 1)};
    for (const std::size_t member : place.members) section.images.push_back(image_of(member, place.pairs));
    std::size_t left_out = 0;
    for (const PlacePair& pair : place.pairs) {
      if (!pair.joins) continue;
      if (drawings_left_ == 0) {
        ++left_out;
        continue;
      }
      --drawings_left_;
      section.pairs.push_back(drawing_of(pair));
    }
    if (left_out > 0) section.notes.push_back(fmt::format("{} not drawn.", count_of(left_out, "pair")));
    return section;
  }

  PageImagePair drawing_of(const PlacePair& pair) {
    const PlaceLink& link = *links_.at(std::tuple(pair.member_a, pair.member_b, pair.seconds_a, pair.seconds_b));
    const PlaceFrame &a = frames_[link.a], &b = frames_[link.b];
    PageImagePair drawing{
        .id = fmt::format("pair-{}", ++drawn_),
        .title = name_of(pair.member_a, pair.seconds_a) + " and " + name_of(pair.member_b, pair.seconds_b),
        .why = fmt::format("{} of {} matches agree about {}.", pair.inlier_count, pair.match_count,
                           pair.is_plane ? "a plane, or a camera that turns" : "a rigid scene"),
        .left = a.image,
        .right = b.image,
        .layers = {{.caption = "Matches that agree", .lines = {}}}};
    const double scale_a = static_cast<double>(a.image.width) / a.size.width;
    const double scale_b = static_cast<double>(b.image.width) / b.size.width;
    const std::size_t step = (pair.inlier_count + most_lines - 1) / most_lines;
    for (std::size_t i = 0; i < link.evidence.inliers.size(); i += step) {
      const Keypoint& p = a.features.keypoints[static_cast<std::size_t>(link.evidence.inliers[i].a)];
      const Keypoint& q = b.features.keypoints[static_cast<std::size_t>(link.evidence.inliers[i].b)];
      drawing.layers.front().lines.push_back(
          {.kind = PageLine::Kind::right,
           .left_x = p.x * scale_a,
           .left_y = p.y * scale_a,
           .right_x = q.x * scale_b,
           .right_y = q.y * scale_b,
           .hover = fmt::format("{:.0f}, {:.0f} and {:.0f}, {:.0f}", p.x, p.y, q.x, q.y)});
    }
    return drawing;
  }

  [[nodiscard]] PageSection doubts() const {
    PageSection section{.heading = "Doubtful pairs", .id = "doubtful"};
    section.paragraphs.push_back("These pairs of frames match, but they are too few to join two places.");
    Table table{.header = {"frame", "frame", "agree", "matches"}, .rows = {}, .words = 2};
    for (const PlacePair& pair : found_.doubtful) {
      table.rows.push_back({name_of(pair.member_a, pair.seconds_a), name_of(pair.member_b, pair.seconds_b),
                            std::to_string(pair.inlier_count), std::to_string(pair.match_count)});
    }
    section.tables.push_back(std::move(table));
    return section;
  }

  [[nodiscard]] PageSection singles() const {
    PageSection section{.heading = "In no place", .id = "single"};
    for (const std::size_t member : found_.single) section.images.push_back(image_of(member, {}));
    return section;
  }

  const FoundPlaces& found_;
  const std::vector<PlaceFrame>& frames_;
  std::map<std::tuple<std::size_t, std::size_t, double, double>, const PlaceLink*> links_;
  std::size_t drawings_left_, drawn_ = 0;
};

}  // namespace

std::string page_of(const FoundPlaces& found, const PlaceJob& job, const std::vector<PlaceFrame>& frames,
                    const std::vector<PlaceLink>& links) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : found.files) files.push_back(file.file);
  return html_of(PlacesPage(found, job, frames, links).run(), places_below_all(std::move(files)));
}

}  // namespace octavo::jobs
