#!/bin/sh
# images_work.sh PROGRAM FOLDER: a build without videos, mosaics and scenes aligns two photographs, and says what it lacks.
set -eu
octavo=$1 folder=$2 photographs=/usr/share/doc/opencv-doc/examples/data
if [ ! -e "$photographs/box.png" ]; then
  echo "skipped: lacks $photographs/box.png, of Debian's package opencv-doc"
  exit
fi
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

"$octavo" align "$photographs/box.png" "$photographs/box_in_scene.png" --device cpu --json >aligned.json
if ! grep -q '"homography":\[\[' aligned.json; then
  echo "octavo align gives:" && cat aligned.json && exit 1
fi

for command in video mosaic sfm colmap export merge; do
  if said=$("$octavo" $command a b 2>&1); then
    echo "octavo $command works, but is not built in" && exit 1
  fi
  case $said in
    *"$command"*) ;;
    *) echo "octavo $command says: $said" && exit 1 ;;
  esac
done
