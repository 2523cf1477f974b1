// Octavo without cpp-httplib: there is no server.

#include "io/http/local_server.h"
#include "octavo/error.h"

namespace octavo::io {

class LocalServer::Impl {
 public:
  std::string address;
};

LocalServer::LocalServer(LocalServerOptions, Answer) {
  throw Error(ErrorCode::device_unavailable, "this Octavo serves no pages: it was built without cpp-httplib");
}

LocalServer::~LocalServer() = default;

const std::string& LocalServer::address() const { return impl_->address; }

void LocalServer::run(const std::stop_token&) {}

}  // namespace octavo::io
