// The VLADs of a collection of images: features of each image, by a batch, and their sums by visual word. The
// features of an image are dropped once its VLAD is made, so that memory does not grow with their number.

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <utility>

#include "io/features/hloc.h"
#include "io/images/resize.h"
#include "octavo/batch.h"
#include "octavo/io/feature_files.h"
#include "octavo/io/image_files.h"
#include "octavo/multiview/choose_pairs.h"
#include "octavo/retrieval.h"

namespace octavo {
namespace {

// The image, not larger than `size`.
Image reduced(Image image, int size) {
  const int longer = std::max(image.width(), image.height());
  if (size == 0 || longer <= size) return image;
  const auto scaled = [&](int side) {
    return std::max(1, static_cast<int>(std::lround(static_cast<double>(side) * size / longer)));
  };
  return resize_and_crop(image.view(), {scaled(image.width()), scaled(image.height())});
}

// Makes the VLADs one after the other, and tells what fails.
class Collection {
 public:
  Collection(std::span<const ImageFile> files, const DeviceOptions& device, const JobContext& context)
      : files_(files), encoder_(general_vocabulary(), device), context_(context), vlads_(files.size()) {}
  void show(std::size_t index) const {
    report_item(context_.progress, files_[index].file.string(), index, files_.size());
  }
  // `features` gives the image's features.
  template <class GetFeatures>
  void add(std::size_t index, const GetFeatures& features) try {
    vlads_[index] = encoder_.encode(features().descriptors);
  } catch (const std::exception& error) {
    fail(error.what());
  }
  void fail(const std::string& sentence) const { report_failure(context_, sentence); }
  CollectionVlads take() { return std::move(vlads_); }

 private:
  std::span<const ImageFile> files_;
  VladEncoder encoder_;
  const JobContext& context_;
  CollectionVlads vlads_;
};

}  // namespace

CollectionVlads vlads_of_images(std::span<const ImageFile> images, int size, const DetectorOptions& detector,
                                const DeviceOptions& device, const ReadOptions& read, const JobContext& context) {
  std::vector<BatchImage> sources;
  for (const ImageFile& image : images) {
    sources.push_back({image.file.string(),
                       [file = image.file, size, read] { return LoadedImage{reduced(read_image(file, read), size)}; }});
  }
  Collection collection(images, device, context);
  Extractor extractor = make_extractor(described(detector), device);
  Batch batch(extractor, std::move(sources), {.stop = context.stop});
  for (std::size_t i = 0; i < images.size(); ++i) {
    collection.show(i);
    const std::optional<BatchResult> result = batch.next();
    if (!result) break;
    if (result->failure) {
      collection.fail(result->problem);
    } else {
      collection.add(i, [&]() -> const Features& { return result->features; });
    }
  }
  return collection.take();
}

CollectionVlads vlads_of_features(std::span<const ImageFile> files, const DeviceOptions& device,
                                  const JobContext& context) {
  Collection collection(files, device, context);
  std::unique_ptr<HlocFeatures> hloc;  // the file that was read last
  std::filesystem::path hloc_file;
  for (std::size_t i = 0; i < files.size() && !context.stop.stop_requested(); ++i) {
    collection.show(i);
    const std::filesystem::path& file = files[i].file;
    collection.add(i, [&] {
      if (!is_hloc_file(file)) return read_features(file);
      if (hloc == nullptr || file != hloc_file) hloc = std::make_unique<HlocFeatures>(hloc_file = file);
      return hloc->read(files[i].name.generic_string());
    });
  }
  return collection.take();
}

}  // namespace octavo
