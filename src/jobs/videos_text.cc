// What the commands of videos print for people.

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "io/files/one_line.h"
#include "jobs/figures_text.h"
#include "jobs/segments_text.h"
#include "octavo/jobs/video_jobs.h"
#include "video/frames/contact_sheet.h"

namespace octavo {
namespace jobs {
namespace {

std::string span_text(double in, double out) { return fmt::format("{:<12} - {:<12}", time_text(in), time_text(out)); }

std::string span_text(const FoundPlaces& found, std::size_t file, double in, double out) {
  return found.files[file].clip ? span_text(in, out) : fmt::format("{:<12}   {:<12}", "", "");
}

std::string member_text(const FoundPlaces& found, std::size_t index, std::size_t pairs) {
  const PlaceMember& member = found.members[index];
  return fmt::format("  {}  {:>6}  {:>5}  {}\n", span_text(found, member.file, member.in, member.out),
                     member.frames.size(), pairs, io::on_one_line(found.files[member.file].file.string()));
}

std::string place_text(const FoundPlaces& found, const Place& place) {
  std::string text;
  for (const std::size_t member : place.members) {
    std::size_t pairs = 0;
    for (const PlacePair& pair : place.pairs) pairs += pair.member_a == member || pair.member_b == member ? 1 : 0;
    text += member_text(found, member, pairs);
  }
  return text;
}

}  // namespace
}  // namespace jobs

std::string text_of(const TakenFrames& taken) {
  return fmt::format(
      "{}: {} {}x{}, {} of {} frames taken: {} black, {} flat, {} titles, {} colour bars, {} repeats, {} interlaced\n",
      io::on_one_line(taken.clip), taken.facts.codec, taken.facts.width, taken.facts.height, taken.taken, taken.decoded,
      taken.black, taken.flat, taken.titles, taken.bars, taken.repeats, taken.interlaced);
}

std::string text_of(const KeypointFilm& film, const FilmReport& report) {
  const auto ms = [&](double seconds) { return 1000 * report.per_frame(seconds); };
  const bool is_piped = film.clip == "-" && film.standard_input;
  std::string text =
      fmt::format("{}: {} of {}x{} on {}: {:.1f} frames/s, {:.2f} x real time; {:.0f} keypoints",
                  is_piped ? "standard input" : io::on_one_line(film.clip), count_text(report.frames, "frame"),
                  report.size.width, report.size.height, report.device, report.frames_per_second(),
                  report.times_real_time(), report.per_frame(static_cast<double>(report.keypoints)));
  if (film.video.live) {
    text += fmt::format(", {} of {} frames dropped", report.dropped, report.dropped + report.frames);
  }
  if (film.tracks) {
    text +=
        fmt::format(", {} of {:.1f} frames", count_text(report.tracks.tracks, "track"), report.tracks.mean_length());
  }
  text += fmt::format("; ms a frame: decoding {:.1f}, extraction {:.1f}", ms(report.decode_seconds),
                      ms(report.extract_seconds));
  if (film.tracks) text += fmt::format(", matching {:.1f}", ms(report.match_seconds));
  if (!film.output.empty()) {
    text += fmt::format(", drawing {:.1f}, encoding {:.1f}", ms(report.draw_seconds), ms(report.encode_seconds));
  }
  return text;
}

std::string text_of(const CompareJob& job, const ClipComparison& found) {
  const std::string a = io::on_one_line(job.a.string()), b = io::on_one_line(job.b.string());
  if (found.segments.empty()) {
    return fmt::format("{} and {} share no segment{}{}\n", a, b, found.reason.empty() ? "" : ": ",
                       io::on_one_line(found.reason));
  }
  return jobs::segments_text(found.segments, "A", "B") +
         fmt::format("{:.0f} % of {} is in {}; {:.0f} % of {} is in {}\n",
                     100 * coverage(found.segments, found.query_seconds, true), a, b,
                     100 * coverage(found.segments, found.other_seconds, false), b, a);
}

std::string text_of(const FoundTakes& found) {
  std::string text;
  std::size_t takes = 0;
  for (std::size_t s = 0; s < found.list.scenes.size(); ++s) {
    const Scene& scene = found.list.scenes[s];
    text += fmt::format("scene {}\n  {:<12}   {:<12}  {:>8}  {:>5}  {:<12}  clip\n", s + 1, "in", "out", "offset",
                        "score", "key");
    for (std::size_t t = 0; t < scene.takes.size(); ++t, ++takes) {
      const Take& take = scene.takes[t];
      const std::string offset = t == scene.reference ? "*" : take.offset ? fmt::format("{:+.2f}", *take.offset) : "-";
      text += fmt::format("  {}  {:>8}  {:>5.2f}  {:<12}  {}\n", jobs::span_text(take.shot.in, take.shot.out), offset,
                          take.score, time_text(take.key), io::on_one_line(found.files[take.shot.clip].string()));
    }
  }
  if (!found.list.left_out.empty()) text += "left out\n";
  for (const JunkShot& part : found.list.left_out) {
    text += fmt::format("  {}  {:<5}  {}\n", jobs::span_text(part.shot.in, part.shot.out), reason_of(part),
                        io::on_one_line(found.files[part.shot.clip].string()));
  }
  return text + fmt::format("{}, {}\n", count_text(found.list.scenes.size(), "scene"), count_text(takes, "take"));
}

std::string text_of(const FoundPlaces& found) {
  std::string text;
  std::set<std::size_t> files;
  for (std::size_t i = 0; i < found.places.size(); ++i) {
    text += fmt::format("place {}, {}\n  {:<12}   {:<12}  {:>6}  {:>5}  file\n", i + 1,
                        count_text(found.places[i].pairs.size(), "pair"), "in", "out", "frames", "pairs");
    text += jobs::place_text(found, found.places[i]);
    for (const std::size_t member : found.places[i].members) files.insert(found.members[member].file);
  }
  if (!found.single.empty()) text += "in no place\n";
  for (const std::size_t member : found.single) text += jobs::member_text(found, member, 0);
  if (!found.left_out.empty()) text += "left out\n";
  for (const JunkShot& part : found.left_out) {
    text += fmt::format("  {}  {:<6}         {}\n", jobs::span_text(found, part.shot.clip, part.shot.in, part.shot.out),
                        reason_of(part), io::on_one_line(found.files[part.shot.clip].file.string()));
  }
  return text + fmt::format("{} with {} of {}\n", count_text(found.places.size(), "place"), files.size(),
                            count_text(found.files.size(), "file"));
}

}  // namespace octavo
