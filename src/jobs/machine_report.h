#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/device.h"
#include "octavo/selftest.h"

// What is told of this machine: its devices, and whether they give the recorded bytes.

namespace OCTAVO_INTERNAL_API octavo {

/// The array that `octavo devices --json` prints.
std::string json_of(const DeviceSurvey& found);
/// The same as text, with the drivers that are not available.
std::string text_of(const DeviceSurvey& found);

/// The results of a self-test, each with its device.
using SelftestResults = std::vector<std::pair<DeviceOptions, SelftestResult>>;

/// The array that `octavo selftest --json` prints.
std::string json_of(const SelftestResults& results);
/// The names of the columns of `rows_of`.
std::string heading_of_selftest();
/// A row for each result of a device.
std::string rows_of(const DeviceOptions& device, const std::vector<SelftestResult>& results);
/// How many digests differ from the recorded ones.
std::size_t mismatches_of(const SelftestResults& results);
/// What that says of the machine, a sentence.
std::string conclusion_of(const SelftestResults& results);

}  // namespace octavo
