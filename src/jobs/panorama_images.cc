// Views of panoramas as files. Folders of other photographs are not made anew: links stand for these.

#include "jobs/panorama_images.h"

#include <fmt/core.h>

#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "io/exif/joined_exif.h"
#include "io/files/content_digest.h"
#include "io/files/output_file.h"
#include "io/files/read_bytes.h"
#include "io/files/whole_folder.h"
#include "io/images/masks.h"
#include "io/json/json.h"
#include "io/results/json_file.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/io/image_files.h"
#include "octavo/io/image_formats.h"

namespace octavo::jobs {
namespace {

namespace fs = std::filesystem;

constexpr auto options_name = "panoramas.json", views_name = "views.json";

// An image that says that it is a panorama, but cannot be cut.
class UnfitPanorama : public Error {
 public:
  explicit UnfitPanorama(const std::string& sentence) : Error(ErrorCode::file_error, sentence) {}
};

ReadOptions as_stored(ReadOptions read) {
  read.apply_exif_rotation = false;  // as all images of a model
  return read;
}

// Whether a photograph is a panorama. One that cannot be read is none: its extraction tells why.
bool is_panorama(const ImageFile& image, const PanoramaCut& job) {
  if (job.options.panoramas == PanoramaOptions::Which::none) return false;
  try {
    switch (told_panorama(read_metadata(image.file).xmp)) {
      case ToldPanorama::part:
        throw UnfitPanorama(
            fmt::format("'{}' is a part of a panorama, as its XMP data (GPano) say: only whole ones are "
                        "cut into views",
                        image.file.string()));
      case ToldPanorama::whole:
        return true;
      case ToldPanorama::none:
        break;
    }
    if (job.options.panoramas != PanoramaOptions::Which::two_to_one) return false;
    const Image pixels = read_stored(image.file, as_stored(job.read)).image;
    return is_two_to_one({pixels.width(), pixels.height()});
  } catch (const UnfitPanorama&) {
    throw;
  } catch (const Error&) {
    return false;
  }
}

const char* ending_of(const Image& image) {
  if (image.type() == PixelType::f32) return ".tif";
  return image.type() == PixelType::u16 || image.channels() % 2 == 0 ? ".png" : ".jpg";
}

[[noreturn]] void refuse_folder(const fs::path& folder, const char* why) {
  throw Error(ErrorCode::file_error,
              fmt::format("'{}' is there, and {}: give another folder for the model", folder.string(), why));
}

// What the views of a panorama have in common.
struct CutViews {
  std::string ending;  // of their files
  int size = 0;        // [pixel] of a side
};

// The views in a folder that has them all, by their note; none: there is no such folder.
std::optional<CutViews> views_in(const fs::path& folder, const std::string& digest) {
  if (!fs::exists(folder)) return std::nullopt;
  std::error_code unknown;
  if (!fs::is_regular_file(folder / views_name, unknown)) refuse_folder(folder, "has no views of a panorama");
  CutViews views = read_json_file(folder / views_name, [&](const Json& note) {
    if (note.at("panorama_digest").get<std::string>() != digest) {
      refuse_folder(folder, "has the views of another panorama, or with another mask");
    }
    return CutViews{note.at("ending").get<std::string>(), note.at("size").get<int>()};
  });
  const bool is_image = views.ending == ".tif" || views.ending == ".png" || views.ending == ".jpg";
  if (!is_image || views.size < 1) {
    refuse_folder(folder, "its note of views is damaged");
  }
  return views;
}

// A panorama that was read, and the ending of the files of its views.
struct OpenPanorama {
  std::unique_ptr<PanoramaCutter> cutter;
  std::string ending;
};

// What is wrong with one panorama costs no others.
OpenPanorama open_panorama(const ImageFile& image, const PanoramaCut& job, const Masks& masks) {
  const auto read = [&](const Image* mask) { return read_stored(image.file, as_stored(job.read), mask); };
  const std::string name = image.file.string();
  try {
    const Image panorama = masks.hidden(image.name, name, read).image;
    if (!is_two_to_one({panorama.width(), panorama.height()})) {
      throw UnfitPanorama(
          fmt::format("'{}' says that it is a panorama all around, but is {}x{} pixels, and not twice "
                      "as wide as high",
                      name, panorama.width(), panorama.height()));
    }
    return {std::make_unique<PanoramaCutter>(panorama.view(), job.options), ending_of(panorama)};
  } catch (const UnfitPanorama&) {
    throw;
  } catch (const Error& error) {
    throw UnfitPanorama(fmt::format("the panorama '{}' is not cut: {}", name, error.what()));
  }
}

// Cuts a panorama into a folder that appears whole.
CutViews write_views(const ImageFile& image, const PanoramaCut& job, const Masks& masks, const std::string& digest,
                     const fs::path& folder) {
  const auto [cutter, ending] = open_panorama(image, job, masks);
  const ImageMetadata stored = read_metadata(image.file);
  const ImageMetadata metadata{.icc = stored.icc,
                               .exif = io::joined_exif({&stored.exif, 1}, ImageSize{cutter->size(), cutter->size()})};
  make_folder(folder.parent_path());
  const WholeFolder whole(folder);
  for (const PanoramaView& view : panorama_views(job.options)) {
    write_image(whole.partial() / (view.name + ending), cutter->cut(view).view(), metadata);
  }
  const Json note{{"octavo_views", 1}, {"panorama_digest", digest}, {"ending", ending}, {"size", cutter->size()}};
  write_file(whole.partial() / views_name, json_text(note) + "\n");
  whole.finish();
  return {ending, cutter->size()};
}

void add_views(const ImageFile& image, const PanoramaCut& job, const Masks& masks, ModelImages& made) {
  const fs::path folder = job.folder / image.name;
  const std::string digest = content_digest(image.file) + masks.digest(image.name);
  const std::optional<CutViews> known = views_in(folder, digest);
  const auto [ending, size] = known ? *known : write_views(image, job, masks, digest, folder);
  const ColmapCamera camera{
      ColmapModel::simple_pinhole, {size, size}, {focal_length_of(job.options, size), size / 2.0, size / 2.0}, true};
  SfmPanorama panorama{.name = image.name.generic_string()};
  for (const PanoramaView& view : panorama_views(job.options)) {
    const fs::path name = image.name / (view.name + ending);
    made.images.push_back({job.folder / name, name});
    made.photograph_of.push_back(made.photographs.size());
    made.cameras.emplace(name.generic_string(), camera);
    panorama.views.push_back({name.generic_string(), view.view_from_panorama});
  }
  made.panoramas.push_back(std::move(panorama));
}

void add_link(const ImageFile& image, const PanoramaCut& job, ModelImages& made) {
  const fs::path link = job.folder / image.name;
  std::error_code unknown;
  if (fs::is_symlink(link, unknown)) {
    fs::remove(link);
  } else if (fs::exists(link)) {
    refuse_folder(link, "is no link to the photograph");
  }
  make_folder(link.parent_path());
  std::error_code problem;
  fs::create_symlink(fs::absolute(image.file), link, problem);
  if (problem) {
    throw Error(ErrorCode::file_error, fmt::format("cannot make the link '{}': {}", link.string(), problem.message()));
  }
  made.images.push_back({link, image.name});
  made.photograph_of.push_back(made.photographs.size());
}

// An earlier call has made features of a panorama as a whole, which a model must not mix with its views.
void refuse_known_panoramas(const PanoramaCut& job, const std::set<fs::path>& panoramas) {
  if (!fs::exists(job.database)) return;
  ColmapFeatures features(job.database);
  for (const fs::path& name : panoramas) {
    if (!features.image_of(name.generic_string())) continue;
    throw Error(
        ErrorCode::file_error,
        fmt::format("the database '{}' has the panorama '{}' as an ordinary photograph: give another folder for "
                    "the model",
                    job.database.string(), name.string()));
  }
}

// The folder says with which options its views were made, so that others are not mixed with them.
void open_folder(const PanoramaCut& job, const std::set<fs::path>& panoramas) {
  std::error_code unknown;
  const fs::path note = job.folder / options_name;
  const bool has_note = fs::is_regular_file(note, unknown);
  if (panoramas.empty()) {
    if (has_note) refuse_folder(job.folder, "has views of panoramas, of which there are none now");
    return;
  }
  const std::string text = json_of(option_table<PanoramaOptions>(), job.options) + "\n";
  if (has_note && io::read_text(note) != text) refuse_folder(job.folder, "has views of other options for panoramas");
  if (!has_note && fs::exists(job.folder)) refuse_folder(job.folder, "has no views of panoramas");
  refuse_known_panoramas(job, panoramas);
  if (has_note) return;
  make_folder(job.folder);
  write_file(note, text);
}

}  // namespace

std::optional<ModelImages> cut_panoramas(const PanoramaCut& job, const JobContext& context) {
  const auto each = [&](std::string_view stage, const std::vector<ImageFile>& images, const auto& step) {
    for (std::size_t i = 0; i < images.size() && !context.stop.stop_requested(); ++i) {
      report_item(context.progress, fmt::format("{} {}", stage, images[i].name.string()), i, images.size());
      try {
        step(images[i]);
      } catch (const UnfitPanorama& error) {
        report_failure(context, error.what());
      }
    }
    return !context.stop.stop_requested();
  };
  std::vector<ImageFile> fit;
  std::set<fs::path> panoramas;
  const auto look_at = [&](const ImageFile& image) {
    if (is_panorama(image, job)) panoramas.insert(image.name);
    fit.push_back(image);
  };
  if (!each("looking at", job.photographs, look_at)) return std::nullopt;
  open_folder(job, panoramas);
  if (panoramas.empty()) return ModelImages{.folder = {}, .images = fit, .photograph_of = {}, .photographs = fit};

  ModelImages made{.folder = job.folder, .images = {}, .photograph_of = {}, .photographs = {}};
  const Masks masks(job.mask, job.read);
  const auto cut = [&](const ImageFile& image) {
    if (panoramas.contains(image.name)) {
      add_views(image, job, masks, made);
    } else {
      add_link(image, job, made);
    }
    made.photographs.push_back(image);
  };
  if (!each("cutting", fit, cut)) return std::nullopt;
  return made;
}

}  // namespace octavo::jobs
