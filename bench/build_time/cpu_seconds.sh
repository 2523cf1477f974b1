#!/usr/bin/env bash
# cpu_seconds.sh COMPILER ARGUMENT...: runs a compiler, and writes the CPU seconds that it took, of user and system, to
# OUTPUT.seconds beside the file that it makes. CMake calls it as CMAKE_CXX_COMPILER_LAUNCHER.
set -euo pipefail
output=''
for ((i = 1; i < $#; ++i)); do
  [[ ${!i} != -o ]] || output=${*:i+1:1}
done
[[ -n $output ]] || exec "$@"
export LC_ALL=C.UTF-8 # a point in numbers
TIMEFORMAT='%U %S'
{ time "$@" 2>&3; } 3>&2 2>"$output.seconds"
