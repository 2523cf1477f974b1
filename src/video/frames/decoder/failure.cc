#include "video/frames/decoder/failure.h"

extern "C" {
#include <libavutil/error.h>
#include <libavutil/log.h>
}

#include <array>
#include <cstdarg>
#include <cstdio>

namespace octavo::video {
namespace {

// FFmpeg passes no pointer of ours to its callback. This process decodes one file in one thread.
std::string& message() {
  static std::string kept;
  return kept;
}

void keep(void* /*context*/, int level, const char* format, va_list arguments) {
  if (level > AV_LOG_ERROR) return;
  std::array<char, 300> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  std::string line = text.data();
  while (!line.empty() && (line.back() == '\n' || line.back() == '.' || line.back() == ' ')) line.pop_back();
  if (!line.empty()) message() = line;
}

}  // namespace

std::string text_of_error(int error) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(error, text.data(), text.size());
  return text.data();
}

void keep_messages() { av_log_set_callback(keep); }

std::string last_message() { return message().empty() ? "" : ": " + message(); }

}  // namespace octavo::video
