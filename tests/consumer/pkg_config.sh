#!/bin/sh
# Builds SOURCE with the flags that pkg-config gives for MODULE and runs it, as a Makefile of another project does.
# usage: pkg_config.sh CXX FLAGS MODULE SOURCE VERSION PKGCONFIG_DIR FOLDER
set -eu
cxx=$1 flags=$2 module=$3 source=$4 version=$5 folder=$7
export PKG_CONFIG_PATH="$6"
test "$(pkg-config --modversion "$module")" = "$version"
mkdir -p "$folder"
cd "$folder"
# The flags are several words, so they are not quoted.
# shellcheck disable=SC2046,SC2086
$cxx -std=c++20 $flags "$source" -o consumer $(pkg-config --cflags --libs "$module")
LD_LIBRARY_PATH=$(pkg-config --variable=libdir "$module") ./consumer
