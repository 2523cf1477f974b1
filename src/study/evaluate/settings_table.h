#pragma once

#include <span>

#include "octavo/comparison.h"
#include "octavo/report_page.h"

namespace octavo::evaluation {

/// A row for each setting: its difference to the first setting, or, with another detector, to the defaults of that
/// detector. The first setting's row has its differences to the defaults.
Table settings_table(std::span<const Setting> settings);

}  // namespace octavo::evaluation
