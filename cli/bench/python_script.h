#pragma once

// A script that runs in this machine's Python, if it has one: `octavo bench report` times the OpenCV of this Python. No
// other part of the program needs Python.

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace octavo::cli {

/// The reason why a script gave no answer, as one sentence for the user.
class PythonFailure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A Python script in a child process. It reads questions from its standard input, each a line of JSON, and writes one
/// line of JSON to its standard output for each. The answer {"problem": "…"} says why a question has no other answer.
/// One thread at a time may use an object.
class PythonScript {
 public:
  /// Starts the interpreter `python`, a path or a name on the PATH. Failures call the script `name`.
  PythonScript(const std::string& python, std::string name, std::string_view script);
  /// Closes the script's input and waits until the script has ended.
  ~PythonScript();
  PythonScript(const PythonScript&) = delete;
  PythonScript& operator=(const PythonScript&) = delete;

  /// Sends a question and returns the answer. Throws PythonFailure if the script has ended, if its answer is not a JSON
  /// object, or if the answer is a problem.
  nlohmann::json ask(const nlohmann::json& question);

 private:
  class Process;
  std::string name_;
  std::unique_ptr<Process> process_;
};

}  // namespace octavo::cli
