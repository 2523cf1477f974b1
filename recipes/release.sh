# The parts of ./dev that make a release: one folder, build/dist/, with all that is given away. ./dev reads this file.
# shellcheck shell=bash disable=SC2154 # variables of ./dev

version() { sed -n 's/^project(octavo VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt; }

# bump VERSION. The version stands in CMakeLists.txt alone. What is unreleased becomes the section of the version.
bump() {
  [[ $# -eq 1 && $1 =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "bump takes a version such as 1.2.3, not '$*'"
  grep -q "^## $1 " CHANGELOG.md && fail "CHANGELOG.md has a section of $1 already"
  grep -q '^## Unreleased' CHANGELOG.md || fail "CHANGELOG.md has no section Unreleased"
  sed -i "s/^project(octavo VERSION [0-9.]*/project(octavo VERSION $1/" CMakeLists.txt
  sed -i "s/^## Unreleased.*/## Unreleased\n\n## $1 - $(date +%F)/" CHANGELOG.md
  printf 'CMakeLists.txt and CHANGELOG.md have the version %s; commit them, then: ./dev release URL\n' "$1"
}

# Makes the source archive of the last commit. It has the times of the commit, so that everyone makes the same one.
archive() {
  mkdir -p build/dist
  git archive --format=tar --prefix="octavo-$(version)/" HEAD | gzip -9n >"build/dist/octavo-$(version).tar.gz"
}

# A release fetches Debian's sources and packages, and tools from PyPI. Without network it would fail after an hour.
need_network() {
  local url=http://deb.debian.org/debian/dists/bookworm/Release
  /usr/lib/apt/apt-helper -o Acquire::Retries=0 -o Acquire::http::Timeout=10 download-file "$url" build/release-of-debian >/dev/null 2>&1 ||
    fail "there is no network: apt cannot fetch $url; a release needs Debian's packages and PyPI's"
}

# release URL. Of one commit all files but Debian's notes of the building (.buildinfo, .changes) have the same bytes each time, the OCI
# image as long as Debian's packages in it are the same; so the checksums of an earlier release of this commit, where there are some,
# are held against the new ones.
release() {
  [[ $# -eq 1 && $1 =~ ^https?:// ]] || fail "release takes the address of the project, such as https://HOST/OWNER/octavo, not '$*'"
  local number folder=build/dist earlier=build/earlier-SHA256SUMS environment=build/recipes/environment
  local -x OCTAVO_URL=${1%/}
  number=$(version)
  [[ -z $(git status --porcelain) ]] || fail "there are changes that are not committed; a release is of the last commit"
  grep -q "^## $number - " CHANGELOG.md || fail "CHANGELOG.md has no section of $number; ./dev bump VERSION makes one"
  need_network
  need "${wheel_packages[@]}"
  need_environment "$environment" recipes/requirements.txt
  [[ ! -e $folder/SHA256SUMS ]] || mv "$folder/SHA256SUMS" "$earlier"
  rm -rf "$folder"
  mkdir -p "$folder/recipes"
  say "release $number"
  archive
  sed "1,/^## $number - /d; /^## /,\$d" CHANGELOG.md >"$folder/CHANGES.md"
  wheel '' "$folder"
  wheel aarch64 "$folder"
  "$environment/bin/python" -m twine check --strict "$folder"/*.whl
  cp -r recipes/*/ "$folder/recipes"
  fill_recipes "$folder/recipes" "$OCTAVO_URL"
  "$environment/bin/python" recipes/check_recipes.py "$folder/recipes" "$number" "$OCTAVO_URL"
  deb "$OCTAVO_URL"
  image
  # shellcheck disable=SC2094 # SHA256SUMS itself is left out
  (cd "$folder" && find . -type f ! -name SHA256SUMS -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum >SHA256SUMS)
  say "build/dist/"
  python3 recipes/check_release.py . "$folder" "$OCTAVO_URL" "$earlier"
}
