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
  SiftOptions sift;
  FoagddOptions foagdd;
};

/// --detector, SIFT's options and FOAGDD's. What was given to the one that is not asked for is a wrong call. Options
/// that both have are copied from SIFT's to FOAGDD's once the command line is read.
void add_detector_options(CLI::App& command, DetectorOptions& options);

/// Throws what Extractor and Foagdd throw.
Extractor make_extractor(const DetectorOptions& options, const DeviceOptions& device);

}  // namespace octavo::cli
