#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "io/http/local_server.h"
#include "octavo/video/video_archive.h"
#include "octavo/video/video_report.h"

namespace octavo::review {

/// What a person says of a pair.
struct Word {
  Judgement judgement = Judgement::same;
  std::string note{};
};

/// An item of a list that a request names by its number. Throws HttpFault: "there is no clip 7".
template <class Items>
const auto& item_of(const Items& items, std::size_t index, const char* what) {
  if (index >= items.size()) throw io::HttpFault(404, "there is no " + std::string(what) + ' ' + std::to_string(index));
  return items[index];
}

/// The reports that are reviewed: sheet 0 is the archive compared with itself, each other one a search in it. Verdicts
/// are those that the archive has now, whoever gave them. Several threads may use an object at a time. An unknown
/// number is an HttpFault.
class ReviewSheets {
 public:
  ReviewSheets(VideoArchive& archive, VideoReport report);

  /// Adds a search, and returns its number.
  std::size_t add(VideoReport report);

  /// A report with the verdicts of its begin.
  [[nodiscard]] std::shared_ptr<const VideoReport> found(std::size_t sheet) const;
  /// A report with the verdicts and the groups of now.
  [[nodiscard]] VideoReport judged(std::size_t sheet) const;
  /// A file of the clip that is still as the archive knows it, or the query of a search.
  [[nodiscard]] std::filesystem::path file(std::size_t sheet, std::size_t clip) const;

  /// Replaces what is said of a pair, if it is still `before`; none is nothing. Else it is a HttpFault of 409, and
  /// nothing is changed.
  void judge(std::size_t sheet, std::size_t pair, const std::optional<Word>& before, const std::optional<Word>& after);

 private:
  VideoArchive& archive_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const VideoReport>> sheets_;
};

}  // namespace octavo::review
