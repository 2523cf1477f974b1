#include "jobs/named_outputs.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/check.h"
#include "io/files/ending.h"
#include "io/files/output_file.h"
#include "octavo/error.h"
#include "octavo/video/video_archive.h"

namespace octavo::jobs {
namespace {

[[noreturn]] void refuse_output(const NamedOutput& one, const std::string& why) {
  throw Error(ErrorCode::invalid_option, InvalidOption{one.option, fmt::format("\"{}\"", one.file.string()), why});
}

}  // namespace

void require_fitting(std::span<const NamedOutput> outputs) {
  std::vector<std::filesystem::path> files;
  for (auto one = outputs.begin(); one != outputs.end(); ++one) {
    if (std::ranges::find(one->endings, io::ending_of(one->file)) == one->endings.end()) {
      refuse_output(*one, "must end in one of " + list_of(one->endings));
    }
    const auto same = std::find_if(outputs.begin(), one, [&](const NamedOutput& other) {
      return archive_path(other.file) == archive_path(one->file);
    });
    if (same != one) refuse_output(*one, fmt::format("is the same file as `{}`", same->option));
    files.push_back(one->file);
  }
  require_writable(files);
}

}  // namespace octavo::jobs
