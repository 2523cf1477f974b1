#include "video/review/review.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>

#include "io/files/content_digest.h"
#include "io/files/ending.h"
#include "io/files/output_file.h"
#include "io/http/random_token.h"
#include "octavo/error.h"
#include "video/report/report_files.h"
#include "video/report/report_images.h"
#include "video/report/report_json.h"
#include "video/review/kept_files.h"
#include "video/review/preview.h"
#include "video/review/review_page.h"

namespace octavo::review {
namespace {

namespace fs = std::filesystem;
using io::HttpAnswer;
using io::HttpFault;
using io::HttpRequest;

HttpAnswer json_answer(const Json& json) { return {.type = "application/json", .body = json_text(json)}; }

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = path.find('/', begin);
    parts.push_back(path.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

// The numbers at the places of # in a pattern such as "clip/#/#"; none if the path is another one.
std::optional<std::vector<std::size_t>> numbers_by(std::string_view pattern, std::string_view path) {
  const std::vector<std::string_view> wanted = parts_of(pattern), given = parts_of(path);
  if (wanted.size() != given.size()) return std::nullopt;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] != "#") {
      if (wanted[i] != given[i]) return std::nullopt;
      continue;
    }
    const char* const end = given[i].data() + given[i].size();
    const auto [at, error] = std::from_chars(given[i].data(), end, numbers.emplace_back());
    if (error != std::errc() || at != end) return std::nullopt;
  }
  return numbers;
}

std::string value_of(const HttpRequest& request, const std::string& name) {
  const auto found = request.values.find(name);
  return found == request.values.end() ? std::string() : found->second;
}

double seconds_of(const HttpRequest& request, const std::string& name) {
  const std::string text = value_of(request, name);
  double seconds = 0;  // not by strtod, which goes by the locale of the process
  const bool is_number =
      text.empty() || std::from_chars(text.data(), text.data() + text.size(), seconds).ec == std::errc{};
  if (!is_number || !std::isfinite(seconds) || seconds < 0) throw HttpFault(400, name + " is no time of a clip");
  return seconds;
}

// What browsers that can play a file must be told; of another they get bytes that they refuse.
std::string media_type(const fs::path& file) {
  const std::string ending = io::ending_of(file);
  if (ending == ".mp4" || ending == ".m4v" || ending == ".mov") return "video/mp4";
  if (ending == ".webm" || ending == ".mkv") return "video/webm";
  if (ending == ".ogv" || ending == ".ogg") return "video/ogg";
  return "application/octet-stream";
}

std::optional<Word> word_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  const std::optional<Judgement> judgement = judgement_of(json.at("verdict").string());
  if (!judgement) throw HttpFault(400, "a verdict is same, different or ignore");
  return Word{*judgement, json.value("note", std::string())};
}

struct NowJudged {
  Json verdicts = Json::array();  // of each pair {"verdict", "note"} or null
  std::string state;              // another one if a verdict has changed
};

NowJudged judged_now(const VideoReport& report) {
  NowJudged now;
  for (const ReportPair& pair : report.pairs) {
    now.verdicts.push_back(
        pair.verdict ? Json{{"verdict", name_of(pair.verdict->judgement)}, {"note", pair.verdict->note}} : Json());
  }
  const std::string text = json_text(now.verdicts);
  now.state = content_digest(std::as_bytes(std::span(text)));
  return now;
}

