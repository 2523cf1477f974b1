"""Finds where the clips of a folder show the same as a clip. Usage: search_clip.py FOLDER CLIP ARCHIVE"""

import sys

import octavo

folder, clip, archive = sys.argv[1:4]
indexed = octavo.video.index(folder, archive)  # what is there already is not read again
for problem in indexed.problems:
    print(problem)
searched = octavo.video.search(clip, archive)
for problem in searched.problems:
    print(problem)
for found in (one for query in searched.queries for one in query.found):
    for part in found.segments:
        print(
            f"{part.query_in:7.2f} to {part.query_out:7.2f} s is {part.other_in:7.2f} to {part.other_out:7.2f} s of"
            f" {found.clip.files[0].name}{', mirrored' if part.mirrored else ''}{'' if part.exact_ends else ', about'}"
        )
