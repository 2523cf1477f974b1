#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "io/http/local_server.h"
#include "octavo/device.h"
#include "octavo/video/archive_search.h"
#include "octavo/video/video_archive.h"
#include "octavo/video/video_file.h"
#include "octavo/video/video_report.h"
#include "video/review/review_sheets.h"
#include "video/review/review_tasks.h"

namespace octavo::review {

/// How clips are searched, read and shown.
struct ReviewSettings {
  ReportOptions report{};
  SearchOptions search{};
  VideoOptions video{};
  DeviceOptions device{};
  std::filesystem::path folder;  ///< for previews and searched files; it exists
  std::uint64_t max_upload = 0;  ///< [byte] of a searched file
};

/// What a server answers to the page of a review. Numbers count from 0: K of a sheet (ReviewSheets), N of a clip, P of
/// a pair and S of a segment. JSON, unless something else is said:
///
///   GET  /                        the page
///   GET  sheet/K                  {"report", "state"}: the report as `octavo video report` has it
///   GET  verdicts/K?known=STATE   {"state"}, and if it is not the known one "verdicts" and "groups"
///   POST verdict/K/P              {"before", "after"}: each {"verdict", "note"} or null (ReviewSheets::judge)
///   GET  clip/K/N                 the file of a clip
///   POST preview/K/N              makes a preview, whose work is preview/K/N/state
///   GET  preview/K/N              the preview
///   GET  thumbnail/K/N            a frame of the middle of a clip, JPEG
///   GET  image/K/N                an image as all browsers show it, JPEG
///   GET  agreeing/K/P/S?a=&b=     the frames at these times of both clips, and what agrees (AgreeingFrames)
///   POST search?name=             searches the file that is sent: {"search": N}, whose work is search/N
///   GET  search/N                 the work, and when it is done "sheet"
///   GET  kept.csv, kept.sh?of=    the files to keep and to drop (kept_files); of=all: also of pairs without a verdict
///
/// Several threads may use an object at a time.
class Review {
 public:
  Review(VideoArchive& archive, VideoReport report, ReviewSettings settings);

  io::HttpAnswer answer(const io::HttpRequest& request);

 private:
  using Numbers = std::vector<std::size_t>;
  struct Route;

  io::HttpAnswer page(const io::HttpRequest& request, const Numbers& numbers);
  io::HttpAnswer sheet(const io::HttpRequest& request, const Numbers& numbers);
  io::HttpAnswer verdicts(const io::HttpRequest& request, const Numbers& numbers);
  io::HttpAnswer judge(const io::HttpRequest& request, const Numbers& numbers);
  io::HttpAnswer clip(const io::HttpRequest& request, const Numbers& numbers);
  io::HttpAnswer make_preview(const io::HttpRequest& request, const Numbers& numbers);
  io::HttpAnswer preview(const io::HttpRequest& request, const Numbers& numbers);
  io::HttpAnswer preview_state(const io::HttpRequest& request, const Numbers& numbers);
  io::HttpAnswer thumbnail(const io::HttpRequest& request, const Numbers& numbers);
  io::HttpAnswer image(const io::HttpRequest& request, const Numbers& numbers);
  io::HttpAnswer agreeing(const io::HttpRequest& request, const Numbers& numbers);
  io::HttpAnswer search(const io::HttpRequest& request, const Numbers& numbers);
  io::HttpAnswer search_state(const io::HttpRequest& request, const Numbers& numbers);
  io::HttpAnswer kept_table(const io::HttpRequest& request, const Numbers& numbers);
  io::HttpAnswer kept_script(const io::HttpRequest& request, const Numbers& numbers);

  void search_file(const std::filesystem::path& file, std::size_t number, const ProgressSink& progress);

  VideoArchive& archive_;
  ReviewSettings settings_;
  ReviewSheets sheets_;
  std::mutex mutex_;
  std::map<std::pair<std::size_t, std::size_t>, std::string> thumbnails_;  // JPEG, by sheet and clip
  std::size_t searches_begun_ = 0;
  std::map<std::size_t, std::size_t> sheets_of_searches_;
  ReviewTasks previews_, searches_;  // the last members: their work uses the others
};

}  // namespace octavo::review
