#!/usr/bin/env bash
# bare_debian.sh WHEEL FOLDER: installs the wheel into the smallest Debian 12 and 13 that have Python, by debootstrap in
# FOLDER, and uses it there: as a user without compiler, CUDA, OpenCL or anything else of this machine. NumPy is of version
# 1 and 2 where there are wheels of both for Debian's Python. All wheels are fetched before; pip and the check have no
# network, so nothing but the wheel and its dependencies can be at work. Needs root, PYTHON, a Python with pip, and Debian's
# opencv-doc.
set -euo pipefail
[[ $# -eq 2 && -f $1 ]] || { echo "usage: bare_debian.sh WHEEL FOLDER, with PYTHON set to a Python that has pip" >&2 && exit 2; }
wheel=$(realpath "$1")
checks=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
readonly data=/usr/share/doc/opencv-doc/examples/data
readonly wheel checks folder=$2 python=${PYTHON:-python3}
# The releases, their Python, and the versions of NumPy that have wheels for it.
readonly systems=('bookworm 3.11 1 2' 'trixie 3.13 2')
[[ $EUID -eq 0 ]] || { echo "bare_debian.sh: debootstrap and chroot need root" >&2 && exit 2; }

# within ROOT COMMAND...: runs a command in a system, without network and with processes of its own.
within() {
  local root=$1
  shift
  unshare --net --mount --pid --fork --mount-proc="$root/proc" \
    chroot "$root" env -i PATH=/usr/bin:/usr/sbin:/bin:/sbin HOME=/root LANG=C.UTF-8 "$@"
}

mkdir -p "$folder"
for system in "${systems[@]}"; do
  read -r release version numpys <<<"$system"
  root=$(realpath "$folder")/$release
  if [[ ! -e $root/complete ]]; then
    rm -rf "$root"
    debootstrap --variant=minbase --include=python3,python3-venv "$release" "$root" http://deb.debian.org/debian \
      >"$folder/$release.log" 2>&1 || { cat "$folder/$release.log" >&2 && exit 1; }
    touch "$root/complete"
  fi
  for compiler in cc c++ gcc g++ clang nvcc; do
    [[ -z $(find "$root/usr/bin" "$root/usr/local/bin" -name "$compiler") ]] ||
      { echo "bare_debian.sh: $release is not bare, it has $compiler" >&2 && exit 1; }
  done
  cp "$checks"/use_{wheel,program,jobs}.py "$data"/{graf1.png,graf3.png,Megamind.avi} "$root/root/"
  for numpy in $numpys; do
    rm -rf "$root/wheels" "$root/environment"
    "$python" -m pip download --quiet --disable-pip-version-check --only-binary :all: --python-version "$version" \
      --dest "$root/wheels" "$wheel" "numpy==$numpy.*"
    within "$root" python3 -m venv /environment
    within "$root" /environment/bin/python -m pip install --quiet --no-index --find-links /wheels octavo
    printf '%s: ' "$release"
    within "$root" /environment/bin/python -B /root/use_wheel.py "$numpy"
    printf '%s: ' "$release"
    within "$root" /environment/bin/python -B /root/use_program.py /root
    printf '%s: ' "$release"
    within "$root" /environment/bin/python -B /root/use_jobs.py /root
  done
done | tee "$folder/results.txt"
# The last column is a digest of features, or of the image that the program and the jobs wrote.
[[ $(awk '{print $NF}' "$folder/results.txt" | sort -u | wc -l) -eq 2 ]] ||
  { echo "bare_debian.sh: the systems give different features or images" >&2 && exit 1; }
