// DeviceFeatures in Python.

#pragma once

#include <nanobind/nanobind.h>

#include "octavo/extractor.h"
