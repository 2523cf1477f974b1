"""Makes the site of the documentation: the pages of the repository, a page for each command, and the references of Python and
C++, with a search. The site needs no network: it can be opened from its files, or served.

usage: make_site.py PROGRAM REFERENCE FOLDER
PROGRAM is octavo; REFERENCE the page that make_reference.py printed. The site is FOLDER/site, made of FOLDER/pages.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import command_pages
import cpp_pages
import written_pages
import yaml

ROOT = Path(__file__).parents[2]


def make(program, reference, folder):
    pages = folder / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir(parents=True)
    written_pages.copy(ROOT, pages)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    commands = command_pages.write(program, pages / "commands")
    cpp = cpp_pages.write(ROOT, pages, version)
    shutil.copy(reference, pages / "docs" / "python-reference.md")
    shutil.copytree(ROOT / "docs" / "site" / "theme", pages / "assets")
    settings = {
        "INHERIT": str(ROOT / "docs" / "site" / "mkdocs.yml"),
        "docs_dir": "pages",
        "site_dir": "site",
        "nav": [
            *written_pages.navigation(ROOT),
            {"Reference": [{"Python": "docs/python-reference.md"}, cpp]},
            {"Commands": commands},
        ],
    }
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings, sort_keys=False))
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", folder / "mkdocs.yml"]
    if subprocess.run(command, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}).returncode:
        raise SystemExit("make_site.py: the site cannot be built")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    make(*(Path(argument).resolve() for argument in sys.argv[1:]))
