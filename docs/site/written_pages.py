"""The pages of the repository in the site: where they stand, what they link, and the order in which a reader finds them.

Pages keep their folders, so that links among them hold. A link to what is no page, such as a source file, becomes its text.
The navigation is that of docs/index.md: a section for each heading, an entry for each link of its list. What it links before
the first heading stands in the first section.
"""

import re
import shutil
from pathlib import Path

LINK = re.compile(r"(!?)\[([^]]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def sources(root):
    """The pages, relative to the root."""
    found = [path for path in sorted(root.glob("docs/**/*.md")) if "site" not in path.relative_to(root).parts]
    return [
        path.relative_to(root) for path in (root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md", *found)
    ]


def without_outside_links(text, page, root, inside):
    def link(match):
        mark, words, target = match.groups()
        path = (root / page.parent / target.partition("#")[0]).resolve()
        if mark or re.match(r"https?:|#", target) or path in inside:
            return match[0]
        name = path.relative_to(root.resolve()).as_posix()
        return words if name in words.replace("`", "") else f"{words} (`{name}`)"

    parts = FENCE.split(text)
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)


def copy(root, folder):
    """Writes the pages, their images and the schemas of JSON below `folder`."""
    pages = sources(root)
    inside = {(root / page).resolve() for page in pages}
    for page in pages:
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / page).write_text(without_outside_links((root / page).read_text(), page, root, inside))
    for other in ("images", "schemas"):
        shutil.copytree(root / "docs" / other, folder / "docs" / other)


def navigation(root):
    """Sections with their entries, as MkDocs takes them: [{"Jobs": [{"Features": "docs/extract.md"}, ...]}, ...]."""
    pages = sources(root)
    index = root / "docs" / "index.md"
    if index.exists():
        text, first = index.read_text(), [{"Pages": "docs/index.md"}]
    else:
        text, first = (root / "README.md").read_text().partition("\n## Documentation\n")[1:], []
        text, index = "".join(text), root / "README.md"
    sections, named = [{"Octavo": [{"Octavo": "README.md"}, *first]}], {"README.md", "docs/index.md"}
    for line in text.splitlines():
        if line.startswith("## "):
            sections.append({line[3:]: []})
        is_listed = line.startswith("* ") or len(sections) == 1  # before the first heading every link counts
        for _, words, target in LINK.findall(line) if is_listed else []:
            path = (index.parent / target.partition("#")[0]).resolve()
            page = path.relative_to(root.resolve()).as_posix() if path.is_relative_to(root.resolve()) else ""
            if Path(page) in pages and page not in named:
                named.add(page)
                next(iter(sections[-1].values())).append({words[0].upper() + words[1:]: page})
    return sections
