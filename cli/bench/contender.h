#pragma once

// Who takes part in `octavo bench report`: Octavo on one of its devices, or the OpenCV of this machine's Python.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "octavo/extractor.h"
#include "octavo/image.h"

namespace octavo::cli {

/// A picture to extract from, in memory for those who share it and in a file (PPM or PGM) for those who do not.
struct BenchPicture {
  Image image;
  std::filesystem::path file;
};

class BenchContender {
 public:
  virtual ~BenchContender() = default;

  /// For people: "cpu, 1 thread", "cuda:0", "OpenCV 5.0.0, 2 threads".
  [[nodiscard]] virtual std::string name() const = 0;
  /// What it runs on, or with which instruction set.
  [[nodiscard]] virtual std::string description() const = 0;

  /// The next runs are of this picture, which outlives them, with at most so many keypoints (0: all). Returns how many
  /// there are.
  virtual std::size_t prepare(const BenchPicture& picture, int max_features) = 0;
  /// One extraction, from pixels in memory to features in memory. [ms]
  virtual double run() = 0;
  /// Where the time of one more extraction goes; empty where nobody knows.
  virtual std::vector<StageTime> stages() = 0;
};

/// By the name of a device of Octavo, or "opencv"; "@N" behind it sets the number of threads (1…1024), otherwise every
/// core is used. `sift` is what both compute (OpenCV as far as its options go), `device` the rest of how Octavo does
/// it, `python` the interpreter that has cv2. Throws CLI::ValidationError for a name that makes no sense,
/// Error(invalid_option) or Error(device_unavailable), PythonFailure.
std::unique_ptr<BenchContender> make_contender(const std::string& name, const SiftOptions& sift,
                                               const DeviceOptions& device, const std::string& python);

}  // namespace octavo::cli
