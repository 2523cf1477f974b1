#include "io/http/open_in_browser.h"

#include <cstdlib>
#include <string>

#include "engine/process/program.h"

namespace octavo::io {

void open_in_browser(const std::filesystem::path& page) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  const std::string shell = find_program("sh");
  if (shell.empty() || find_program("xdg-open").empty()) return;
  start_program({.words = {shell, "-c", "xdg-open \"$0\" >/dev/null 2>&1 &", page.string()}}).wait();
}

}  // namespace octavo::io