// A safe name for a file that is sent: the last part of the given path, without control characters, 120 bytes at most.
std::string safe_name(const std::string& given) {
  constexpr std::size_t longest = 120;
  std::string name = given.substr(given.find_last_of('/') + 1);
  std::erase_if(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (name.size() > longest) name = name.substr(name.size() - longest);  // the ending stays
  return name.empty() || name == "." || name == ".." ? "file" : name;
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string name_of_preview(const std::vector<std::size_t>& numbers) {
  return fmt::format("preview-{}-{}.mp4", numbers[0], numbers[1]);
}

}  // namespace

struct Review::Route {
  bool is_post;
  std::string_view pattern;
  HttpAnswer (Review::*answer)(const HttpRequest& request, const Numbers& numbers);
};

Review::Review(VideoArchive& archive, VideoReport report, ReviewSettings settings)
    : archive_(archive), settings_(std::move(settings)), sheets_(archive, std::move(report)) {
  settings_.report.exact_ends = true;  // of searches
}

HttpAnswer Review::answer(const HttpRequest& request) {
  static constexpr std::array<Route, 15> routes{{{false, "", &Review::page},
                                                 {false, "sheet/#", &Review::sheet},
                                                 {false, "verdicts/#", &Review::verdicts},
                                                 {true, "verdict/#/#", &Review::judge},
                                                 {false, "clip/#/#", &Review::clip},
                                                 {true, "preview/#/#", &Review::make_preview},
                                                 {false, "preview/#/#", &Review::preview},
                                                 {false, "preview/#/#/state", &Review::preview_state},
                                                 {false, "thumbnail/#/#", &Review::thumbnail},
                                                 {false, "image/#/#", &Review::image},
                                                 {false, "agreeing/#/#/#", &Review::agreeing},
                                                 {true, "search", &Review::search},
                                                 {false, "search/#", &Review::search_state},
                                                 {false, "kept.csv", &Review::kept_table},
                                                 {false, "kept.sh", &Review::kept_script}}};
  for (const Route& route : routes) {
    if (route.is_post != request.is_post) continue;
    const std::optional<Numbers> numbers = numbers_by(route.pattern, request.path);
    if (numbers) return (this->*route.answer)(request, *numbers);
  }
  throw HttpFault(404, "there is no such page");
}

HttpAnswer Review::page(const HttpRequest&, const Numbers&) {
  const VideoReport report = sheets_.judged(0);
  const std::string nonce = io::random_token();
  return {.type = "text/html; charset=utf-8",
          .body = review_page(report, nonce, judged_now(report).state, settings_.max_upload),
          .policy = review_policy(nonce)};
}

HttpAnswer Review::sheet(const HttpRequest&, const Numbers& numbers) {
  const VideoReport report = sheets_.judged(numbers[0]);
  return json_answer({{"report", video_report::as_json(report)}, {"state", judged_now(report).state}});
}

HttpAnswer Review::verdicts(const HttpRequest& request, const Numbers& numbers) {
  const VideoReport report = sheets_.judged(numbers[0]);
  NowJudged now = judged_now(report);
  Json json{{"state", now.state}};
  if (value_of(request, "known") != now.state) {
    json["verdicts"] = std::move(now.verdicts);
    json["groups"] = video_report::groups_json(report);
  }
  return json_answer(json);
}

HttpAnswer Review::judge(const HttpRequest& request, const Numbers& numbers) {
  std::optional<Word> before, after;
  try {
    const Json json = parse_json(request.body);
    before = word_of(json.at("before"));
    after = word_of(json.at("after"));
  } catch (const Json::exception& error) {
    throw HttpFault(400, error.what());
  }
  sheets_.judge(numbers[0], numbers[1], before, after);
  return json_answer(Json::object());
}

HttpAnswer Review::clip(const HttpRequest&, const Numbers& numbers) {
  const fs::path file = sheets_.file(numbers[0], numbers[1]);
  return {.type = media_type(file), .file = file};
}

HttpAnswer Review::make_preview(const HttpRequest& request, const Numbers& numbers) {
  const std::string name = name_of_preview(numbers);
  previews_.start(name, [file = sheets_.file(numbers[0], numbers[1]), preview = settings_.folder / name,
                         video = settings_.video](const ProgressSink& progress, const std::stop_token& stop) {
    write_preview(file, preview, video, progress, stop);
  });
  return preview_state(request, numbers);
}

HttpAnswer Review::preview(const HttpRequest&, const Numbers& numbers) {
  return {.type = "video/mp4", .file = settings_.folder / name_of_preview(numbers)};
}

HttpAnswer Review::preview_state(const HttpRequest&, const Numbers& numbers) {
  return json_answer(previews_.state(name_of_preview(numbers)));
}

HttpAnswer Review::thumbnail(const HttpRequest&, const Numbers& numbers) {
  const std::pair key(numbers[0], numbers[1]);
  {
    const std::lock_guard lock(mutex_);
    const auto known = thumbnails_.find(key);
    if (known != thumbnails_.end()) return {.type = "image/jpeg", .body = known->second};
  }
  const fs::path file = sheets_.file(numbers[0], numbers[1]);
  const double seconds = sheets_.found(numbers[0])->clips[numbers[1]].clip.facts.seconds / 2;
  const std::optional<PageImage> image = thumbnail_at(file, seconds, settings_.video);
  if (!image) throw HttpFault(404, "the clip has no frame then");
  std::string jpeg = text_of(image->jpeg);
  const std::lock_guard lock(mutex_);
  thumbnails_.emplace(key, jpeg);
  return {.type = "image/jpeg", .body = std::move(jpeg)};
}

HttpAnswer Review::image(const HttpRequest&, const Numbers& numbers) {
  const std::optional<PageImage> image = view_at(sheets_.file(numbers[0], numbers[1]), 0, settings_.video);
  if (!image) throw HttpFault(404, "the clip has no frame");
  return {.type = "image/jpeg", .body = text_of(image->jpeg)};
}

HttpAnswer Review::agreeing(const HttpRequest& request, const Numbers& numbers) {
  const std::shared_ptr<const VideoReport> report = sheets_.found(numbers[0]);
  const ReportPair& pair = item_of(report->pairs, numbers[1], "pair");
  const CopySegment& segment = item_of(pair.segments, numbers[2], "segment");
  const double in_a = seconds_of(request, "a"), in_b = seconds_of(request, "b");
  const fs::path a = sheets_.file(numbers[0], pair.a), b = sheets_.file(numbers[0], pair.b);
  const std::optional<AgreeingFrames> why =
      agreeing_frames_at(segment, a, in_a, b, in_b, settings_.video, settings_.device);
  if (!why) throw HttpFault(404, "one of the clips has no frame at this time");
  return {.type = "application/json", .body = json_of(*why)};
}

HttpAnswer Review::search(const HttpRequest& request, const Numbers&) {
  std::size_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = searches_begun_++;
  }
  const fs::path folder = settings_.folder / fmt::format("search-{}", number);
  make_folder(folder);
  const fs::path file = folder / safe_name(value_of(request, "name"));
  fs::rename(request.upload, file);
  searches_.start(std::to_string(number), [this, file, number](const ProgressSink& progress, const std::stop_token&) {
    search_file(file, number, progress);
  });
  return json_answer({{"search", number}});
}

