"""The reference of the C++ library: pages that Doxygen makes of the public headers, and one page that lists the headers."""

import os
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

WINGS = {
    "octavo": "The engine: `octavo::octavo`",
    "octavo/io": "Files: `octavo::io`",
    "octavo/multiview": "Several views: `octavo::multiview`",
    "octavo/video": "Videos: `octavo::video`",
    "octavo/study": "Scores: `octavo::study`",
    "octavo/jobs": "Jobs: `octavo::jobs`",
}


def about(header):
    """The paragraph before the namespace of a header, which says what it is about."""
    lines = header.read_text().partition("\nnamespace ")[0].splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    words = []
    while lines and lines[-1].startswith("// "):
        words.insert(0, lines.pop()[3:])
    return " ".join(words)


def write(root, folder, version):
    """Writes the pages below `folder`. Returns their entry of the navigation."""
    (folder / "cpp").mkdir()
    tags = folder.parent / "tags.xml"
    settings = f"@INCLUDE = docs/site/Doxyfile\nOUTPUT_DIRECTORY = {folder / 'cpp'}\nPROJECT_NUMBER = {version}\n"
    done = subprocess.run(
        ["doxygen", "-"], cwd=root, input=settings, text=True, env={**os.environ, "OCTAVO_TAGS": str(tags)}
    )
    if done.returncode:
        raise SystemExit("make_site.py: doxygen finds faults in comments of public headers")
    pages, classes = {}, {}
    for file in ElementTree.parse(tags).iter("compound"):
        if file.get("kind") == "file":
            path = Path(file.findtext("path"), file.findtext("name"))
            pages[path] = file.findtext("filename").removesuffix(".html") + ".html"
            classes[path] = [f"`{one.text.removeprefix('octavo::')}`" for one in file.iter("class")]
    lines = ["# C++ reference", "[All classes](cpp/annotated.html), [all functions](cpp/globals_func.html)."]
    for wing, title in WINGS.items():
        headers = sorted((root / "include" / wing).glob("*.h"))
        rows = [
            f"| [`{wing}/{one.name}`](cpp/{pages[one]}) | {about(one) or ', '.join(classes[one])} |" for one in headers
        ]
        lines.append("\n".join([f"## {title}\n", "| header | what |", "| --- | --- |", *rows]))
    (folder / "cpp-reference.md").write_text("\n\n".join(lines) + "\n")
    return {"C++": "cpp-reference.md"}
