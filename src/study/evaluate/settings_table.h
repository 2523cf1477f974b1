#pragma once

#include <span>

#include "io/pages/report_page.h"
#include "study/evaluate/comparison.h"

namespace octavo::evaluation {

/// A row for each setting: its difference to the first setting, or, with another detector, to the defaults of that
/// detector. The first setting's row has its differences to the defaults.
Table settings_table(std::span<const Setting> settings);

}  // namespace octavo::evaluation
