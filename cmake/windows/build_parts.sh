#!/usr/bin/env bash
# build_parts.sh FOLDER: builds the libraries that the engine and its tests need on 64-bit Windows, those of parts.txt, from
# Debian's source packages (cmake/debian_parts.sh) by Debian's cross compiler, into FOLDER/prefix. All are static, so that a
# program is one file.
# shellcheck disable=SC2154 # variables of debian_parts.sh
set -euo pipefail
# shellcheck source=cmake/debian_parts.sh
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../debian_parts.sh"

build_highway() { by_cmake -DBUILD_SHARED_LIBS=OFF -DHWY_ENABLE_{CONTRIB,EXAMPLES,TESTS}=OFF -DBUILD_TESTING=OFF; }

# Without its allocator, which has to be a library of its own. Its package file forgets what a static library needs.
build_onetbb() {
  by_cmake -DBUILD_SHARED_LIBS=OFF -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBBMALLOC_BUILD=OFF
  sed -i '1i include(CMakeFindDependencyMacro)\nfind_dependency(Threads)' "$prefix/lib/cmake/TBB/TBBConfig.cmake"
}

build_googletest() { by_cmake -DBUILD_SHARED_LIBS=OFF -DBUILD_GMOCK=OFF; }

flags() {
  export CMAKE_TOOLCHAIN_FILE=$here/../x86_64-w64-mingw32.cmake
  export CFLAGS="-O2 -ffile-prefix-map=$source=."
  export CXXFLAGS=$CFLAGS CMAKE_BUILD_PARALLEL_LEVEL=$jobs
}

mkdir -p "$prefix/include"
cp -r /usr/include/CL "$prefix/include/" # the headers of OpenCL are for all systems
build_parts
