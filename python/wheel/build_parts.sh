#!/usr/bin/env bash
# build_parts.sh FOLDER: builds the libraries of parts.txt from Debian's source packages (cmake/debian_parts.sh), into
# FOLDER/prefix: those of which Debian's own binaries are under the GPL or bring parts under it (FFmpeg, libheif, libtiff,
# Ceres), or load much that Octavo does not use (OpenCV, HDF5, libzip, cpp-httplib). No path and no time goes into a part.
# shellcheck disable=SC2154 # variables of debian_parts.sh
set -euo pipefail
# shellcheck source=cmake/debian_parts.sh
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../../cmake/debian_parts.sh"

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

# What Debian's own packages are compiled with against overruns, and without paths.
flags() {
  export CFLAGS="-O2 -fPIC -fstack-protector-strong -D_FORTIFY_SOURCE=2 -ffile-prefix-map=$source=."
  export CXXFLAGS=$CFLAGS LDFLAGS='-Wl,-z,relro'
  export CMAKE_BUILD_PARALLEL_LEVEL=$jobs
}

mkdir -p "$prefix/lib/pkgconfig"
# Linked on Debian 12, what has these flags runs with glibc 2.34 too.
for symbol in hypot wait; do gcc -O2 -fPIC -c "$here/old_$symbol.c" -o "$prefix/lib/old_$symbol.o"; done
sed -nE 's/.* __wrap_(\w+)\(.*/-Wl,--wrap=\1/p' "$here"/old_*.c >"$prefix/lib/old_symbols.flags"
echo "$prefix"/lib/old_*.o >>"$prefix/lib/old_symbols.flags"
build_parts
