// The circumstances that belong to every recorded figure: the machine, the date, the commit, the command.

#pragma once

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

namespace octavo::bench {

inline std::string first_line_of(const char* command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command, "r"), pclose);
  std::array<char, 256> line{};
  if (!pipe || std::fgets(line.data(), line.size(), pipe.get()) == nullptr) return "unknown";
  return std::string(line.data()).substr(0, std::string(line.data()).find('\n'));
}

/// {"machine", "cores", "date", "commit", "command"}. The commit is that of the folder in which the program runs.
inline nlohmann::ordered_json record(int argc, char** argv) {
  std::string command;
  for (int i = 0; i < argc; ++i) command += (i == 0 ? "" : " ") + std::string(argv[i]);
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::array<char, 32> date{};
  std::tm utc{};
  std::strftime(date.data(), date.size(), "%Y-%m-%d", gmtime_r(&now, &utc));
  return {{"machine", first_line_of("sed -n 's/^model name[^:]*: //p' /proc/cpuinfo")},
          {"cores", std::thread::hardware_concurrency()},
          {"date", date.data()},
          {"commit", first_line_of("git describe --always --dirty 2>/dev/null")},
          {"command", command}};
}

}  // namespace octavo::bench
