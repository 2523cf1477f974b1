#pragma once

// A server for a page that acts, for a browser on this machine. It listens on the loopback address alone. Every address
// has a token, which only who is told the address knows, so that neither other users of the machine nor pages of other
// sites get an answer. Nothing is served by its path: what a request gets, the program decides.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>

namespace octavo::io {

struct HttpRequest {
  bool is_post = false;
  std::string path{};                           ///< behind the token, such as "clip/0/3"
  std::map<std::string, std::string> values{};  ///< those behind the question mark
  std::string body{};                           ///< of a POST, 64 KiB at most
  std::filesystem::path upload{};  ///< a POST to LocalServerOptions::upload_path: the file with its body, which is
                                   ///< removed unless it has another name when the request is answered
};

struct HttpAnswer {
  int status = 200;
  std::string type{};            ///< "application/json"
  std::string body{};            ///< the content
  std::filesystem::path file{};  ///< the content, in place of `body`; a browser gets the parts that it asks for
  std::string file_name{};       ///< ASCII: the content is saved under this name; empty: it is shown
  std::string policy{};          ///< of a page: its Content-Security-Policy
};

/// Thrown by what answers: the request cannot be answered, and why, for people.
struct HttpFault : std::runtime_error {
  HttpFault(int number, const std::string& sentence) : std::runtime_error(sentence), status(number) {}
  int status;
};

struct LocalServerOptions {
  int port = 0;                           ///< 0: one that is free
  std::string upload_path{};              ///< the body of a POST to it becomes a file
  std::filesystem::path upload_folder{};  ///< where it is; it exists
  std::uint64_t max_upload = 0;           ///< [byte]
};

class LocalServer {
 public:
  /// Answers a request. It is called by several threads at a time. What it throws becomes {"problem": "..."}, with the
  /// status of an HttpFault or 500.
  using Answer = std::function<HttpAnswer(const HttpRequest& request)>;

  /// Takes the port. Throws Error(file_error) if it is not free, and Error(device_unavailable) if Octavo was built
  /// without cpp-httplib.
  LocalServer(LocalServerOptions options, Answer answer);
  ~LocalServer();
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  /// "http://127.0.0.1:PORT/TOKEN/", with a new token of 128 bits for each server.
  [[nodiscard]] const std::string& address() const;

  /// Answers requests until a stop is requested, and those that have come by then.
  void run(const std::stop_token& stop);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo::io
