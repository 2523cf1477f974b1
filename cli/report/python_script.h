#pragma once

// Help from the Python of this machine, where there is one: what it can do better than C++ (plots) or what only it has
// (somebody's cv2). Nothing in the program needs it to run.

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace octavo::cli {

/// Why Python did not help: one sentence for people.
class PythonFailure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A Python script at work beside this program. It reads questions from its standard input, each a line of JSON, and
/// answers each with a line of JSON on its standard output. {"problem": "…"} is an answer that explains why there is
/// none. Not shared between threads.
class PythonScript {
 public:
  /// Starts the interpreter `python`, a path or a name on the PATH. `name` is what failures call the script.
  PythonScript(const std::string& python, std::string name, std::string_view script);
  /// Ends the script.
  ~PythonScript();
  PythonScript(const PythonScript&) = delete;
  PythonScript& operator=(const PythonScript&) = delete;

  /// Throws PythonFailure where the script ended, answers something else, or tells its problem.
  nlohmann::json ask(const nlohmann::json& question);

 private:
  class Process;
  std::string name_;
  std::unique_ptr<Process> process_;
};

}  // namespace octavo::cli
