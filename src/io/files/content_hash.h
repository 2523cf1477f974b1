#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace octavo::io {

/// The digest of bytes that come part by part (octavo::content_digest).
class ContentHash {
 public:
  ContentHash();
  ~ContentHash();
  ContentHash(ContentHash&&) noexcept;
  ContentHash& operator=(ContentHash&&) = delete;

  void add(std::span<const std::byte> bytes);
  [[nodiscard]] std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace octavo::io
