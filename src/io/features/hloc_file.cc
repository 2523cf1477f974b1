// hloc's features of any detector, for those who make bytes of the descriptors themselves.

#include "io/features/hloc.h"
#include "octavo/io/feature_files.h"

namespace octavo {

class HlocFile::Impl {
 public:
  explicit Impl(const std::filesystem::path& file) : features(file) {}
  HlocFeatures features;
};

HlocFile::HlocFile(const std::filesystem::path& file) : impl_(std::make_unique<Impl>(file)) {}
HlocFile::~HlocFile() = default;
HlocFile::HlocFile(HlocFile&&) noexcept = default;
HlocFile& HlocFile::operator=(HlocFile&&) noexcept = default;

const std::vector<std::string>& HlocFile::names() const { return impl_->features.names(); }
NumberedFeatures HlocFile::read(const std::string& name) const { return impl_->features.read_numbers(name); }

}  // namespace octavo
