// Whether the compiler of a device's driver makes right code. An OpenCL driver compiles kernels on the user's machine.
// Some drivers make wrong code for barriers in loops, for local memory or for shared counters: the kernels then give
// wrong bytes, or write where they may not and end the process. Others round in another way than they report. So a few
// small kernels with these constructs run once a device, and their numbers are compared with the host's. A probe proves
// nothing, but the faults that were seen concern many kernels alike.

#pragma once

#include <string>

#include "engine/device/gpu.h"

namespace octavo {

/// What a probe of a device's compiler found.
struct ProbeFinding {
  /// A reason for GpuFacts::shortcoming: "its compiler makes wrong code: <what> is <x>, must be <y>"; empty if all
  /// numbers are right.
  std::string fault;
  /// False if the device cannot be used at all: its kernels confuse memory. True if only results of the arithmetic are
  /// rounded in another way.
  bool usable = true;
};

/// The kernels of the probe.
const KernelModule& device_kernels();

/// Runs the kernels of the probe on a device and compares their results with the host's. The arithmetic is tried only
/// if the device claims to be conformant. Throws the errors of the device: a compiler that refuses the kernels, or lack
/// of memory. Faulty code may also crash or never end.
ProbeFinding probe_compiler(Gpu& gpu, const KernelModule& kernels = device_kernels());

}  // namespace octavo
