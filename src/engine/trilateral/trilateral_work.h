// The amount of work of windows, and how evenly a schedule distributes it.

#pragma once

#include "engine/trilateral/trilateral.h"
#include "octavo/trilateral.h"

namespace octavo {

TrilateralWork trilateral_work(const TrilateralLevels& levels, const TrilateralPlan& plan,
                               const TrilateralSchedule& schedule);

}  // namespace octavo
