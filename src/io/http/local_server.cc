// The server is cpp-httplib's, which this file alone includes. A request is answered if it has the token, and names
// this machine as its host: a page of another site whose name was made to mean 127.0.0.1 (DNS rebinding) names that
// site. One that changes something must also come from a page of this server.

#include "io/http/local_server.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <httplib.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "io/files/file_descriptor.h"
#include "io/files/output_file.h"
#include "io/http/byte_range.h"
#include "io/http/random_token.h"
#include "io/json/json.h"
#include "octavo/error.h"

namespace octavo::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_body = std::size_t{1} << 16;         // [byte]
constexpr std::uint64_t max_dropped = std::uint64_t{1} << 28;  // [byte]
constexpr const char* not_allowed = "this address is not for you";
constexpr std::string_view json_type = "application/json";

// Takes as long wherever they differ, so that the time of an answer tells nothing of the token.
bool is_equal(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned>(a[i] ^ b[i]);
  return difference == 0;
}

HttpAnswer problem(int status, const std::string& sentence) {
  return {.status = status, .type = std::string(json_type), .body = json_text({{"problem", sentence}})};
}

// A file on its way to the browser.
class SentFile {
 public:
  explicit SentFile(const fs::path& file) : descriptor_(file, O_RDONLY | O_CLOEXEC) {
    struct stat facts {};
    if (descriptor_.number() < 0 || fstat(descriptor_.number(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
      throw HttpFault(404, fmt::format("cannot read '{}'", file.string()));
    }
    size_ = static_cast<std::uint64_t>(facts.st_size);
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }

  // Sends bytes from there on, at most so many.
  bool send(std::uint64_t from, std::uint64_t most, httplib::DataSink& sink) const {
    std::array<char, 1 << 16> bytes;
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(most, bytes.size()));
    const auto got =
        uninterrupted([&] { return pread(descriptor_.number(), bytes.data(), wanted, static_cast<off_t>(from)); });
    if (got <= 0) return false;  // the file is shorter now
    sink.write(bytes.data(), static_cast<std::size_t>(got));
    return true;
  }

 private:
  FileDescriptor descriptor_;
  std::uint64_t size_ = 0;
};

void send_file(const HttpAnswer& answer, const httplib::Request& request, httplib::Response& response) {
  const auto file = std::make_shared<const SentFile>(answer.file);
  ByteRange range{0, file->size()};
  response.set_header("Accept-Ranges", "bytes");
  if (request.has_header("Range")) {
    const std::optional<ByteRange> wanted = byte_range_of(request.get_header_value("Range"), file->size());
    if (!wanted) {
      response.status = 416;
      response.set_header("Content-Range", fmt::format("bytes */{}", file->size()));
      return;
    }
    range = *wanted;
    response.status = 206;
    response.set_header("Content-Range", fmt::format("bytes {}-{}/{}", range.begin, range.end - 1, file->size()));
  }
  if (range.begin == range.end) return response.set_content("", answer.type);
  response.set_content_provider(static_cast<std::size_t>(range.end - range.begin), answer.type,
                                [file, range](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                                  return file->send(range.begin + offset, length, sink);
                                });
}

void send(const HttpAnswer& answer, const httplib::Request& request, httplib::Response& response) {
  response.status = answer.status;
  if (!answer.policy.empty()) response.set_header("Content-Security-Policy", answer.policy);
  if (!answer.file_name.empty()) {
    response.set_header("Content-Disposition", fmt::format("attachment; filename=\"{}\"", answer.file_name));
  }
  if (answer.file.empty()) {
    response.set_header("Cache-Control", "no-store");
    response.set_content(answer.body, answer.type);
  } else {
    response.set_header("Cache-Control", "private, no-cache");
    send_file(answer, request, response);
  }
}

// Gives the body of a request to `take`, if it has at most `most` bytes; else returns false. A body that is too large
// is read too, and dropped: a client that still sends when the connection closes does not see the answer. One that is
// larger by far is not read.
bool read_body(const httplib::Request& request, const httplib::ContentReader& reader, std::uint64_t most,
               const std::function<void(std::string_view)>& take) {
  const std::string declared = request.get_header_value("Content-Length");
  if (std::strtoull(declared.c_str(), nullptr, 10) > most + max_dropped) return false;
  std::uint64_t size = 0;
  reader([&](const char* bytes, std::size_t count) {
    size += count;
    if (size <= most) take({bytes, count});
    return size <= most + max_dropped;
  });
  return size <= most;
}

// The body of a POST as a file, as long as the object lives.
class Upload {
 public:
  Upload(const fs::path& folder, int number) : file_(folder / fmt::format("upload-{}", number)) {}
  ~Upload() {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;

  [[nodiscard]] const fs::path& file() const { return file_; }

  void read(const httplib::Request& request, const httplib::ContentReader& reader, std::uint64_t most) const {
    OutputFile file(file_);
    if (!read_body(request, reader, most, [&](std::string_view bytes) { file.write(bytes); })) {
      throw HttpFault(413, fmt::format("the file is larger than {:.1f} MB", static_cast<double>(most) / 1e6));
    }
    file.finish();
  }

 private:
  fs::path file_;
};

}  // namespace

class LocalServer::Impl {
 public:
  Impl(LocalServerOptions options, Answer answer)
      : options_(std::move(options)), answer_(std::move(answer)), token_(random_token()) {
    prepare();
    constexpr const char* loopback = "127.0.0.1";
    const int port = options_.port == 0                              ? server_.bind_to_any_port(loopback)
                     : server_.bind_to_port(loopback, options_.port) ? options_.port
                                                                     : -1;
    if (port < 0) {
      throw Error(ErrorCode::file_error,
                  fmt::format("cannot listen on port {} of 127.0.0.1: another program may have it", options_.port));
    }
    hosts_ = {fmt::format("127.0.0.1:{}", port), fmt::format("localhost:{}", port)};
    address_ = fmt::format("http://{}/{}/", hosts_.front(), token_);
  }