// On the thread of the work.
void Review::search_file(const fs::path& file, std::size_t number, const ProgressSink& progress) {
  VideoReport report = report_search(archive_, std::array{file}, settings_.report, settings_.search,
                                     query_signature_options(), settings_.video, settings_.device, progress);
  if (report.queries.empty()) throw Error(ErrorCode::file_error, report.failures.front().reason);
  const std::size_t sheet = sheets_.add(std::move(report));
  const std::lock_guard lock(mutex_);
  sheets_of_searches_[number] = sheet;
}

HttpAnswer Review::search_state(const HttpRequest&, const Numbers& numbers) {
  Json state = searches_.state(std::to_string(numbers[0]));
  const std::lock_guard lock(mutex_);
  const auto done = sheets_of_searches_.find(numbers[0]);
  if (done != sheets_of_searches_.end()) state["sheet"] = done->second;
  return json_answer(state);
}

HttpAnswer Review::kept_table(const HttpRequest& request, const Numbers&) {
  return {.type = "text/csv; charset=utf-8",
          .body = csv_of(kept_files(sheets_.judged(0), value_of(request, "of") == "all")),
          .file_name = "kept.csv"};
}

HttpAnswer Review::kept_script(const HttpRequest& request, const Numbers&) {
  return {.type = "text/x-shellscript; charset=utf-8",
          .body = script_of(kept_files(sheets_.judged(0), value_of(request, "of") == "all"), archive_.folder()),
          .file_name = "kept.sh"};
}

}  // namespace octavo::review
