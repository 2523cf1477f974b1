// The library writes into the part file by its name, beside the descriptor that holds it.

#include "io/features/hdf5_output.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <fstream>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "io/features/hdf5_trial.h"
#include "io/files/part_file.h"
#include "octavo/error.h"

namespace octavo::io {
namespace fs = std::filesystem;

Hdf5Original::Hdf5Original(const fs::path& file) : file_(file), descriptor_(file, O_RDONLY) {
  const std::optional<FileFacts> facts = descriptor_.number() < 0 ? std::nullopt : descriptor_.facts();
  if (!facts) fail_file("read", file, errno);
  facts_ = *facts;
  if (flock(descriptor_.number(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    refuse("another program has it open for writing");
  }
}

void Hdf5Original::refuse(const char* why) const {
  throw Error(ErrorCode::file_error, "cannot extend '" + file_.string() + "': " + why);
}

void Hdf5Original::copy_to(OutputFile& copy) const {
  std::ifstream in(file_, std::ios::binary);
  std::vector<char> piece(std::size_t{1} << 20);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0) {
    copy.write(std::as_bytes(std::span(piece)).first(static_cast<std::size_t>(in.gcount())));
  }
  if (!in.eof()) refuse("it cannot be read");
}

void Hdf5Original::require_unchanged() const {
  if (facts_of(file_) == facts_) return;
  refuse("another program has changed it since this job began; call again");
}

Hdf5Output::Hdf5Output(const fs::path& file, Existing existing)
    : target_(fs::weakly_canonical(file)), output_(std::in_place, target_) {
  const fs::path part = part_of(target_);
  std::error_code unknown;
  if (existing == Existing::extended && fs::exists(target_, unknown)) {
    original_.emplace(target_);
    original_->copy_to(*output_);
    try_hdf5(part, file.string(), [&] { Hdf5File(part, file.string(), Hdf5File::Mode::read).survey(); });
  }
  hdf5_.emplace(part, file.string(), original_ ? Hdf5File::Mode::extend : Hdf5File::Mode::create);
}

void Hdf5Output::finish() {
  hdf5_->flush();
  hdf5_.reset();
  if (original_) original_->require_unchanged();
  output_->finish();
  output_.reset();
}

}  // namespace octavo::io
