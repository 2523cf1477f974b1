"""Draws docs/images/architecture.svg from the wings and rooms of src/, and checks that it and the table of rooms in
docs/architecture.md are those of src/.

usage: check_architecture.py ROOT [--write]   prints one line per fault; exit code 1 if there is one. --write draws the image anew
"""

import re
import sys
from pathlib import Path

from check_includes import Tree

PAGE = Path("docs/architecture.md")
IMAGE = Path("docs/images/architecture.svg")
ROW = re.compile(r"^\| `src/([\w/]+)/` \|", re.MULTILINE)

# Each box stands on those of the wings that it uses: x, y, width, height, title, fill, stroke.
PROGRAMS = "programs: cli, python, bench, tests"
BOXES = {
    "programs": (20, 16, 760, 34, PROGRAMS, "#f6f1e7", "#cdb98a"),
    "jobs": (20, 62, 760, 162, "jobs: what a user asks for, over many items", "#f3eef8", "#b39ac7"),
    "study": (20, 236, 374, 66, "study: how good, how fast", "#f3eef8", "#b39ac7"),
    "multiview": (20, 314, 374, 144, "multiview: several images of one scene", "#eef6ee", "#8fbf92"),
    "video": (406, 236, 374, 222, "video: frames, and what repeats among them", "#eef6ee", "#8fbf92"),
    "io": (20, 470, 760, 110, "io: OpenCV, image files, feature files, databases, pages", "#fbf3ea", "#d9b48a"),
    "engine": (
        20,
        592,
        760,
        110,
        "engine: Highway and oneTBB alone; drivers of GPUs are opened at run time",
        "#eaf1f9",
        "#8fa8c4",
    ),
}
WIDTH, HEIGHT = 800, 718
ROOM_HEIGHT, GAP = 26, 8


def text(x, y, words, more=""):
    return f'<text x="{x:g}" y="{y:g}"{more}>{words}</text>'


def box(x, y, width, height, fill, stroke):
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" fill="{fill}" stroke="{stroke}"/>'


def draw_wing(rooms, at):
    """The box of a wing with its rooms, or jobs, in rows, each as wide as its name."""
    x, y, width, height, title, fill, stroke = at
    lines = [box(x, y, width, height, fill, stroke), text(x + 10, y + 22, title)]
    left, top = x + 10, y + 34
    for room in rooms:
        wide = 8 * len(room) + 16
        if left + wide > x + width - 10:
            left, top = x + 10, top + ROOM_HEIGHT + GAP
        if top + ROOM_HEIGHT > y + height:
            raise ValueError(f"{title}: its rooms need a larger box in check_architecture.py")
        lines.append(box(left, top, wide, ROOM_HEIGHT, "#ffffff", stroke))
        lines.append(text(left + wide / 2, top + 18, room, ' text-anchor="middle" font-weight="bold"'))
        left += wide + GAP
    return lines


def image(tree):
    """The image. A wing that uses another stands above it, or it is an error."""
    wings = {wing: [room for room in tree.rooms if tree.wing(room) == wing != room] for wing in tree.uses}
    wings["jobs"] = sorted(file.stem.removesuffix("_job") for file in (tree.root / "src/jobs").glob("*_job.cc"))
    for wing, used in tree.uses.items():
        for other in used:
            if BOXES[wing][1] + BOXES[wing][3] > BOXES[other][1]:
                raise ValueError(f"check_architecture.py draws {wing} beside {other}, which it uses")
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#1a1a1a">',
        "<title>The wings of Octavo and their rooms: each uses only what stands below it</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for wing in ("programs", *reversed(wings)):
        lines += draw_wing(wings.get(wing, []), BOXES[wing])
    return "\n".join([*lines, "</svg>", ""])


def faults_of_page(page, tree):
    named = set(ROW.findall(page))
    rooms = {folder.relative_to("src").as_posix() for folder in tree.folders.values()}
    return [f"{PAGE}: has no row for src/{room}/" for room in sorted(rooms - named)] + [
        f"{PAGE}: src/{room}/ is no room" for room in sorted(named - rooms)
    ]


def main(root, write=False):
    root = Path(root)
    tree = Tree(root)
    drawn = image(tree)
    if write:
        (root / IMAGE).write_text(drawn)
    faults = faults_of_page((root / PAGE).read_text(), tree)
    if (root / IMAGE).read_text() != drawn:
        faults.append(f"{IMAGE}: is not drawn from src/; check_architecture.py . --write draws it")
    print("\n".join(faults) or "the drawing and the table of rooms are those of src/")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) not in {2, 3} or sys.argv[2:] not in ([], ["--write"]):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:] == ["--write"]))
