#pragma once

// The files of signatures: DIR/segments/XX/DIGEST.signature, where XX are the first two digits of the digest of the
// bytes. A file never changes. It is first written as DIR/segments/.NAME.part (OutputFile), and gets its own name when
// it is whole and on the disk. The lock on it, which ends with its process, tells whether that process is still alive.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/files/content_hash.h"
#include "io/files/output_file.h"

namespace octavo::archive {

/// All functions throw Error(file_error), which names the file.
class SignatureStore {
 public:
  explicit SignatureStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// A signature that is being written. It is removed at the end unless it gets its name.
  class Draft {
   public:
    void write(std::span<const std::byte> bytes);
    /// Brings all bytes to the disk. Returns their digest.
    const std::string& finish();
    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// Gives the finished signature its name, durably.
    void give_name();

   private:
    friend class SignatureStore;
    Draft(const SignatureStore& store, const std::string& name) : store_(&store), file_(store.folder_ / name) {}

    const SignatureStore* store_;
    OutputFile file_;
    io::ContentHash hash_;
    std::string digest_;
    std::uint64_t size_ = 0;
  };

  /// Begins a signature. Threads and processes that use the same name wait for each other.
  [[nodiscard]] Draft begin(const std::string& name) const { return {*this, name}; }
  [[nodiscard]] std::vector<std::byte> read(const std::string& digest) const;
  void remove(const std::string& digest) const;

  /// Removes the drafts of dead processes.
  void remove_drafts() const;
  /// The digests of all signatures that have their name.
  [[nodiscard]] std::vector<std::string> digests() const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& digest) const;

  std::filesystem::path folder_;
};

/// Makes a folder, and those above it, durably.
void make_durable_folder(const std::filesystem::path& folder);

}  // namespace octavo::archive
