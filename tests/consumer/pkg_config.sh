#!/bin/sh
# Somebody else's Makefile, in essence: builds SOURCE with what pkg-config says of MODULE and runs it.
# usage: pkg_config.sh CXX FLAGS MODULE SOURCE VERSION PKGCONFIG_DIR FOLDER
set -eu
cxx=$1 flags=$2 module=$3 source=$4 version=$5 folder=$7
export PKG_CONFIG_PATH="$6"
test "$(pkg-config --modversion "$module")" = "$version"
mkdir -p "$folder"
cd "$folder"
# Unquoted: flags are words.
$cxx -std=c++20 $flags "$source" -o consumer $(pkg-config --cflags --libs "$module")
./consumer
