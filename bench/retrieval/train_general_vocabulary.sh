#!/usr/bin/env bash
# Trains the general vocabulary again (src/engine/retrieval/general.vocabulary), with photographs of the Debian packages that
# `./dev setup` installs. None of them is among those that docs/retrieval.md measures with.
#
# usage: train_general_vocabulary.sh PROGRAM OUTPUT [OPTION...]      PROGRAM is bench_train_vocabulary
set -euo pipefail
program=$1 output=$2
shift 2
backgrounds=/usr/share/backgrounds
wallpapers=/usr/share/wallpapers
data=/usr/share/doc/opencv-doc/examples/data
photographs=()
for name in Dragonfly_by_Bolly Picture_1A_by_freespace Wine_by_Jakkub_Mede life_by_Aitzol_Berasategi \
  seeding_by_Clements_Engelhardt umang_by_Abhishek_Mudgal Bridge_by_Sander_Klootwijk; do
  photographs+=("$backgrounds/$name.jpg")
done
for name in BytheWater Path ColdRipple Grey Autumn; do
  photographs+=("$wallpapers/$name/contents/images/2560x1600.jpg")
done
for name in building leuvenA aloeL baboon board butterfly home squirrel_cls stuff; do
  photographs+=("$data/$name.jpg")
done
"$program" "${photographs[@]}" -o "$output" \
  --source "Debian 12's packages lomiri-wallpapers-16.04, plasma-workspace-wallpapers and opencv-doc" "$@"
