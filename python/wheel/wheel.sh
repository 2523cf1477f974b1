# The parts of ./dev that make and test the Python package: the wheel, its tests, and bare systems. ./dev reads this file.
# shellcheck shell=bash disable=SC2154 # variables of ./dev

# Debian's packages that build the libraries of the wheel, that make bare systems, and that the package is tested beside.
readonly part_packages=(make nasm libeigen3-dev libdav1d-dev libopenh264-dev libde265-dev)
readonly bare_packages=(debootstrap util-linux)
readonly torch_packages=(python3-torch python3-venv)

# The time of the last commit, in seconds since 1970. An unpacked archive of a release has it as the time of its files.
source_date() { git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt; }

# make_wheel PRESET FOLDER [MACHINE [CMAKE-DEFINITION...]]: puts the Python package with the engine of a preset that is built
# into FOLDER, in place of an older one; that of the preset `portable` has the programs too. MACHINE is what it is for, by default
# this one. Its tag is that of glibc 2.34 (RHEL 9, Debian 12); auditwheel refuses a module that needs more, and adds the libraries
# that it needs. For another machine it takes no tag, but finds the least; so what is made has another name if more is needed,
# which the caller notices.
# Beside a wheel that is given away lies its bill of materials, as in it.
# The same sources and tools give the same bytes: files have the time of the commit, and modes that no umask changes.
make_wheel() {
  local preset=$1 folder=$2 machine=${3:-$(uname -m)}
  local parts=$PWD/build/wheel/$machine log=build/wheel/$machine.log
  local platform=manylinux_2_34_$machine tools programs='' jobs=OFF notices=''
  local -a libraries=() # where list_parts.py finds them
  tools=$PWD/$(build_environment)/bin
  local -x SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(source_date)}
  [[ $machine == "$(uname -m)" ]] || platform=auto
  case $preset in
    portable) programs=$parts/engine/octavo/bin jobs=ON notices=$parts/notices libraries=(build/parts "$programs") ;;
    aarch64) notices=$parts/notices libraries=(build/arm64-root) ;;
  esac
  local -x AUDITWHEEL_LD_LIBRARY_PATH=${AUDITWHEEL_LD_LIBRARY_PATH:-$parts/engine/octavo.libs:$PWD/build/parts/prefix/lib}
  local -a definitions=("OCTAVO_PYTHON_ENGINE=installed" "OCTAVO_PYTHON_PROGRAMS=$programs"
    "OCTAVO_PYTHON_NOTICES=$notices" "OCTAVO_PYTHON_JOBS=$jobs" "${@:4}")
  rm -rf "$parts/engine" "$parts/raw" "$folder"/octavo-*"_$machine".{whl,cdx.json}
  mkdir -p "$parts"
  (
    umask 022 &&
      cmake --install "build/$preset" --prefix "$parts/engine" --strip &&
      { [[ -z $notices ]] || LD_LIBRARY_PATH=$AUDITWHEEL_LD_LIBRARY_PATH "$tools/python" python/wheel/list_parts.py . "$notices" \
        "${libraries[@]}"; } &&
      _PYTHON_HOST_PLATFORM="linux-$machine" LD_LIBRARY_PATH=$AUDITWHEEL_LD_LIBRARY_PATH "$tools/python" -m pip wheel . --no-deps --no-build-isolation \
        --wheel-dir "$parts/raw" --config-settings=build-dir="build/wheel/$machine/module" \
        --config-settings=cmake.define.octavo_DIR="$(echo "$parts"/engine/*/cmake/octavo)" \
        "${definitions[@]/#/--config-settings=cmake.define.}" &&
      PATH="$tools:$PATH" auditwheel repair --plat "$platform" --wheel-dir "$folder" \
        "$parts/raw"/*.whl
  ) >"$log" 2>&1 || { cat "$log" >&2 && fail "the Python package cannot be built"; }
  [[ -z $notices ]] || cp "$notices/sboms/octavo.cdx.json" "$(echo "$folder"/octavo-*"_$machine.whl" | sed 's/whl$/cdx.json/')"
}

# Makes the Python package, and unpacks it where its tests look for it.
unpack_package() {
  local site=$PWD/build/wheel/site
  say "building the Python package"
  make_wheel release build/wheel/tested
  rm -rf "$site"
  .venv/bin/python -m zipfile --extract build/wheel/tested/octavo-*"_$(uname -m).whl" "$site"
  add_jobs_module "$site/octavo"
  python3 tests/structure/check_licences.py . module="$(echo "$site"/octavo/_octavo*.so)"
}

# add_jobs_module FOLDER: builds the module of the jobs, with the libraries of this machine, into an unpacked package.
add_jobs_module() {
  local module=build/wheel/jobs
  cmake -S python -B "$module" -G Ninja -DCMAKE_BUILD_TYPE=Release -DOCTAVO_PYTHON_ENGINE=installed -DOCTAVO_PYTHON_JOBS=ON \
    -Doctavo_ROOT="$PWD/build/wheel/$(uname -m)/engine" -DPython_EXECUTABLE="$PWD/.venv/bin/python" >build/wheel/jobs.log
  cmake --build "$module" --target octavo_stub_jobs
  cp "$module"/octavo/_jobs* "$1"
}

# Installs the Python package into environments that have nothing else, with a NumPy of version 2 and one of version 1,
# and tests it there.
test_wheel() {
  local wheels=build/wheel/tested name numpy
  make_wheel release "$wheels"
  for numpy in 2 1; do
    name=build/wheel/numpy$numpy
    say "testing the Python package with NumPy $numpy and nothing else"
    rm -rf "$name"
    .venv/bin/python -m venv "$name"
    "$name/bin/python" -m pip install -q --disable-pip-version-check "$wheels"/*.whl "numpy<$((numpy + 1))" pytest
    OCTAVO_PROGRAM=$PWD/$program "$name/bin/python" -B -m pytest -q -ra python/tests
  done
}

# Tests the package that test_wheel has made beside Debian's PyTorch: PyPI's takes gigabytes, for GPUs.
test_beside_torch() {
  local name=build/wheel/torch
  need "${torch_packages[@]}"
  say "testing the Python package beside PyTorch"
  /usr/bin/python3 -m venv --clear --system-site-packages "$name"
  "$name/bin/python" -m pip install -q --disable-pip-version-check build/wheel/tested/*.whl pytest
  "$name/bin/python" -c "import torch" # without it the tests would be skipped
  "$name/bin/python" -B -m pytest -q -ra python/tests/test_torch.py
}

# Tests the extension module under the sanitizers. Python itself is not built for them, so their library is loaded before
# it, with that of C++, whose exceptions it intercepts; and what Python keeps until its end is not looked at as leaks.
test_sanitized_module() {
  local engine=build/asan-engine module=$PWD/build/asan-module flags
  need "${build_packages[@]}" "${wheel_packages[@]}"
  need_python_environment
  say "building the engine and the Python module for the sanitizers"
  mkdir -p "$module"
  cmake --preset asan -B "$engine" -DOCTAVO_APPS=OFF -DOCTAVO_TESTS=OFF >build/asan-engine.log
  cmake --build "$engine" --target octavo_installed
  cmake --install "$engine" --prefix "$module/engine" >>build/asan-engine.log
  flags=$(sed -n 's/^CMAKE_CXX_FLAGS:STRING=//p' "$engine/CMakeCache.txt")
  cmake -S python -B "$module" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS="$flags" \
    -DOCTAVO_PYTHON_ENGINE=installed -Doctavo_ROOT="$module/engine" -DPython_EXECUTABLE="$PWD/.venv/bin/python" \
    >>build/asan-engine.log
  cmake --build "$module" --target octavo_python_octavo
  rm -rf "$module/site"
  mkdir "$module/site"
  cp -r python/octavo "$module/site"
  cp "$module"/octavo/_octavo*.so "$module/site/octavo"
  say "testing the Python module under the sanitizers"
  LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libstdc++.so.6)" ASAN_OPTIONS=detect_leaks=0 \
  PYTHONPATH=$module/site .venv/bin/python -B -m pytest -q -ra python/tests/test_arrays.py \
    python/tests/test_extractor.py python/tests/test_features.py python/tests/test_inspection.py python/tests/test_more.py \
    python/tests/test_scores.py --deselect python/tests/test_extractor.py::test_memory_stays # freed memory is kept a while
}

# wheel [aarch64 [FOLDER]]. FOLDER is where the wheel and its bill of materials go.
wheel() {
  local machine=${1:-$(uname -m)} folder=${2:-dist} preset=portable architectures
  case ${1:-} in
    '')
      need "${build_packages[@]}" "${wheel_packages[@]}" "${source_packages[@]}" "${part_packages[@]}"
      need_build_environment
      python/wheel/build_parts.sh build/parts
      configure portable -DOCTAVO_CUDA=ON -DOCTAVO_CUDA_ARCHITECTURES= # all
      build portable
      make_wheel portable "$folder"
      python3 tests/structure/check_licences.py . wheel="$(echo "$folder"/*"_$machine.whl")"
      ;;
    aarch64)
      preset=aarch64
      wheel_aarch64 "$folder"
      ;;
    *) fail "wheel takes nothing or aarch64, not '$1'" ;;
  esac
  architectures=$(sed -n 's/^octavo_embedded_cuda_architectures:INTERNAL=//p' "build/$preset/CMakeCache.txt")
  say "the wheel, with CUDA kernels for ${architectures:-no architecture}"
  ls -sh "$folder"/*"_$machine.whl"
}

# install_arm64 FOLDER WHAT...: puts packages of PyPI for ARM into a folder.
install_arm64() {
  "$(build_environment)/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade --target "$1" --no-deps --only-binary :all: \
    --python-version 3.11 --platform manylinux_2_28_aarch64 --platform manylinux_2_27_aarch64 --platform manylinux_2_34_aarch64 \
    -c tests/requirements.txt -c python/build-requirements.txt "${@:2}"
}

# wheel_aarch64 FOLDER. The modules are installed anew each time: the environment decides their versions.
wheel_aarch64() {
  local nanobind_folder modules=build/arm64-root/modules used=build/wheel/aarch64/used
  need "${portability_packages[@]}" "${wheel_packages[@]}"
  need_build_environment
  unpack_arm64
  build aarch64
  rm -rf "$modules" "$used"
  install_arm64 "$modules" numpy nanobind-backend
  nanobind_folder=$("$(build_environment)/bin/python" -m nanobind --cmake_dir)
  AUDITWHEEL_LD_LIBRARY_PATH=$PWD/build/arm64-root/usr/lib/aarch64-linux-gnu:/usr/aarch64-linux-gnu/lib \
    make_wheel aarch64 "$1" aarch64 "CMAKE_TOOLCHAIN_FILE=$PWD/cmake/aarch64-linux-gnu.cmake" \
    "Python_EXECUTABLE=$PWD/cmake/python-aarch64" "Python_INCLUDE_DIR=$PWD/build/arm64-root/usr/include/python3.11" \
    "CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES=$PWD/build/arm64-root/usr/include" "nanobind_DIR=$nanobind_folder"
  say "using the wheel with QEMU"
  install_arm64 "$used" "$1"/octavo-*-manylinux_2_34_aarch64.whl
  # One thread: oneTBB hangs under QEMU 7.2 with more.
  OCTAVO_ARM64_MODULES=$PWD/$used cmake/python-aarch64 -B tests/wheel/use_wheel.py 2 1
}

portability_of_wheel() {
  local wheel_file size
  need "${bare_packages[@]}"
  wheel
  wheel_file=$(echo dist/*"_$(uname -m).whl")
  size=$(stat -c %s "$wheel_file")
  [[ $size -lt 40000000 ]] || fail "$wheel_file has $size bytes; 40 MB are the limit"
  say "building the wheel once more, from a copy of the sources in build/again/"
  rm -rf build/again
  mkdir build/again
  git ls-files -z --cached --others --exclude-standard | tar -c --null --files-from=- | tar -x -C build/again
  build/again/dev wheel
  cmp "$wheel_file" "build/again/$wheel_file" || fail "the same sources give two wheels, $wheel_file and that in build/again/"
  say "using the wheel in bare Debian 12 and 13, unpacked in build/bare/"
  as_root env PYTHON="$(build_environment)/bin/python" tests/wheel/bare_debian.sh "$wheel_file" build/bare
}
