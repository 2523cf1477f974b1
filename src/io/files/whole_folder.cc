#include "io/files/whole_folder.h"

#include <string>
#include <system_error>
#include <utility>

#include "io/files/output_file.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

fs::path named(fs::path folder, const char* ending) { return std::move(folder += ending); }

}  // namespace

WholeFolder::WholeFolder(fs::path folder)
    : folder_(std::move(folder)), partial_(named(folder_, ".partial")), before_(named(folder_, ".before")) {
  if (!fs::exists(folder_) && fs::exists(before_)) fs::rename(before_, folder_);
  std::error_code unknown;
  fs::remove_all(partial_, unknown);
  make_folder(partial_);
}

WholeFolder::~WholeFolder() {
  std::error_code unknown;
  fs::remove_all(partial_, unknown);
}

void WholeFolder::finish() const {
  if (fs::exists(folder_)) {
    fs::remove_all(before_);
    fs::rename(folder_, before_);
  }
  fs::rename(partial_, folder_);
  fs::remove_all(before_);
}

}  // namespace octavo
