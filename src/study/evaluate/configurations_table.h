#pragma once

#include <span>

#include "io/pages/report_page.h"
#include "study/evaluate/comparison.h"

namespace octavo::evaluation {

/// A row for each configuration: its difference to the first configuration, or, with another detector, to the defaults
/// of that detector. The first configuration's row has its differences to the defaults.
Table configurations_table(std::span<const Configuration> configurations);

}  // namespace octavo::evaluation
