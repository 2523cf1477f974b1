#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/io/collection.h"
#include "octavo/io/image_formats.h"
#include "octavo/io/inspection_folder.h"
#include "octavo/io/shard.h"
#include "octavo/keypoint.h"
#include "octavo/progress.h"
#include "octavo/trilateral.h"
#include "octavo/video/video_file.h"

// Jobs on images one by one, and on frames of videos: their features as files, descriptors of given keypoints, filtered
// images, inspections; and the parts of shards become one.

namespace OCTAVO_API octavo {

class Extractor;  // octavo/extractor.h
class Video;      // octavo/video/video.h

/// Opens what "-" stands for. Both may be called once.
struct StandardInput {
  std::function<std::vector<std::byte>()> image;  ///< the bytes of its file
  std::function<Video(const VideoOptions&)> video;
};

// The features of many images, or of the frames of videos, as files.

/// The formats of files of features.
enum class FeatureFormat : std::uint8_t {
  colmap,  ///< text, of each image: NAME.txt
  npz,     ///< NumPy's archive, of each image: NAME.npz
  json,    ///< of each image: NAME.json
  hloc,    ///< HDF5 of all images, in hloc's layout; of a shard a folder of NAME.h5
};

/// The bytes of a file of features, not of hloc's, which has those of all images. `name` is that of the image.
std::vector<std::byte> features_bytes(FeatureFormat format, const std::string& name, const Features& features);

/// What has become of an image or frame.
struct ExtractedImage {
  const ImageFile& image;       ///< of a frame: CLIP#INDEX
  std::uint64_t keypoints = 0;  ///< their number
  const Features* features;     ///< null: its files are up to date, so it was left out
  double seconds = 0;           ///< [second] wall time from submission to result
};

/// An object as `octavo extract --json` lists it.
std::string json_of(const ExtractedImage& done);
/// A line of text; empty if the image was left out.
std::string text_of(const ExtractedImage& done);

/// The images of `extract_features`, and what it writes of them.
struct ExtractJob {
  /// The images, or, where `are_videos`, videos, each frame of which is an image. Their names differ from each other.
  std::vector<ImageFile> images;
  bool are_videos = false;
  std::vector<std::string> problems{};            ///< a sentence for each place without images, for the note of a shard
  std::optional<StandardInput> standard_input{};  ///< none: "-" is a file
  ReadOptions read{};
  VideoOptions video{};
  /// Only what masks do not show black counts: an image for all, or a folder with that of each image, whose name is
  /// that of the image with ".png" behind it, as COLMAP has them. What alpha hides does not count either. Empty: none.
  std::filesystem::path mask{};
  /// The folder of the files, or the file of FeatureFormat::hloc; empty: none are written.
  std::filesystem::path output{};
  FeatureFormat format = FeatureFormat::colmap;
  bool draw = false;           ///< also draw the keypoints of each image: NAME.keypoints.png
  bool skip_existing = false;  ///< leave out images whose files are up to date
  std::optional<Shard> shard{};
  DetectorOptions detector{};
  DeviceOptions device{};
  /// Is told each image in order, as soon as its files are written. False ends the job. What it throws is the failure
  /// of that image. May be empty.
  std::function<bool(const ExtractedImage&)> take{};
};

/// Sets the images, or the videos, of the job to those at these places (find_images). Throws Error(invalid_option) for
/// both together.
void find_inputs(ExtractJob& job, std::span<const std::string> places, bool recursive);

/// How many of the job's images have their pixels in memory at a time, with an extractor of its options.
std::size_t images_in_memory(const ExtractJob& job, const Extractor& extractor);

/// What `extract_features` did.
struct ExtractSummary {
  std::size_t images = 0;      ///< of the job or its shard, without those that are left out; of videos their number
  std::size_t done = 0;        ///< images or frames whose turn is over
  std::size_t failed = 0;      ///< of those, whose features are not there
  std::size_t up_to_date = 0;  ///< of those, that were left out
  std::size_t left_out = 0;    ///< images that are results of earlier runs
  bool is_finished = false;    ///< false: it was stopped
};

/// How many images are up to date or results of earlier runs, as text; empty if none are.
std::string text_of(const ExtractJob& job, const ExtractSummary& summary);

/// Extracts the features of the images and writes the files. No file is ever half written, and the same job with
/// `skip_existing` does what is missing: the files are then those of one run. Those of all shards, merged
/// (merge_parts), have the bytes of one job. Images load while others are extracted. One that fails, also for want of
/// memory, is told to the context, and the others are done. Throws, before the work, Error(invalid_option), also for
/// names that occur twice, outputs that are inputs and formats that do not fit; Error(file_error) for an output that
/// cannot be written and a mask that cannot be read; Error(device_unavailable).
ExtractSummary extract_features(const ExtractJob& job, const JobContext& context = {});

// The descriptors of keypoints that files give.

/// An image, and the file of the keypoints that are described in it.
struct KeypointsOfImage {
  std::filesystem::path file;
  std::filesystem::path keypoints;  ///< as read_keypoints reads it
  std::filesystem::path output{};   ///< the file of the description (write_description); empty: none is written
};

/// What has become of one.
struct DescribedImage {
  const KeypointsOfImage& item;
  const Description& description;
  std::size_t keypoints = 0;  ///< the number of keypoints in the file
  double seconds = 0;         ///< [second] wall time without reading and writing
};

/// An object as `octavo describe --json` prints it.
std::string json_of(const DescribedImage& done);
/// The same as a line of text, without the descriptors.
std::string text_of(const DescribedImage& done);

/// The keypoints that `describe_keypoints` describes.
struct DescribeJob {
  std::vector<KeypointsOfImage> items;
  OrientationFrom orientations = OrientationFrom::keypoint;
  ReadOptions read{};
  DetectorOptions detector{};
  DeviceOptions device{};
  /// Gives the bytes of the image "-", once; empty: "-" is a file.
  std::function<std::vector<std::byte>()> standard_input{};
  /// Is told each image in order, as soon as its file is written. False ends the job. May be empty.
  std::function<bool(const DescribedImage&)> take{};
};

/// What `describe_keypoints` did.
struct DescribeSummary {
  std::size_t done = 0;      ///< images whose turn is over
  std::size_t failed = 0;    ///< of those
  bool is_finished = false;  ///< false: it was stopped
};

/// Describes the keypoints of each image, and writes the files. An image that fails is told to the context, and the
/// others are described; keypoints without description are warnings, at most ten of an image by name. Throws, before
/// the work, Error(invalid_option), also for outputs that are inputs or no file of descriptions; Error(file_error) for
/// an output that cannot be written; Error(device_unavailable).
DescribeSummary describe_keypoints(const DescribeJob& job, const JobContext& context = {});

// Images, smoothed by the trilateral filter.

/// An image, and the file of the result.
struct ImageToFilter {
  std::filesystem::path file;
  std::filesystem::path output{};  ///< its ending chooses the format (write_image); empty: none is written
};

/// What has become of one.
struct FilteredImage {
  const ImageToFilter& item;
  ImageView image;     ///< with the channels, type and values of the input, as far as the output (or PNG) holds them
  double seconds = 0;  ///< [second] wall time without reading and writing
};

/// The images that `filter_images` filters.
struct FilterJob {
  std::vector<ImageToFilter> items;
  ReadOptions read{};
  TrilateralOptions options{};
  DeviceOptions device{};
  /// Gives the bytes of the image "-", once; empty: "-" is a file.
  std::function<std::vector<std::byte>()> standard_input{};
  /// Is told each image in order, as soon as its file is written. False ends the job. May be empty.
  std::function<bool(const FilteredImage&)> take{};
};

/// What `filter_images` did.
struct FilterSummary {
  std::size_t done = 0;      ///< images whose turn is over
  std::size_t failed = 0;    ///< of those
  bool is_finished = false;  ///< false: it was stopped
};

/// Filters each image, and writes the files. An image that fails is told to the context, and the others are filtered;
/// so is one in colour whose output holds grey alone. Throws, before the work, Error(invalid_option), also for outputs
/// that are inputs or have no format; Error(file_error) for an output that cannot be written;
/// Error(device_unavailable).
FilterSummary filter_images(const FilterJob& job, const JobContext& context = {});

// The inspection of an image file or of a frame of a video.

/// Which frame of a video is wanted.
struct FrameChoice {
  std::int64_t index = 0;
  double seconds = 0;
  bool by_time = false;  ///< the one that is seen at `seconds`; the first or the last one before or after the video
};

/// The image of `inspect_image`, and what it writes of it.
struct InspectJob {
  std::filesystem::path image;                    ///< of a video where its name is that of one (looks_like_video)
  std::optional<StandardInput> standard_input{};  ///< none: "-" is a file
  ReadOptions read{};
  FrameChoice frame{};  ///< of a video
  VideoOptions video{};
  std::filesystem::path mask{};     ///< as that of ExtractJob
  std::filesystem::path folder;     ///< of the files (write_inspection)
  InspectionFolderOptions files{};  ///< without `image_name`
  DetectorOptions detector{};
  DeviceOptions device{};
};

/// What `inspect_image` found and wrote.
struct InspectResult {
  InspectionFiles files;
  ImageSize size;  ///< of the image
};

/// Inspects the image and writes the files. The image is called as its file, a frame CLIP#INDEX, the standard input
/// "stdin". Throws, before an image is read, Error(invalid_option), Error(device_unavailable), and Error(file_error)
/// for a folder that cannot be written; later Error(invalid_option) for a point outside of the image and for an input
/// that the files would overwrite, Error(invalid_argument) for a mask of another size, and what reading and
/// write_inspection throw.
InspectResult inspect_image(const InspectJob& job, const JobContext& context = {});

/// The tables of the inspection, the descriptor that is shown, and the page, as text.
std::string text_of(const InspectJob& job, const InspectResult& result);

// The parts of a job in shards become one result. docs/scale.md describes the parts.

/// What a merge has made.
struct MergeSummary {
  PartKind kind = PartKind::features;
  std::uint32_t shards = 0;             ///< 0: the parts were whole archives
  std::uint64_t items = 0;              ///< of all shards
  std::vector<std::string> problems{};  ///< what the shards and the merge could not do: a sentence each
};

/// An object as `octavo merge --json` prints it.
std::string json_of(const std::filesystem::path& to, const MergeSummary& summary);
/// The same as a line of text.
std::string text_of(const std::filesystem::path& to, const MergeSummary& summary);

/// Merges the parts of all shards into `to`: a folder of features, an archive, a database of COLMAP, or a file of what
/// was found. Among the parts of matches stands the database with the features that they were made from. The result is
/// that of one process: the same bytes, whatever the number of shards, the order of the parts, and how often shards and
/// merges were killed; an archive has the same digest. A part may be given twice. Archives that no shard made are
/// merged too. Throws Error(file_error), which names the parts, if they are no parts, do not belong together, or a
/// shard is missing; and Error(invalid_option) for the option `output` if `to` is one of the parts.
MergeSummary merge_parts(const std::filesystem::path& to, std::span<const std::filesystem::path> parts);

}  // namespace octavo
