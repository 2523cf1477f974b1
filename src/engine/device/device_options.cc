// The table of the options that choose the device.

#include "engine/core/option_rows.h"
#include "octavo/device.h"

namespace octavo {

template <>
const OptionTable<DeviceOptions>& option_table<DeviceOptions>() {
  constexpr std::string_view group = "Device options";
  static const OptionTable<DeviceOptions> table{
      .name = "device",
      .title = "Device",
      .options = {
          option<&DeviceOptions::name>(
              {.name = "device",
               .group = group,
               .sentence = "Where to compute: a name that `octavo devices` lists, such as cuda:0, opencl:0 or cpu; "
                           "auto takes the first conformant GPU, otherwise the CPU. Several GPUs share the images of "
                           "an extraction: cuda:0,cuda:1, or cuda:all. The result is the same on all.",
               .symbol = "NAME"}),
          option<&DeviceOptions::isa>(
              {.name = "isa",
               .group = group,
               .sentence = "Instruction set of the cpu device; `octavo devices` lists those of this machine, auto "
                           "takes the best.",
               .symbol = "NAME"}),
          option<&DeviceOptions::threads>({.name = "threads",
                                           .group = group,
                                           .sentence = "CPU threads; 0 uses every core.",
                                           .symbol = "N",
                                           .low = 0,
                                           .high = 1024}),
          // The range is that of int in MiB: no memory is larger, and every number of bytes up to it is exact as
          // double.
          option<&DeviceOptions::gpu_memory>(
              {.name = "gpu_memory",
               .group = group,
               .sentence = "Memory of a GPU to use at most, in bytes; 0 uses what it has.",
               .symbol = "BYTES",
               .unit = "byte",
               .low = 0,
               .high = 2147483647.0 * (1 << 20)}),
      }};
  return table;
}

void validate(const DeviceOptions& options) { option_table<DeviceOptions>().validate(options); }

}  // namespace octavo
