#!/usr/bin/env bash
# build_parts.sh FOLDER: builds the libraries that Octavo and its tests need on 64-bit Windows, those of parts.txt, from
# Debian's source packages (cmake/debian_parts.sh) by Debian's cross compiler, into FOLDER/prefix. All are static, so that a
# program is one file.
# shellcheck disable=SC2154 # variables of debian_parts.sh
set -euo pipefail
# shellcheck source=cmake/debian_parts.sh
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../debian_parts.sh"

build_highway() { by_cmake -DHWY_ENABLE_{CONTRIB,EXAMPLES,TESTS}=OFF -DBUILD_TESTING=OFF; }

# Without its allocator, which has to be a library of its own. Its package file forgets what a static library needs.
build_onetbb() {
  by_cmake -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBBMALLOC_BUILD=OFF
  sed -i '1i include(CMakeFindDependencyMacro)\nfind_dependency(Threads)' "$prefix/lib/cmake/TBB/TBBConfig.cmake"
  ln -sf libtbb12.a "$prefix/lib/libtbb.a" # as OpenCV calls it
}

build_googletest() { by_cmake -DBUILD_GMOCK=OFF; }

# Debian's sources lack the makefile for Windows. The other one makes the same library.
build_zlib() {
  cd "$source"
  CC=x86_64-w64-mingw32-gcc-posix ./configure --static --uname=GNU --prefix="$prefix"
  make -j"$jobs" install AR=x86_64-w64-mingw32-ar RANLIB=x86_64-w64-mingw32-ranlib
}

# A relative folder of libraries would begin at the working directory.
build_libjpeg-turbo() { by_cmake -DENABLE_SHARED=OFF -DWITH_TURBOJPEG=OFF -DCMAKE_INSTALL_LIBDIR="$prefix/lib"; }

build_libpng1.6() { by_cmake -DPNG_SHARED=OFF -DPNG_TESTS=OFF; }

build_tiff() {
  by_cmake -D{jbig,cxx,tiff-tools,tiff-tests,tiff-contrib,tiff-docs,tiff-opengl,lzma,zstd,libdeflate,lerc,webp}=OFF
}

build_libwebp() { by_cmake -DWEBP_BUILD_{ANIM_UTILS,CWEBP,DWEBP,GIF2WEBP,IMG2WEBP,VWEBP,WEBPINFO,WEBPMUX,EXTRAS}=OFF; }

build_libzip() {
  by_cmake -DENABLE_{COMMONCRYPTO,GNUTLS,MBEDTLS,OPENSSL,WINDOWS_CRYPTO,BZIP2,LZMA}=OFF -DBUILD_{TOOLS,REGRESS,EXAMPLES,DOC}=OFF
}

# by_configure OPTION...: the same as by_cmake for the libraries that have no CMake files.
by_configure() {
  cd "$source"
  [[ -e configure ]] || autoreconf --install --force
  CC=x86_64-w64-mingw32-gcc-posix ./configure --host=x86_64-w64-mingw32 --prefix="$prefix" --disable-shared "$@"
  make -j"$jobs"
  make install
}

build_lcms2() { by_configure --without-{jpeg,tiff}; }

build_libexif() { by_configure --disable-{nls,docs}; }

build_fmtlib() { by_cmake -DFMT_{TEST,DOC}=OFF; }

# With the options of the wheel (python/wheel/build_parts.sh), by which the numbers are those of Debian's OpenCV.
build_opencv() {
  sed -i 's/#include "version_string.inc"/"built for Octavo"/' "$source/modules/core/src/system.cpp"
  by_cmake -DBUILD_LIST=core,imgproc,flann,features2d,calib3d,stitching \
    -DCPU_BASELINE=SSE2 -DCPU_BASELINE_DISABLE=SSE3 -DWITH_EIGEN=ON -DWITH_TBB=ON \
    -DWITH_{LAPACK,OPENCL,OPENGL,IPP,ITT,PROTOBUF,QUIRC,ADE,JASPER,JPEG,PNG,TIFF,WEBP,OPENJPEG,OPENEXR,IMGCODEC_HDR,IMGCODEC_PXM}=OFF \
    -DWITH_{WIN32UI,DIRECTX,DSHOW,MSMF,VTK,1394,FFMPEG,GSTREAMER,GDAL}=OFF \
    -DBUILD_{ITT,PROTOBUF,TESTS,PERF_TESTS,EXAMPLES,DOCS,JAVA,ZLIB,opencv_apps,opencv_python2,opencv_python3}=OFF \
    -DENABLE_PRECOMPILED_HEADERS=OFF -DOPENCV_DOWNLOAD_TRIES_LIST= -DOPENCV_CONFIG_INSTALL_PATH=lib/cmake/opencv4 \
    -DOPENCV_{LIB,3P_LIB}_INSTALL_PATH=lib -DOPENCV_INCLUDE_INSTALL_PATH=include/opencv4
}

flags() {
  export CMAKE_TOOLCHAIN_FILE=$here/../x86_64-w64-mingw32.cmake
  export CFLAGS="-O2 -ffile-prefix-map=$source=."
  export CXXFLAGS=$CFLAGS CMAKE_BUILD_PARALLEL_LEVEL=$jobs
}

# What is headers alone is for all systems.
mkdir -p "$prefix"/{include,share/cmake}
cp -rp /usr/include/{CL,CLI,eigen3,kainjow,nlohmann,xxhash.h} "$prefix/include/"
cp -rp /usr/share/eigen3 "$prefix/share/"
cp -rp /usr/share/cmake/{CLI11,nlohmann_json} "$prefix/share/cmake/"
build_parts
