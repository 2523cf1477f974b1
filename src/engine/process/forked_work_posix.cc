#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "engine/process/child_process.h"
#include "engine/process/descriptor.h"
#include "engine/process/forked_work.h"

#if defined(__linux__)
#include <sys/prctl.h>
#endif

namespace octavo {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array crashes{SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS, SIGTRAP};
constexpr int exit_of_signal = 128;  // plus the signal, as shells have it

std::string reason(int error) { return std::generic_category().message(error); }

extern "C" void end_by_signal(int signal) { _exit(exit_of_signal + signal); }

// A crash is then no matter for the caller's reporter of crashes, for the system's core files or for the terminal.
void separate_from_caller(pid_t caller) {
#if defined(__linux__)
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != caller) _exit(0);  // it died before that
  for (const int signal : crashes) std::signal(signal, end_by_signal);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0) return;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
}

// A socket rather than pipes: writing to a process that has died must raise no SIGPIPE in the caller.
bool write_all(int socket, const void* bytes, std::size_t count) {
  const char* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t n = send(socket, at, count, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    count -= static_cast<std::size_t>(n);
  }
  return true;
}

bool read_exactly(int socket, void* bytes, std::size_t count) {
  char* at = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t n = read(socket, at, count);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    count -= static_cast<std::size_t>(n);
  }
  return true;
}

// What goes before the bytes of a question.
struct Header {
  unsigned seconds;  // of the limit
  std::size_t bytes;
};

[[noreturn]] void run_child(const std::function<std::string(const std::string&)>& work, pid_t parent, int caller) {
  separate_from_caller(parent);
  try {
    Header header{};
    if (!read_exactly(caller, &header, sizeof header)) _exit(0);  // the caller has ended
    std::string question(header.bytes, '\0');
    if (!read_exactly(caller, question.data(), question.size())) _exit(0);
    std::signal(SIGALRM, SIG_DFL);
    alarm(header.seconds + 2);  // for the case that the caller dies first
    const std::string bytes = work(question);
    if (!write_all(caller, bytes.data(), bytes.size())) _exit(1);
  } catch (...) {
    _exit(1);
  }
  _exit(0);  // neither destructors nor exit handlers of the caller run
}

// Reads until the child closes its end. False if the limit is reached first.
bool read_all(int socket, Clock::time_point end, std::string& bytes) {
  std::array<std::byte, 4096> part{};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    const std::optional<std::size_t> count = read_within(socket, part, left);
    if (!count) return false;
    if (*count == 0) return true;
    bytes.append(reinterpret_cast<const char*>(part.data()), *count);
  }
}

std::string problem_of(const ChildEnd& end) {
  const int signal = end.code > exit_of_signal ? end.code - exit_of_signal : end.signal;
  if (signal != 0) return std::string("it ended by a signal: ") + strsignal(signal);
  return end.code == 0 ? "" : "it ended without an answer";
}

}  // namespace

bool processes_fork() { return true; }

struct WaitingChild::Child {
  Descriptor socket;
  ChildProcess process;
};

WaitingChild::WaitingChild(const std::function<std::string(const std::string&)>& work) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    problem_ = "no socket to a child process can be made: " + reason(errno);
    return;
  }
  Descriptor here(ends[0]);
  const Descriptor of_child(ends[1]);
  const pid_t caller = getpid();
  const pid_t child = fork();
  if (child == 0) {
    here.close();
    run_child(work, caller, of_child.number());
  }
  if (child < 0) {
    problem_ = "no child process can be started: " + reason(errno);
    return;
  }
  child_ = std::make_unique<Child>(Child{std::move(here), ChildProcess(child)});
}

WaitingChild::~WaitingChild() = default;

bool WaitingChild::is_there() const { return child_ != nullptr; }

ChildAnswer WaitingChild::ask(const std::string& question, std::chrono::milliseconds limit) {
  if (!is_there()) return {{}, problem_, false};
  const std::unique_ptr<Child> child = std::move(child_);
  problem_ = "it has been asked before";
  const Clock::time_point end_of_limit = Clock::now() + limit;
  const Header header{static_cast<unsigned>(limit.count() / 1000), question.size()};
  // A child that is gone is noticed below.
  if (write_all(child->socket.number(), &header, sizeof header)) {
    write_all(child->socket.number(), question.data(), question.size());
  }
  ChildAnswer answer{.bytes = {}, .problem = {}, .has_begun = true};
  std::optional<ChildEnd> end;  // a child may close its socket and not end
  if (read_all(child->socket.number(), end_of_limit, answer.bytes)) {
    end = child->process.wait(std::chrono::duration_cast<std::chrono::milliseconds>(end_of_limit - Clock::now()));
  }
  child->process.kill();
  answer.problem = end ? problem_of(*end) : "it did not answer within " + std::to_string(limit.count() / 1000) + " s";
  if (!answer.problem.empty()) answer.bytes.clear();
  return answer;
}

}  // namespace octavo
