#include "io/http/random_token.h"

#include <fmt/core.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace octavo::io {

std::string random_token() {
  std::array<unsigned char, 16> bits{};
  if (getentropy(bits.data(), bits.size()) != 0) throw std::system_error(errno, std::generic_category(), "getentropy");
  std::string token;
  for (const unsigned char byte : bits) token += fmt::format("{:02x}", byte);
  return token;
}

}  // namespace octavo::io
