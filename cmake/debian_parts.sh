# The recipe of libraries that are built from Debian's source packages: those of the wheel (python/wheel/build_parts.sh) and
# of Windows (cmake/windows/build_parts.sh). apt checks the packages against Debian's signature, with lists of its own. A part
# that is there, of the same version and by the same commands, is not built again.
#
# A script build_parts.sh FOLDER reads this file, which sets `folder` (absolute), where the parts are made, `prefix`, where they
# are installed, `here`, the folder of the script, and `list`, the file there that names them. The script defines a function
# build_PACKAGE for each, which finds the sources in $source, and `flags`, which exports what the compiler gets; and calls
# build_parts.
# shellcheck shell=bash disable=SC2034,SC2154 # variables for and of the script

[[ $# -eq 1 ]] || { echo "usage: build_parts.sh FOLDER" >&2 && exit 2; }
folder=$(realpath -m "$1")
here=$(dirname "$(realpath "${BASH_SOURCE[1]}")")
readonly folder here prefix=$folder/prefix list=$here/parts.txt
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}

say() { printf '\n== %s\n' "$*"; }

# Debian's index of source packages, in a folder of the parts: the system's lists stay as they are.
apt_get() { APT_CONFIG=$folder/apt/config apt-get -q "$@"; }
update_sources() {
  local apt=$folder/apt keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  mkdir -p "$apt"/{lists,cache/archives}/partial
  cat >"$apt/debian.sources" <<TEXT
Types: deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: $keyring

Types: deb-src
URIs: http://deb.debian.org/debian-security
Suites: bookworm-security
Components: main
Signed-By: $keyring
TEXT
  cat >"$apt/config" <<TEXT
Dir::Etc::SourceList "$apt/debian.sources";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "$apt/lists";
Dir::Cache "$apt/cache";
APT::Sandbox::User "";
TEXT
  apt_get update
}

# unpack PACKAGE VERSION: fetches the source package, and unpacks it with Debian's patches into $source.
unpack() {
  mkdir -p "$folder/sources"
  (cd "$folder/sources" && apt_get source --download-only --only-source "$1=$2") || {
    echo "build_parts.sh: Debian 12 has no $1 $2 (any more); name the version that it has in $list" >&2
    exit 1
  }
  rm -rf "$source"
  mkdir -p "${source%/*}"
  dpkg-source --no-check --no-copy --extract "$folder/sources/$1_${2#*:}.dsc" "$source" # apt has checked it
}

# by_cmake OPTION...: configures, builds and installs the part in $source.
by_cmake() {
  cmake -S "$source" -B "$source/octavo" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_POSITION_INDEPENDENT_CODE=ON "$@"
  cmake --build "$source/octavo" --target install
}

# build PACKAGE VERSION: builds the part, unless it stands there. What it prints is in FOLDER/PACKAGE.log.
build() {
  local name=$1 version=$2 source=$folder/unpacked/$1 stamp=$folder/done/$1 made_by
  made_by=$(printf '%s\n' "$version" && declare -f "build_$name" by_cmake flags)
  [[ -e $stamp && $(<"$stamp") == "$made_by" ]] && return
  say "building $name $version"
  [[ -e $folder/apt/updated ]] || { update_sources >"$folder/apt.log" 2>&1 && touch "$folder/apt/updated"; }
  (
    unpack "$name" "$version"
    flags
    "build_$name"
  ) >"$folder/$name.log" 2>&1 </dev/null & # here `set -e` holds; before || it would not
  wait $! || { tail -n 30 "$folder/$name.log" >&2 && exit 1; }
  install -D -m 644 "$source/debian/copyright" "$folder/notices/$name"
  rm -rf "$source"
  mkdir -p "$folder/done"
  printf '%s\n' "$made_by" >"$stamp"
}

# Builds the parts of the list, in its order.
build_parts() {
  local name version
  rm -f "$folder/apt/updated"
  while read -r name version _; do
    [[ $name == '#' ]] || build "$name" "$version"
  done <"$list"
}
