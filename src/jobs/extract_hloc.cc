// The file of octavo extract --format hloc. It is saved every minute, so that a run that is killed loses little. Saving
// means that a copy is extended and takes the name, so the file is whole at any moment. At the end the images are put
// in order, so that a run that was killed and done again has the bytes of one run.

#include "jobs/extract_hloc.h"

#include <array>

#include "io/files/output_file.h"
#include "io/json/json.h"
#include "octavo/batch.h"

namespace octavo::jobs {
namespace {

namespace fs = std::filesystem;
constexpr double milliseconds_between_saves = 60'000;

}  // namespace

ExtractHloc::ExtractHloc(fs::path file, SettingsOfImage settings)
    : file_(std::move(file)), settings_(std::move(settings)) {
  require_ending(std::array{file_}, std::array<std::string_view, 2>{".h5", ".hdf5"});
}

void ExtractHloc::prepare() const {
  require_writable(std::array{file_});
  if (fs::exists(file_)) HlocFeatures{file_};  // what cannot be extended is refused once, and not for each image
}

const ResultRecord* ExtractHloc::up_to_date(const ImageFile& image) {
  if (!present_) {
    if (!fs::exists(file_)) return nullptr;
    present_.emplace(file_);
  }
  const std::string name = image.name.generic_string();
  const std::optional<std::string> note = present_->note(name);
  if (!note || !fs::exists(image.file)) return nullptr;
  const Json known = shallow_json(*note);
  if (!known.is_object() || known.value("settings", std::string()) != digest_of_settings(settings_(image)))
    return nullptr;
  if (known.value("digest", std::string()) != read_source(image.file).source.digest) return nullptr;
  ResultRecord& record = records_[name];
  record.keypoints = known.value("keypoints", std::uint64_t{0});
  return &record;
}

void ExtractHloc::write(const ImageFile& image, const ResultSource& source, const BatchResult& result) {
  present_.reset();
  if (!writer_) {
    writer_.emplace(file_);
    since_saved_ = Stopwatch();
  }
  std::string note = hloc_note(digest_of_settings(settings_(image)), source, result.features.size());
  writer_->write(image.name.generic_string(), result.features, {result.image.width(), result.image.height()}, note);
  unsaved_.push_back({image, std::move(note)});
  if (since_saved_.milliseconds() > milliseconds_between_saves) end_writer(&HlocFeaturesWriter::save);
}

void ExtractHloc::end_writer(void (HlocFeaturesWriter::*save)()) {
  HlocFeaturesWriter writer = std::move(*writer_);
  writer_.reset();
  std::vector<Written> unsaved = std::exchange(unsaved_, {});
  try {
    (writer.*save)();
  } catch (...) {
    tell_lost(std::move(unsaved));
    throw;
  }
}

// `finish` saves before it puts the images in order, which may be what failed.
void ExtractHloc::tell_lost(std::vector<Written> unsaved) {
  std::optional<HlocFeatures> saved;
  try {
    if (fs::exists(file_)) saved.emplace(file_);
  } catch (const std::exception&) {  // nothing of it can be used
    saved.reset();
  }
  for (Written& one : unsaved) {
    if (!saved || saved->note(one.image.name.generic_string()) != one.note) lost_.push_back(std::move(one.image));
  }
}

void ExtractHloc::finish() {
  present_.reset();
  if (!writer_ && fs::exists(file_) && !HlocFeatures(file_).is_finished()) writer_.emplace(file_);
  if (writer_) end_writer(&HlocFeaturesWriter::finish);
}

}  // namespace octavo::jobs
