#!/usr/bin/env bash
set -euxo pipefail
mkdir -p mustache-include/kainjow
cp mustache/mustache.hpp mustache-include/kainjow/
# CMAKE_ARGS holds conda's prefix, compilers and library folder.
# shellcheck disable=SC2086
cmake -G Ninja -S . -B build ${CMAKE_ARGS} \
  -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DOCTAVO_TESTS=OFF -DOCTAVO_BENCH=OFF \
  -DCHART_JS="$SRC_DIR/chart.js/dist/chart.min.js" -DMUSTACHE_INCLUDE_DIR="$SRC_DIR/mustache-include"
cmake --build build --target octavo_installed
cmake --install build
