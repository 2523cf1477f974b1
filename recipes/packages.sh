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
  # README.md installs all packages that are here, so packages of debug symbols are not made.
  (cd "$source" && SOURCE_DATE_EPOCH=$(source_date) DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-} noautodbgsym" \
    dpkg-buildpackage -us -uc --jobs="$CMAKE_BUILD_PARALLEL_LEVEL") >build/debian.log 2>&1 ||
    { tail -30 build/debian.log >&2 && fail "the packages cannot be built: build/debian.log"; }
  rm -rf "$source"
  lintian --fail-on error,warning "$folder"/*.changes
}

# vfs needs no support of the kernel's.
build_image() { buildah --storage-driver vfs "$@"; }

# image: an OCI image of Debian's packages, in build/dist/. Its base is made by debootstrap: no registry is asked.
image() {
  local base=build/image/base file container
  file=build/dist/octavo-$(version)-oci.tar
  need buildah crun debootstrap
  [[ -d build/dist/debian ]] || fail "there are no packages of Debian in build/dist/debian/; ./dev deb URL makes them"
  say "the OCI image"
  if [[ ! -e $base.tar ]]; then
    mkdir -p "$base"
    as_root debootstrap --variant=minbase bookworm "$base" http://deb.debian.org/debian >"$base.log" ||
      fail "debootstrap cannot make Debian 12: $base.log"
    as_root tar -C "$base" --exclude './var/cache/apt/*' --exclude './var/lib/apt/lists/*' -cf "$base.tar" .
    as_root rm -rf "$base"
  fi
  container=$(build_image from scratch)
  build_image add --quiet "$container" "$base.tar" / >/dev/null
  build_image commit --quiet --rm --timestamp "$(source_date)" "$container" localhost/octavo-base >/dev/null
  build_image build --isolation chroot --timestamp "$(source_date)" --build-arg BASE=localhost/octavo-base \
    --file recipes/oci/Containerfile --tag "octavo:$(version)" build/dist/debian >build/image/build.log 2>&1 ||
    { tail -30 build/image/build.log >&2 && fail "the image cannot be built"; }
  rm -rf "$file" build/image/oci
  build_image push --quiet "octavo:$(version)" "oci:build/image/oci:octavo:$(version)"
  tar --sort=name --mtime="@$(source_date)" --owner=0 --group=0 --numeric-owner -C build/image/oci -cf "$file" blobs index.json oci-layout
  container=$(build_image from "octavo:$(version)")
  build_image run --isolation chroot "$container" -- octavo selftest --device cpu
  build_image run --isolation chroot "$container" -- python3 -c 'import numpy, octavo; print(octavo.extract(numpy.eye(64, dtype=numpy.uint8), device="cpu"))'
  build_image rm "$container" >/dev/null
  ls -sh "$file"
}
