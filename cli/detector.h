#pragma once

// Which detector finds the points, and the options of each.

#include <CLI/CLI.hpp>

#include "octavo/device.h"
#include "octavo/extractor.h"
#include "octavo/foagdd_options.h"
#include "octavo/sift_options.h"

namespace octavo::cli {

enum class Detector { sift, foagdd };

struct DetectorOptions {
  Detector detector = Detector::sift;
  SiftOptions sift{};
  FoagddOptions foagdd{};
};

/// --detector, SIFT's options and FOAGDD's. What is of no use to the one asked for is a wrong call. Options that both
/// have are copied from SIFT's to FOAGDD's once the command line is read. Corners are described where `options` say so
/// already, or if --describe is given, which is there only if they do not.
void add_detector_options(CLI::App& command, DetectorOptions& options);

/// Throws what Extractor and Foagdd throw.
Extractor make_extractor(const DetectorOptions& options, const DeviceOptions& device);

}  // namespace octavo::cli
