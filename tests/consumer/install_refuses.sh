#!/bin/sh
# install_refuses.sh CMAKE BUILD FOLDER: `cmake --install` says what is wrong before it copies a file: a library that is
# not built, and a prefix that takes no files. It installs to prefixes with spaces, relative ones, and below DESTDIR.
set -eu
cmake=$1 build=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder/work"
: >"$folder/file"

# refused PREFIX WORDS [BUILD]: the installation must fail with these words and leave nothing behind.
refused() {
  if said=$("$cmake" --install "${3:-$build}" --prefix "$1" 2>&1); then
    echo "installed to $1" && exit 1
  fi
  case $(echo "$said" | tr -s ' \n' ' ') in
    *"Nothing is installed: $2"*) ;;
    *) echo "wrong words: $said" && exit 1 ;;
  esac
  [ ! -e "$1/bin" ] && [ ! -e "$1/include" ]
}

refused "$folder/file/prefix" "$folder/file is not a folder"
if [ "$(id -u)" -ne 0 ]; then
  mkdir "$folder/closed"
  chmod a-w "$folder/closed"
  refused "$folder/closed" "you may not write to $folder/closed"
fi

# A build folder that lacks one of the files.
mkdir "$folder/half"
sed "s|$build/installed_files.txt|$folder/half/installed_files.txt|" "$build/CheckInstall.cmake" >"$folder/half/check.cmake"
{ cat "$build/installed_files.txt" && echo "$folder/half/liboctavo_missing.a"; } >"$folder/half/installed_files.txt"
sed "s|$build/CheckInstall.cmake|$folder/half/check.cmake|" "$build/cmake_install.cmake" >"$folder/half/cmake_install.cmake"
refused "$folder/prefix" "1 files are not built, such as $folder/half/liboctavo_missing.a" "$folder/half"

cd "$folder/work"
"$cmake" --install "$build" --prefix "$folder/with spaces" >"$folder/log"
"$folder/with spaces/bin/octavo" --version
"$cmake" --install "$build" --prefix relative >"$folder/log"
relative/bin/octavo --version
DESTDIR=$folder/staged "$cmake" --install "$build" --prefix /usr >"$folder/log"
"$folder/staged/usr/bin/octavo" --version
rm -rf "$folder"