  [[nodiscard]] const std::string& address() const { return address_; }

  void run(const std::stop_token& stop) {
    std::atomic<bool> ended = false;
    std::thread listening([&] {
      server_.listen_after_bind();
      ended = true;
    });
    std::mutex mutex;
    std::condition_variable_any stopped;
    {
      std::unique_lock lock(mutex);
      stopped.wait(lock, stop, [] { return false; });
    }
    // A server that does not run yet ignores its stop.
    while (!server_.is_running() && !ended) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    server_.stop();
    listening.join();
  }

 private:
  void prepare() {
    constexpr std::size_t threads = 16;  // a video that waits in a browser has one
    server_.new_task_queue = [] { return new httplib::ThreadPool(threads); };
    // Without SO_REUSEPORT, which would share a port that another server has.
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    // Each answer ends its connection: so none that is idle delays the end.
    server_.set_keep_alive_max_count(1);
    server_.set_keep_alive_timeout(1);
    // Only read_body refuses what is too large.
    server_.set_payload_max_length(std::numeric_limits<std::size_t>::max());
    server_.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                                 {"Referrer-Policy", "same-origin"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"},
                                 {"Cross-Origin-Opener-Policy", "same-origin"}});
    server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      // The library would apply the header Range too, each version in its own way.
      const_cast<httplib::Request&>(request).ranges.clear();
      if (is_allowed(request) || request.method == "POST") return httplib::Server::HandlerResponse::Unhandled;
      send(problem(403, not_allowed), request, response);
      return httplib::Server::HandlerResponse::Handled;
    });
    const auto answer = [this](const httplib::Request& request, httplib::Response& response) {
      respond(request, response, [&] { return answer_(request_of(request)); });
    };
    const auto post = [this](HttpAnswer (Impl::*made_of)(const httplib::Request&, const httplib::ContentReader&)) {
      return [this, made_of](const httplib::Request& request, httplib::Response& response,
                             const httplib::ContentReader& reader) {
        respond(request, response, [&] {
          if (is_allowed(request)) return (this->*made_of)(request, reader);
          read_body(request, reader, 0, [](std::string_view) {});
          throw HttpFault(403, not_allowed);
        });
      };
    };
    server_.Get(".*", answer);
    server_.Post("/[^/]*/" + options_.upload_path, post(&Impl::answer_to_upload));
    server_.Post(".*", post(&Impl::answer_to_body));
  }

  [[nodiscard]] bool is_allowed(const httplib::Request& request) const {
    const std::string host = request.get_header_value("Host");
    if (host != hosts_[0] && host != hosts_[1]) return false;
    const std::string_view path = request.path;
    const std::string_view token = path.substr(0, path.find('/', 1));
    if (!is_equal(token, "/" + token_) || path.size() == token.size()) return false;
    const bool changes = request.method != "GET" && request.method != "HEAD";
    return !changes || request.get_header_value("Origin") == "http://" + host;
  }

  [[nodiscard]] HttpRequest request_of(const httplib::Request& request) const {
    HttpRequest made{.is_post = request.method == "POST", .path = request.path.substr(token_.size() + 2)};
    made.values.insert(request.params.begin(), request.params.end());
    return made;
  }

  HttpAnswer answer_to_body(const httplib::Request& request, const httplib::ContentReader& reader) {
    HttpRequest made = request_of(request);
    if (!read_body(request, reader, max_body, [&](std::string_view bytes) { made.body += bytes; })) {
      throw HttpFault(413, fmt::format("the body is larger than {} bytes", max_body));
    }
    return answer_(made);
  }

  HttpAnswer answer_to_upload(const httplib::Request& request, const httplib::ContentReader& reader) {
    const Upload upload(options_.upload_folder, ++uploads_);
    upload.read(request, reader, options_.max_upload);
    HttpRequest made = request_of(request);
    made.upload = upload.file();
    return answer_(made);
  }

  static void respond(const httplib::Request& request, httplib::Response& response,
                      const std::function<HttpAnswer()>& answer) {
    try {
      send(answer(), request, response);
    } catch (const HttpFault& fault) {
      send(problem(fault.status, fault.what()), request, response);
    } catch (const std::exception& error) {
      send(problem(500, error.what()), request, response);
    }
  }

  LocalServerOptions options_;
  Answer answer_;
  std::string token_, address_;
  std::array<std::string, 2> hosts_;
  std::atomic<int> uploads_ = 0;
  httplib::Server server_;
};

LocalServer::LocalServer(LocalServerOptions options, Answer answer)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(answer))) {}
LocalServer::~LocalServer() = default;

const std::string& LocalServer::address() const { return impl_->address(); }

void LocalServer::run(const std::stop_token& stop) { impl_->run(stop); }

}  // namespace octavo::io
