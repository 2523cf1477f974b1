// A progress bar, redrawn on the terminal's last line.

#include "cli/progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace octavo::cli {
namespace {

constexpr std::size_t long_list = 4;
constexpr std::size_t bar_width = 30;

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

Progress::Progress(std::size_t total) : total_(total), enabled_(total >= long_list && isatty(STDERR_FILENO) == 1) {}

void Progress::show(std::size_t done, std::string_view name) {
  if (!enabled_) return;
  const std::size_t filled = bar_width * done / total_;
  const std::string line = fmt::format("[{}{}] {}/{} {}", std::string(filled, '#'),
                                       std::string(bar_width - filled, '.'), done, total_, name);
  fmt::print(stderr, "\r\033[K{}", line.substr(0, terminal_width() - 1));
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace octavo::cli
