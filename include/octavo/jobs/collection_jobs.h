#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/io/camera_facts.h"
#include "octavo/io/collection.h"
#include "octavo/io/image_formats.h"
#include "octavo/io/shard.h"
#include "octavo/multiview/choose_pairs.h"
#include "octavo/multiview/colmap_job.h"
#include "octavo/multiview/panorama.h"
#include "octavo/multiview/sfm.h"
#include "octavo/progress.h"
#include "octavo/retrieval.h"

// Jobs on the photographs of a collection: which of them are matched, a database of COLMAP, a model of cameras and
// points, and new photographs in it.

namespace OCTAVO_API octavo {

// Which images of a collection are to be matched, from the images or from their features.

/// Gives all images at these places one range of values, that of a sample of them, as `black` and `white`: whatever the
/// shard and what earlier runs have done. Throws Error(invalid_option) where the options have a range already, and
/// Error(file_error).
void take_one_range(std::span<const std::string> places, bool recursive, ReadOptions& read);

/// Where a collection is.
struct CollectionPlaces {
  std::vector<std::string> images;   ///< images, folders of them, patterns
  std::filesystem::path features{};  ///< in place of images: a folder of features, or hloc's file; empty: none
  bool recursive = false;            ///< also subfolders
  bool are_listed = false;           ///< leave out what a list of pairs cannot name
};

/// The images or files of features at the places. What is left out and files that are not there are problems. Throws
/// Error(file_error) for a place without features.
ImageFiles find_collection(const CollectionPlaces& places);

/// The images among which `choose_pairs` chooses.
struct PairsJob {
  std::vector<ImageFile> images;  ///< or files of features; their names differ from each other
  bool of_features = false;       ///< `images` are files of features (features_at)
  PairOptions options{};
  ReadOptions read{};
  DetectorOptions detector = retrieval_detector();
  DeviceOptions device{};
  std::filesystem::path output{};  ///< the list of pairs (pair_list), .txt; empty: none is written
  std::filesystem::path image{};   ///< of retrieval: an image of draw_similarities; empty: none is written
  bool are_listed = false;         ///< also without `output`, leave out pairs that a list cannot hold, as failures
};

/// What `choose_pairs` chose.
struct ChosenPairs {
  std::vector<ImagePair> pairs;                    ///< by indices into the images, the smaller one first
  std::vector<std::vector<SimilarImage>> similar;  ///< of retrieval: of each image, the most similar one first
  std::vector<std::optional<GpsPlace>> places;     ///< of gps: of each image
  /// A sentence for each image that has no pairs since it has no features, or does not tell its place.
  std::vector<std::string> notes;
  double extract_seconds = 0;  ///< [second] wall time of reading and extracting the images
  double search_seconds = 0;   ///< [second] wall time of the comparison
  bool is_finished = false;    ///< false: it was stopped
};

/// Chooses the pairs, and writes list and drawing, unless it is stopped. An image that fails is told to the context and
/// has no pairs, and notes are warnings. If there are no pairs, that is told as a failure, and nothing is written. The
/// result is the same on every device. Throws Error(file_error) for outputs that cannot be written,
/// Error(invalid_option), also for names that occur twice and for places of features, and Error(device_unavailable).
ChosenPairs choose_pairs(const PairsJob& job, const JobContext& context = {});

/// An object as `octavo pairs --json` prints it, with the failures that the job has told.
std::string json_of(const PairsJob& job, const ChosenPairs& chosen, const std::vector<std::string>& problems);

/// The options of pairs that a text names: "all", "sequential:N" (each image with the N next ones), "retrieval:K"
/// (with the K that look most alike), or several of these with + between them, such as "sequential:10+retrieval:20".
/// None: it is the name of a file that lists them. Throws Error(invalid_option) for the option `pairs` if N or K is no
/// whole number between 1 and 1000000.
std::vector<PairOptions> pair_options_of(std::string_view pairs);

/// Whether some of these pairs are chosen by likeness.
bool are_by_likeness(std::span<const PairOptions> pairs);

/// The pairs that such a text names, of the images of `job`, whose options it replaces; those of a file by
/// read_pair_list. An image that fails has no pairs, and is not told to the context. After a stop some pairs are
/// missing. Throws as choose_pairs and read_pair_list do.
PairList pairs_by_text(const std::string& pairs, PairsJob job, const JobContext& context = {});

/// Makes the part of a shard of the images, by their names, for merge_parts, which chooses the pairs by likeness.
/// `job` has all images; `problems` are sentences about places without images. None of the images: it was
/// stopped, and nothing is written. Throws Error(file_error), Error(invalid_option), also if the pairs are not chosen
/// by likeness, and Error(device_unavailable).
std::optional<std::size_t> write_pairs_shard(const std::filesystem::path& part, const PairsJob& job, const Shard& shard,
                                             const std::vector<std::string>& problems, const JobContext& context = {});

// The photographs of a collection become a database of COLMAP, and a model of cameras and points.

/// The images whose database `make_database` makes.
struct CollectionJob {
  ImageFiles found;                ///< its problems are told as failures
  std::string pairs = "all";       ///< as pairs_by_text takes it
  std::filesystem::path database;  ///< the file, which is made or added to
  ColmapJob colmap{};              ///< without images and pairs, which the above give
  std::optional<Shard> shard{};    ///< the database is then a part for merge_parts: of the images, or
  /// of the pairs, with the features of this database, which is only read; empty: the shard extracts the images.
  std::filesystem::path features{};
};

/// Chooses the pairs and fills the database, as fill_colmap_database describes it; without images it is left alone.
/// Throws what that throws, Error(invalid_option) also for names that occur twice, a database that is read, and pairs
/// by likeness in a shard; Error(file_error) for a database that cannot be written.
ColmapSummary make_database(CollectionJob job, const JobContext& context = {});

/// An object as `octavo colmap --json` prints it, with the failures and warnings that the job has told.
std::string json_of(const CollectionJob& job, const ColmapSummary& summary, const std::vector<std::string>& problems,
                    const std::vector<std::string>& warnings);
/// The same as text, without these sentences.
std::string text_of(const CollectionJob& job, const ColmapSummary& summary);

/// The images of which `make_model` makes a model.
struct ModelJob {
  /// The folder; or a video (looks_like_video), of which those frames that can be matched are written into
  /// FOLDER/images, unless they are there.
  std::filesystem::path photographs{};
  std::size_t max_frames = 300;      ///< of a video; of more, so many are taken, evenly; 0: all
  std::filesystem::path folder{};    ///< of the model, which is made
  std::filesystem::path database{};  ///< of the photographs, which is made already; empty: FOLDER/database.db is made
  bool recursive = false;            ///< also the photographs in subfolders
  CollectionJob collection{};        ///< how it is made; `found` and `database` are those above
  PanoramaOptions panorama{};        ///< of photographs in a folder
  SfmOptions options{};
};

/// Whether the photographs are those of a video.
bool is_of_video(const ModelJob& job);

/// The pairs that suit frames of a video: those next to each other, and those that show a place again.
inline constexpr std::string_view pairs_of_video = "sequential:10+retrieval:20";

/// What `make_model` made.
struct MadeModel {
  ColmapSummary database{};  ///< if it was made
  SfmResult result{};        ///< without images if there are no photographs
  bool is_finished = false;  ///< false: it was stopped, and the same job goes on
};

/// Panoramas among the photographs are cut into views first, which are written into FOLDER/images, beside links to the
/// other photographs. Views of one panorama are not matched with each other, and their poses are told together.
/// Makes the database, unless it is there, and models of it (reconstruct), and writes the page FOLDER/report.html. The
/// result has the failures of both as `problems`. Throws what make_database and reconstruct throw, before the work
/// where that is known; Error(file_error) for a folder of photographs that is not there, a video that cannot be read or
/// shows fewer than two views, and a folder FOLDER/images of anything else than its frames.
MadeModel make_model(const ModelJob& job, const JobContext& context = {});

// A model in the files of other programs.

/// The files in which a model is written.
enum class ModelForm : std::uint8_t {
  ply,         ///< points.ply and cameras.ply: of any program that shows point clouds
  transforms,  ///< transforms.json: of nerfstudio and instant-ngp
  bundler,     ///< bundler/bundle.out and list.txt
  undistorted  ///< undistorted/images and undistorted/sparse, with PINHOLE cameras: of dense reconstruction
};

/// The form of a word: "ply", "transforms", "bundler" or "undistorted". Throws Error(invalid_option) for the option
/// `to`.
ModelForm model_form_of(std::string_view word);
/// The word of a form.
std::string_view word_of(ModelForm form);

/// The model that `export_model` writes in other forms.
struct ExportJob {
  /// A folder of make_model, of which the model with most images is taken; or one of its models, or any of COLMAP.
  std::filesystem::path model{};
  /// The folder of the photographs, which `transforms` and `undistorted` need; empty: the folder `images` of `model`.
  std::filesystem::path photos{};
  std::filesystem::path output{};  ///< the folder of the files, which is made
  std::vector<ModelForm> to{};     ///< one at least
  std::string mapper = "auto";     ///< as SfmOptions::mapper: the COLMAP or pycolmap of `bundler` and `undistorted`
};

/// The files of one form.
struct ModelFiles {
  ModelForm form{};                            ///< that they have
  std::vector<std::filesystem::path> files{};  ///< or folders
};

/// What `export_model` wrote.
struct ExportSummary {
  std::filesystem::path model{};       ///< the folder of its files
  std::size_t images = 0, points = 0;  ///< of the model
  std::vector<ModelFiles> made{};      ///< in the order of ModelForm
  bool is_finished = false;            ///< false: it was stopped
};

/// Writes a model in each of the forms. Cameras that Bundler has nothing like are undistorted first, which is a
/// warning; the images are then those of `undistorted`. `output` also gets export.json, which lists what was made, and
/// export.log, which has what COLMAP printed. What an earlier call made is replaced. An image of the model that is not
/// among the photographs, or has a name that JSON cannot hold, is a failure, and the files have the others. Throws
/// Error(file_error): no model, a damaged one or one without images; files in `output` that export_model did not make;
/// no COLMAP, or one that failed; cameras or names that a form cannot express; none of the photographs. Throws
/// Error(invalid_option) for the options `to` and `photos`.
ExportSummary export_model(const ExportJob& job, const JobContext& context = {});

/// An object as `octavo export --json` prints it, with the failures and warnings that the job has told.
std::string json_of(const ExportSummary& summary, const std::vector<std::string>& problems,
                    const std::vector<std::string>& warnings);
/// The same as text, without these sentences.
std::string text_of(const ExportSummary& summary);

// New photographs in a model that is there.

/// The images that `localise` finds in a model.
struct LocaliseJob {
  std::filesystem::path model{};     ///< the folder that make_model made, which stays as it is
  std::filesystem::path database{};  ///< of the model; empty: MODEL/database.db
  ImageFiles found;                  ///< the photographs; its problems are told as failures
  std::filesystem::path folder{};    ///< of the model with the new photographs, which is made
  /// With which images of the model each is matched: "all", "retrieval:K", the K that look most alike, by the features
  /// in the database, or a file that lists pairs.
  std::string pairs = "retrieval:50";
  std::optional<ColmapOptions::Cameras> cameras{};  ///< of the photographs; none: as in the database
  std::filesystem::path mask{};                     ///< of the photographs, as in ColmapJob; empty: none
  ReadOptions read{};
  DeviceOptions device{};
  std::uint32_t feature_memory = ColmapOptions().feature_memory;          ///< as in ColmapOptions
  std::uint32_t gpu_feature_memory = ColmapOptions().gpu_feature_memory;  ///< as in ColmapOptions
  SfmOptions options{};
};

/// What `localise` found.
struct LocalisedImages {
  SfmResult result{};                 ///< of the database with the photographs, and its one model
  std::vector<std::size_t> images{};  ///< the photographs of the job, by their index in `result.images`
  bool is_finished = false;           ///< false: it was stopped, and the same job goes on

  /// How many of them are registered.
  [[nodiscard]] std::size_t registered() const;
  /// The image of the model that a photograph has become; null: it is not registered. `image` is one of `images`.
  [[nodiscard]] const SfmImage* pose_of(std::size_t image) const;
};

/// Finds the poses of photographs in a model, the largest of the folder. Their features are made with the options of
/// its database, and go with their matches into a copy of it, FOLDER/database.db; FOLDER/sparse/0 is the model with
/// those that are registered (register_images), and FOLDER/report.html a page about it. The same job goes on where it
/// was stopped, and others add photographs. Throws Error(invalid_option) for photographs of one name, also with an
/// image of the model, for a range of values other than that of the database, pairs by order, and a folder that is that
/// of the model; Error(file_error) for a model or database that cannot be read or that Octavo did not make, and a
/// folder of another model; and what fill_colmap_database and register_images throw.
LocalisedImages localise(const LocaliseJob& job, const JobContext& context = {});

/// The result as `octavo sfm --model --json` prints it.
std::string json_of(const LocalisedImages& localised);
/// The same as text.
std::string text_of(const LocalisedImages& localised);

}  // namespace octavo
