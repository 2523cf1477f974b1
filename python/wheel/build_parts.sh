#!/usr/bin/env bash
# build_parts.sh FOLDER: builds the libraries of parts.txt from Debian's source packages, into FOLDER/prefix: those of which
# Debian's own binaries are under the GPL or bring parts under it (FFmpeg, libheif, libtiff, Ceres), or load much that Octavo
# does not use (OpenCV, HDF5, libzip, cpp-httplib). apt checks the packages against Debian's signature, with lists of its own. A
# part that is there, of the same version and by the same commands, is not built again. No path and no time goes into a part.
set -euo pipefail
[[ $# -eq 1 ]] || { echo "usage: build_parts.sh FOLDER" >&2 && exit 2; }
folder=$(realpath -m "$1")
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
readonly folder here prefix=$folder/prefix
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
# Linked on Debian 12, the parts run with glibc 2.34 too.
readonly wait=_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE

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
    echo "build_parts.sh: Debian 12 has no $1 $2 (any more); name the version that it has in $here/parts.txt" >&2
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

build_tiff() {
  by_cmake -Djbig=OFF -Dcxx=OFF -Dtiff-tools=OFF -Dtiff-tests=OFF -Dtiff-contrib=OFF -Dtiff-docs=OFF -Dtiff-opengl=OFF
}

# arc4random came with glibc 2.36.
build_libzip() {
  by_cmake -DENABLE_{COMMONCRYPTO,GNUTLS,MBEDTLS,OPENSSL,BZIP2,LZMA}=OFF -DBUILD_{TOOLS,REGRESS,EXAMPLES,DOC}=OFF \
    -DHAVE_ARC4RANDOM=0
}

# The settings that the library could tell hold the time and this machine's name.
build_hdf5() {
  cd "$source"
  ./configure --prefix="$prefix" --enable-build-mode=production --disable-static --disable-hl --disable-tests --disable-tools \
    --without-szlib --disable-embedded-libinfo --disable-dependency-tracking
  make -j"$jobs"
  make install
}

build_ceres-solver() {
  by_cmake -DBUILD_SHARED_LIBS=OFF -DMINIGLOG=ON -DMINIGLOG_MAX_LOG_LEVEL=-1 -D{GFLAGS,SUITESPARSE,CXSPARSE,LAPACK,CUDA}=OFF -DEIGENSPARSE=ON \
    -DSCHUR_SPECIALIZATIONS=OFF -DBUILD_{TESTING,EXAMPLES,BENCHMARKS}=OFF -DPROVIDE_UNINSTALL_TARGET=OFF
}

# A header; plain HTTP on the loopback address needs no OpenSSL.
build_cpp-httplib() {
  install -D -m 644 "$source/httplib.h" "$prefix/include/httplib.h"
  printf '%s\n' 'Name: cpp-httplib' 'Description: HTTP server' "Version: ${version%%+*}" \
    'Cflags: -DCPPHTTPLIB_USE_POLL' >"$prefix/lib/pkgconfig/cpp-httplib.pc"
}

build_libheif() {
  by_cmake -DENABLE_PLUGIN_LOADING=OFF -DWITH_EXAMPLES=OFF -DWITH_{LIBDE265,DAV1D}=ON \
    -DWITH_{X265,AOM_ENCODER,AOM_DECODER,SvtEnc,RAV1E}=OFF
}

# The library tells the words of this call, so they hold no path.
build_ffmpeg() {
  cd "$source"
  LDFLAGS+=" -Wl,--wrap=hypot $prefix/lib/old_hypot.o -lm"
  ./configure --prefix=/octavo --libdir=/octavo/lib --shlibdir=/octavo/lib --disable-autodetect --disable-debug \
    --disable-programs --disable-doc --disable-avfilter --disable-swscale --disable-swresample --disable-postproc --disable-network \
    --enable-shared --disable-static --disable-protocols --enable-protocol=file,pipe \
    --disable-encoders --enable-encoder=mpeg4,libopenh264 --disable-muxers --enable-muxer=mp4,mov,matroska \
    --disable-outdevs --disable-indevs --enable-indev=v4l2 --enable-zlib --enable-libdav1d --enable-libopenh264
  make -j"$jobs"
  make install DESTDIR="$source/image"
  sed -i "s|/octavo|$prefix|" "$source"/image/octavo/lib/pkgconfig/*.pc
  cp -a "$source/image/octavo/." "$prefix/"
}

# With Debian's options, by which the numbers are those of Debian's OpenCV. Eigen matters: `octavo align` finds other inliers
# without it. What the library could tell of its build holds paths.
build_opencv() {
  sed -i 's/#include "version_string.inc"/"built for the wheel of Octavo"/' "$source/modules/core/src/system.cpp"
  by_cmake -DBUILD_SHARED_LIBS=OFF -DBUILD_LIST=core,imgproc,flann,features2d,calib3d,stitching \
    -DCPU_BASELINE=SSE2 -DCPU_BASELINE_DISABLE=SSE3 -DCMAKE_CXX_FLAGS_RELEASE='-O2 -DNDEBUG' \
    -DCMAKE_C_FLAGS_RELEASE='-O2 -DNDEBUG' -DWITH_EIGEN=ON -DWITH_TBB=ON \
    -DWITH_{LAPACK,OPENCL,OPENGL,IPP,ITT,PROTOBUF,QUIRC,ADE,JASPER,GTK,QT,VTK,1394,FFMPEG,GSTREAMER,V4L,OPENEXR,GDAL}=OFF \
    -DBUILD_{ITT,PROTOBUF,TESTS,PERF_TESTS,EXAMPLES,DOCS,JAVA,opencv_apps,opencv_python2,opencv_python3}=OFF \
    -DENABLE_PRECOMPILED_HEADERS=OFF -DBUILD_INFO_SKIP_TIMESTAMP=ON -DBUILD_INFO_SKIP_SYSTEM_VERSION=ON \
    -DOPENCV_DOWNLOAD_TRIES_LIST=
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

# What Debian's own packages are compiled with against overruns, and without paths.
flags() {
  export CFLAGS="-O2 -fPIC -fstack-protector-strong -D_FORTIFY_SOURCE=2 -ffile-prefix-map=$source=."
  export CXXFLAGS=$CFLAGS LDFLAGS='-Wl,-z,relro'
  export CMAKE_BUILD_PARALLEL_LEVEL=$jobs
}

mkdir -p "$prefix/lib/pkgconfig"
for symbol in hypot wait; do gcc -O2 -fPIC -c "$here/old_$symbol.c" -o "$prefix/lib/old_$symbol.o"; done
echo "-Wl,--wrap=hypot -Wl,--wrap=$wait $prefix/lib/old_hypot.o $prefix/lib/old_wait.o" >"$prefix/lib/old_symbols.flags"
rm -f "$folder/apt/updated"
while read -r name version _; do
  [[ $name == '#' ]] || build "$name" "$version"
done <"$here/parts.txt"
