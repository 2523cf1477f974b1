# The parts of ./dev that make packages of a release for systems. ./dev reads this file.
# shellcheck shell=bash disable=SC2154 # variables of ./dev

readonly deb_packages=(debhelper dh-python devscripts lintian)
# Of the source package: Debian has an older one.
readonly nanobind=3.1.0

# fill_recipes FOLDER URL: puts what belongs to this release into copies of the recipes.
fill_recipes() {
  local archive
  archive=build/dist/octavo-$(version).tar.gz
  find "$1" -type f -print0 | xargs -0 sed -i \
    -e "s|@VERSION@|$(version)|g; s|@URL@|${2%/}|g; s|@DATE@|$(git log -1 --format=%cD)|g" \
    -e "s|@MAINTAINER@|$(git log -1 --format='%an <%ae>')|g" \
    -e "s|@SHA256@|$(sha256sum <"$archive" | cut -d ' ' -f 1)|g" \
    -e "s|@SHA512@|$(sha512sum <"$archive" | cut -d ' ' -f 1)|g"
}

# deb URL: packages for this version of Debian, from the archive of the last commit, in build/dist/debian/.
deb() {
  [[ $# -eq 1 ]] || fail "deb takes the address of the project, not '$*'"
  local folder=$PWD/build/dist/debian number source
  number=$(version)
  source=$folder/octavo-$number
  need "${deb_packages[@]}" "${build_packages[@]}" "${wheel_packages[@]}" python3-numpy
  need_build_environment
  archive
  rm -rf "$folder"
  mkdir -p "$folder"
  cp "build/dist/octavo-$number.tar.gz" "$folder/octavo_$number.orig.tar.gz"
  "$(build_environment)/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary nanobind --dest "$folder" \
    "nanobind==$nanobind"
  mv "$folder/nanobind-$nanobind.tar.gz" "$folder/octavo_$number.orig-nanobind.tar.gz"
  tar -C "$folder" -xf "$folder/octavo_$number.orig.tar.gz"
  mkdir "$source/nanobind"
  tar -C "$source/nanobind" --strip-components 1 -xf "$folder/octavo_$number.orig-nanobind.tar.gz"
  cp -r recipes/debian "$source/debian"
  fill_recipes "$source/debian" "$1"
  say "Debian's packages"
  (cd "$source" && SOURCE_DATE_EPOCH=$(source_date) dpkg-buildpackage -us -uc --jobs="$CMAKE_BUILD_PARALLEL_LEVEL") >"$folder.log" 2>&1 ||
    { tail -30 "$folder.log" >&2 && fail "the packages cannot be built: $folder.log"; }
  rm -rf "$source"
  lintian --fail-on error,warning "$folder"/*.changes
}
