// Replaces the files of hloc in a build without HDF5.

#include "io/features/hloc.h"
#include "octavo/error.h"

namespace octavo {
namespace {

[[noreturn]] void refuse(const std::string& name) {
  throw Error(ErrorCode::file_error,
              "cannot use '" + name + "': it is a file of hloc, and Octavo was built without HDF5");
}

}  // namespace

class HlocFeatures::Impl {
 public:
  std::vector<std::string> names;
};

HlocFeatures::HlocFeatures(const std::filesystem::path& file) { refuse(file.string()); }
HlocFeatures::~HlocFeatures() = default;
HlocFeatures::HlocFeatures(HlocFeatures&&) noexcept = default;
HlocFeatures& HlocFeatures::operator=(HlocFeatures&&) noexcept = default;
const std::vector<std::string>& HlocFeatures::names() const { return impl_->names; }
Features HlocFeatures::read(const std::string& name) const { refuse(name); }
NumberedFeatures HlocFeatures::read_numbers(const std::string& name) const { refuse(name); }
std::optional<std::string> HlocFeatures::note(const std::string&) const { return std::nullopt; }
bool HlocFeatures::is_finished() const { return false; }

class HlocFeaturesWriter::Impl {};

HlocFeaturesWriter::HlocFeaturesWriter(const std::filesystem::path& file, Existing) { refuse(file.string()); }
HlocFeaturesWriter::~HlocFeaturesWriter() = default;
HlocFeaturesWriter::HlocFeaturesWriter(HlocFeaturesWriter&&) noexcept = default;
HlocFeaturesWriter& HlocFeaturesWriter::operator=(HlocFeaturesWriter&&) noexcept = default;
void HlocFeaturesWriter::write(const std::string&, const Features&, ImageSize, const std::string&) {}
void HlocFeaturesWriter::copy(const HlocFeatures&, const std::string&) {}
void HlocFeaturesWriter::save() {}
void HlocFeaturesWriter::finish() {}

std::vector<std::byte> encode_hloc_features(const std::string& name, const Features&, ImageSize, const std::string&) {
  refuse(name);
}

class HlocMatchesWriter::Impl {};

HlocMatchesWriter::HlocMatchesWriter(const std::filesystem::path& file, double) { refuse(file.string()); }
HlocMatchesWriter::~HlocMatchesWriter() = default;
HlocMatchesWriter::HlocMatchesWriter(HlocMatchesWriter&&) noexcept = default;
HlocMatchesWriter& HlocMatchesWriter::operator=(HlocMatchesWriter&&) noexcept = default;
void HlocMatchesWriter::write(const std::string&, const std::string&, std::size_t, std::span<const Match>,
                              std::span<const std::uint8_t>) {}
void HlocMatchesWriter::finish() {}

std::vector<Match> read_hloc_matches(const std::filesystem::path& file, const std::string&, const std::string&) {
  refuse(file.string());
}

}  // namespace octavo
