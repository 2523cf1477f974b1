#include "video/archive/work_times.h"

#include <fmt/core.h>

#include <cerrno>
#include <charconv>
#include <fstream>

#include "io/files/file_descriptor.h"

namespace octavo::archive {

void WorkTimes::add(std::string_view content, double seconds) {
  std::ofstream file(file_, std::ios::app);
  file << fmt::format("{} {}\n", content, seconds);
  if (!file.flush()) io::fail_file("write", file_, errno);
}

std::optional<double> WorkTimes::of(std::string_view content) {
  read_what_is_new();
  const auto known = seconds_.find(content);
  if (known == seconds_.end()) return std::nullopt;
  return known->second;
}

void WorkTimes::read_what_is_new() {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file_, error);
  if (error || size <= read_) return;
  std::ifstream file(file_);
  file.seekg(static_cast<std::streamoff>(read_));
  std::string line;
  while (std::getline(file, line) && !file.eof()) {  // what ends without an end of the line may be half written
    read_ += line.size() + 1;
    const std::size_t space = line.find(' ');
    double seconds = 0;
    const char* const end = line.data() + line.size();
    if (space == std::string::npos) continue;
    const auto [rest, fault] = std::from_chars(line.data() + space + 1, end, seconds);
    if (fault == std::errc() && rest == end) seconds_.insert_or_assign(line.substr(0, space), seconds);
  }
}

}  // namespace octavo::archive
