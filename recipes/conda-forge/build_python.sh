#!/usr/bin/env bash
# The module of Python, above the libraries of the output octavo.
set -euxo pipefail
# CMAKE_ARGS holds conda's prefix, compilers and library folder.
# shellcheck disable=SC2086
cmake -G Ninja -S python -B build-python ${CMAKE_ARGS} -DCMAKE_BUILD_TYPE=Release \
  -DOCTAVO_PYTHON_ENGINE=installed -DOCTAVO_PYTHON_JOBS=ON -DOCTAVO_PYTHON_SPLIT=OFF \
  -DPython_EXECUTABLE="$PYTHON" -Dnanobind_DIR="$("$PYTHON" -m nanobind --cmake_dir)"
cmake --build build-python
cp -r python/octavo "$SP_DIR/octavo"
cp build-python/octavo/*.so build-python/octavo/*.pyi "$SP_DIR/octavo/"
