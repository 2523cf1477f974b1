// The library writes into the part file by its name, beside the descriptor that holds it.

#include "imageio/hdf5_output.h"

#include <fstream>
#include <system_error>
#include <vector>

#include "imageio/hdf5_trial.h"
#include "imageio/part_file.h"
#include "octavo/error.h"

namespace octavo::imageio {
namespace {

namespace fs = std::filesystem;

// Copies the file that exists. Whether there is one.
bool copy(const fs::path& from, OutputFile& to) {
  std::error_code unknown;
  if (!fs::exists(from, unknown) && !unknown) return false;
  std::ifstream in(from, std::ios::binary);
  std::vector<char> piece(std::size_t{1} << 20);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0) {
    to.write(std::as_bytes(std::span(piece)).first(static_cast<std::size_t>(in.gcount())));
  }
  if (!in.eof()) throw Error(ErrorCode::file_error, "cannot read '" + from.string() + "', which would be extended");
  return true;
}

}  // namespace

Hdf5Output::Hdf5Output(const fs::path& file, Existing existing)
    : target_(fs::weakly_canonical(file)),
      output_(target_),
      is_extended_(existing == Existing::extended && copy(target_, output_)) {
  const fs::path part = part_of(target_);
  if (is_extended_) {
    try_hdf5(part, file.string(), [&] { Hdf5File(part, file.string(), Hdf5File::Mode::read).survey(); });
  }
  hdf5_.emplace(part, file.string(), is_extended_ ? Hdf5File::Mode::extend : Hdf5File::Mode::create);
}

void Hdf5Output::finish() {
  hdf5_->flush();
  hdf5_.reset();
  output_.finish();
}

}  // namespace octavo::imageio
