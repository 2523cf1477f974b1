#include "io/files/file_descriptor.h"

#include <string>
#include <system_error>

#include "octavo/error.h"

namespace octavo::io {

void fail_file(const char* verb, const std::filesystem::path& file, int reason) {
  throw Error(ErrorCode::file_error,
              std::string("cannot ") + verb + " '" + file.string() + "': " + std::generic_category().message(reason));
}

FileDescriptor open_locked(const std::filesystem::path& file, int flags) {
  for (;;) {
    FileDescriptor descriptor(file, flags);
    if (descriptor.number() < 0) return descriptor;
    descriptor.lock();
    const std::optional<FileFacts> locked = descriptor.facts();
    if (!locked) return descriptor;
    // Another process may have renamed or removed the file while this one waited for the lock. The name then belongs to
    // no file or to a new one.
    const std::optional<FileFacts> named = facts_of(file);
    if (named && named->identity == locked->identity) return descriptor;
  }
}

}  // namespace octavo::io
