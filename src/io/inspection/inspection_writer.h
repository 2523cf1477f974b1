#pragma once

// Writes the files of an inspection: images when the planes are shown, the rest at the end.

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "io/inspection/inspection_images.h"
#include "io/inspection/inspection_page.h"
#include "io/inspection/output_folder.h"
#include "io/inspection/presenter.h"
#include "io/json/json.h"
#include "octavo/io/inspection_folder.h"

namespace octavo::inspection {

class Writer {
 public:
  /// `image` and `presenter` must outlive the writer. Throws Error(file_error), Error(out_of_memory).
  Writer(const ImageView& image, const Presenter& presenter, const std::filesystem::path& folder,
         const InspectionFolderOptions& options);

  /// Takes a plane during the call, like ShowPlane.
  void add(const StagePlane& plane, const Inspection& so_far);
  /// Writes the files that need the whole inspection, and removes the files of an earlier run.
  InspectionFiles finish(Inspection inspection);

 private:
  [[nodiscard]] std::filesystem::path path(const std::string& name) { return folder_.add(name); }
  void write_bytes(const std::string& name, std::span<const std::byte> bytes);
  void add_image(const StagePlane& plane, int factor, std::span<const std::byte> small, const std::string& file);
  void write_descriptor(const StagePlane& plane, const Inspection& so_far);
  void write_filters(const Inspection& inspection);
  void write_candidates(const Inspection& inspection, const ImageView& drawing, double zoom);
  void write_keypoints(const Inspection& inspection, const ImageView& drawing, double zoom);
  void write_packed();
  void add_photograph();

  ImageView image_;
  const Presenter& presenter_;
  InspectionFolderOptions options_;
  OutputFolder folder_;
  std::optional<PackedPyramid> packed_;
  std::optional<std::size_t> point_;  ///< index among the features
  Json planes_ = Json::array();
  InspectionPage page_;
};

}  // namespace octavo::inspection
