"""Finds the takes of each scene among clips, and draws them. Usage: find_takes.py SHEET CLIP..."""

import sys

import octavo

sheet, *clips = sys.argv[1:]
takes = octavo.video.takes(clips, sheet=sheet, otio=f"{sheet}.otio")  # a timeline for an editor
for i, scene in enumerate(takes.scenes):
    for j, take in enumerate(scene.takes):
        shot = take.shot
        known = j != scene.reference and take.offset is not None
        offset = f", {take.offset:+.2f} s after the reference" if known else ""
        print(f"scene {i}: {takes.files[shot.clip].name} {shot.shot_in:.2f} to {shot.shot_out:.2f} s{offset}")
