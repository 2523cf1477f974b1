#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/keypoint.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"
#include "octavo/retrieval.h"
#include "octavo/video/video_file.h"

// The signature of a clip: what is kept of its frames to find it again. docs/video-search.md describes the method.

namespace OCTAVO_API octavo {

class Video;  // octavo/video/video.h

/// A feature of a frame in 24 bytes.
struct SignatureFeature {
  std::uint16_t x = 0;           ///< [1/64 pixel] in the frame as it was extracted
  std::uint16_t y = 0;           ///< [1/64 pixel]
  std::uint8_t scale = 0;        ///< σ = 2^(scale/16 − 1) pixels
  std::uint8_t orientation = 0;  ///< [2π/256]
  std::uint16_t word = 0;        ///< nearest_words
  FeatureCode code{};            ///< feature_codes
  friend bool operator==(const SignatureFeature&, const SignatureFeature&) = default;
};

/// What is kept of a frame, which stands for all frames up to the next one that differs.
struct FrameSignature {
  std::int64_t index = 0;  ///< VideoFrame::index
  double seconds = 0;      ///< the time of the frame, from the first frame of the clip
  double until = 0;        ///< [second] the time up to which the clip shows the same; greater than `seconds`. At most
                           ///< an hour later, and a minute after the last frame unless the file says how long it lasts.
                           ///< Equal to `seconds` in an image
  std::uint16_t width = 0;   ///< [pixel] of the frame as it was extracted
  std::uint16_t height = 0;  ///< [pixel]
  Junk junk = Junk::none;    ///< junk has no features
  std::vector<SignatureFeature> features{};
  /// The further near words of each feature, `words` − 1 each, if SignatureOptions::words is more than 1.
  std::vector<std::uint16_t> further_words{};
  friend bool operator==(const FrameSignature&, const FrameSignature&) = default;
};

/// Which frames are taken and which features of them. The defaults are those of a clip in an archive.
struct SignatureOptions {
  std::int64_t every = 0;  ///< VideoOptions::every
  double fps = 2;          ///< VideoOptions::fps
  int max_features = 256;  ///< the largest number of features of a frame, shared by a 4×4 grid
  bool doubled = false;    ///< search features in the doubled frame too: smaller ones, for small images in images
  int words = 1;           ///< the number of near words of each feature, for queries
  friend bool operator==(const SignatureOptions&, const SignatureOptions&) = default;
};

/// Name, range and meaning of every option.
template <>
const OptionTable<SignatureOptions>& option_table<SignatureOptions>();

/// Throws Error(invalid_option) for the first option out of range.
void validate(const SignatureOptions& options);

/// The options of a clip that is searched for: 5 frames a second, twice as many features, doubled, 8 words.
SignatureOptions query_signature_options();

/// The signatures of the frames of a clip, in the order of time. Frames that show the same are one.
struct ClipSignature {
  double seconds = 0;  ///< [second] the length: the end of the last frame, from the first frame
  double step = 0;     ///< [second] the distance of the frames that were looked at; 0: unknown. Files do not keep it
  std::vector<FrameSignature> frames{};
  friend bool operator==(const ClipSignature&, const ClipSignature&) = default;
};

/// Whether the signature is that of an image: one frame, which has no time.
bool is_image(const ClipSignature& clip);

/// What a signature is of: the frame, or its negative, whose black is white.
enum class Tones : std::uint8_t { positive, negative };

/// Makes signatures of frames. One FrameSigner must not be shared between threads.
class FrameSigner {
 public:
  /// Throws Error(invalid_option) and Error(device_unavailable).
  explicit FrameSigner(const SignatureOptions& options = {}, const DeviceOptions& device = {},
                       Tones tones = Tones::positive);
  ~FrameSigner();
  FrameSigner(FrameSigner&&) noexcept;
  FrameSigner& operator=(FrameSigner&&) noexcept;

  /// The signature of a grey frame of 8 bits, without its times. Features in black bars do not count, and a frame that
  /// is junk has none. Throws Error(invalid_argument) for another image, or one with a side above 1000 pixels.
  FrameSignature sign(const ImageView& grey);
  /// The features of the last frame, with places in the frame.
  const Features& features();
  /// The same where the device has them, with places in the image between the frame's black bars.
  [[nodiscard]] const DeviceFeatures& features_on_device() const;

  [[nodiscard]] const SignatureOptions& options() const;
  /// The name of the device that does the work, e.g. "cuda:0"; of several the first.
  [[nodiscard]] const std::string& device() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads a video and makes the signatures of its frames, one after the other. The memory that it takes does not depend
/// on the length.
class ClipSigner {
 public:
  /// Opens the clip. Throws what Video and FrameSigner throw. `video` gives the decoder and its limits; its `every`,
  /// `fps`, `size` and forms of images have no effect. An empty `gpu` becomes the signer's device.
  explicit ClipSigner(const std::filesystem::path& clip, const SignatureOptions& options = {},
                      const VideoOptions& video = {}, const DeviceOptions& device = {});
  /// The same with a signer that has signed other clips: so its buffers are made once. It must outlive this object, and
  /// must not be used elsewhere meanwhile.
  ClipSigner(const std::filesystem::path& clip, FrameSigner& signer, const VideoOptions& video = {});
  ~ClipSigner();
  ClipSigner(ClipSigner&&) noexcept;
  ClipSigner& operator=(ClipSigner&&) = delete;

  /// The next frame that differs from the one before; none after the last. Throws what Video::next throws; the frames
  /// before are good. `progress` is told of each frame that is read.
  std::optional<FrameSignature> next(const ProgressSink& progress = {});
  /// For facts, warnings, progress and, at the end, the length of the clip: Video::seconds_done.
  [[nodiscard]] const Video& video() const;
  /// ClipSignature::step.
  [[nodiscard]] double step() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The signature of a whole clip. Throws what ClipSigner throws.
ClipSignature sign_clip(const std::filesystem::path& clip, const SignatureOptions& options = {},
                        const VideoOptions& video = {}, const DeviceOptions& device = {},
                        const ProgressSink& progress = {}, Tones tones = Tones::positive);

/// The same of a clip that was opened before, from which nothing was read yet.
ClipSignature sign_clip(ClipSigner& signer, const ProgressSink& progress = {});

/// The signature of the same frame, or clip, as a mirror shows it, left to right. No image is needed: places and
/// angles turn, and words and codes follow from those that are there (mirrored_word, mirrored_code).
FrameSignature mirrored(FrameSignature frame);
/// The same of a clip.
ClipSignature mirrored(ClipSignature clip);

/// The bytes of a file of a signature, part by part, for files that need not fit into memory. Their order is: begin,
/// the frames in their order, end. `further_words` is not kept. The same signature has the same bytes.
class SignatureEncoder {
 public:
  /// The bytes before the first frame.
  std::vector<std::byte> begin();
  std::vector<std::byte> frame(const FrameSignature& frame);
  /// The bytes after the last frame. `seconds` is the length of the clip.
  std::vector<std::byte> end(double seconds);

 private:
  std::uint64_t digest_ = 0;  // of the bytes so far
};

/// All bytes of a signature at once.
std::vector<std::byte> encode_signature(const ClipSignature& signature);

/// The signature of such bytes; `name` is what the errors call them. Throws Error(file_error) that names what is
/// wrong, and Error(out_of_memory).
ClipSignature decode_signature(std::span<const std::byte> bytes, const std::string& name);

}  // namespace octavo
