#include "io/features/hdf5_trial.h"

#include <chrono>
#include <exception>
#include <string>
#include <system_error>

#include "engine/process/forked_work.h"
#include "octavo/error.h"

namespace octavo::io {
namespace {

constexpr const char* is_read = "read";

}  // namespace

void try_hdf5(const std::filesystem::path& file, const std::string& name, const std::function<void()>& read) {
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(file, unknown);
  if (unknown) return;  // the caller's own attempt says why
  const std::chrono::seconds limit(60 + size / 10'000'000);
  const ChildAnswer answer = answer_of_child(
      [&] {
        try {
          read();
          return std::string(is_read);
        } catch (const Error& error) {
          return std::string(error.what());
        } catch (const std::exception&) {
          return std::string(is_read);  // no memory, as the caller will find too
        }
      },
      limit);
  if (answer.bytes == is_read || !answer.has_begun) return;
  if (!answer.bytes.empty()) throw Error(ErrorCode::file_error, answer.bytes);
  throw Error(ErrorCode::file_error, "cannot read '" + name + "': HDF5's library fails at it, as at a damaged file (" +
                                         (answer.problem.empty() ? "no answer" : answer.problem) + ")");
}

}  // namespace octavo::io
