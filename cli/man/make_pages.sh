#!/bin/sh
# Writes a page of man for each command of the program into a folder: octavo.1, octavo-extract.1, octavo-video-index.1 and
# so on, from the manuals that the program prints.
#
# usage: make_pages.sh PROGRAM FOLDER DATE
set -eu
program=$1 folder=$2 date=$3
here=$(dirname "$0")
version=$("$program" --version | sed 's/.* //')

# page COMMAND...: writes the page of this command and those below it.
page() {
  manual=$("$program" help "$@")
  name=$(printf '%s-' octavo "$@" | sed 's/-$//')
  children=$(printf '%s\n' "$manual" | sed -n '/^Commands:$/,/^$/s/^  \([a-z0-9]*\) .*/\1/p')
  below=
  for child in $children; do below="$below $name-$child"; done
  above=${name%-*}
  [ "$above" != "$name" ] || above=
  printf '%s\n' "$manual" | awk -v version="$version" -v date="$date" -v below="$below" -v above="$above" \
    -f "$here/page.awk" >"$folder/$name.1"
  for child in $children; do (page "$@" "$child"); done
}

mkdir -p "$folder"
rm -f "$folder"/octavo*.1
page
