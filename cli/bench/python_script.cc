// A Python process and the two pipes to it.

#include "cli/bench/python_script.h"

#include <fcntl.h>
#include <fmt/core.h>

#include <boost/process.hpp>
#include <csignal>
#include <string>
#include <system_error>
#include <utility>

#include "cli/json_text.h"

namespace octavo::cli {
namespace {

// Ignores SIGPIPE while it exists. Writing to a script that has ended is then an error of the stream and does not end
// the program.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~WithoutPipeSignal() { std::signal(SIGPIPE, before_); }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

 private:
  void (*before_)(int);
};

boost::filesystem::path find(const std::string& python) {
  if (python.find('/') != std::string::npos) return python;
  const boost::filesystem::path found = boost::process::search_path(python);
  if (found.empty()) throw PythonFailure(fmt::format("there is no program {} on the PATH", python));
  return found;
}

}  // namespace

class PythonScript::Process {
 public:
  Process(const std::string& python, std::string_view script) {
    namespace process = boost::process;
    std::error_code error;
    // Otherwise a script started later would inherit these pipes, keep this script's input open, and this script would
    // never end.
    fcntl(questions_.pipe().native_sink(), F_SETFD, FD_CLOEXEC);
    fcntl(answers_.pipe().native_source(), F_SETFD, FD_CLOEXEC);
    child_ =
        process::child(find(python), "-c", std::string(script), process::std_in<questions_, process::std_out> answers_,
                       process::std_err > process::null, error);
    if (error) throw PythonFailure(fmt::format("{} cannot be started: {}", python, error.message()));
  }

  ~Process() {
    const WithoutPipeSignal guard;
    std::error_code error;
    questions_.pipe().close();  // ends the script's loop
    child_.wait(error);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Returns the answer's line, or "" if there is no answer.
  std::string ask(const std::string& question) {
    const WithoutPipeSignal guard;
    std::string answer;
    if (questions_ << question << std::endl) std::getline(answers_, answer);
    return answer;
  }

 private:
  boost::process::opstream questions_;
  boost::process::ipstream answers_;
  boost::process::child child_;
};

PythonScript::PythonScript(const std::string& python, std::string name, std::string_view script)
    : name_(std::move(name)), process_(std::make_unique<Process>(python, script)) {}

PythonScript::~PythonScript() = default;

nlohmann::json PythonScript::ask(const nlohmann::json& question) {
  const std::string line = process_->ask(json_text(question));
  const nlohmann::json answer = nlohmann::json::parse(line, nullptr, false);
  if (!answer.is_object()) throw PythonFailure(fmt::format("the Python script for {} did not answer", name_));
  if (answer.contains("problem")) throw PythonFailure(answer["problem"].get<std::string>());
  return answer;
}

}  // namespace octavo::cli
