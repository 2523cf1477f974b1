"""Tests of recipes/check_release.py with a small release: it passes whole, and without any of what makes it whole it fails. The page of
its wheels is README.md as python/wheel/project_page.py makes it."""

import hashlib
import json
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "recipes"), str(ROOT / "python/wheel")]
import check_release  # noqa: E402
import project_page  # noqa: E402

URL = "https://example.org/octavo"
PAGE = "# Octavo\n\n[Alignment](docs/alignment.md#views), [elsewhere](https://example.com)\n\n![wall](docs/wall.jpg)\n"
METADATA = """Metadata-Version: 2.4
Name: octavo
Version: 1.2.3
Summary: local features
Author: Octavo developers
License-Expression: Apache-2.0
Project-URL: Homepage, https://example.org/octavo
Description-Content-Type: text/markdown

"""
BILL = {
    "metadata": {"component": {"version": "1.2.3"}},
    "components": [
        {
            "type": "library",
            "name": "zip",
            "version": "1",
            "licenses": [{"expression": "MIT"}],
            "purl": "pkg:deb/debian/zip",
        }
    ],
}


class CheckRelease(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "sources"
        self.folder = Path(folder.name) / "dist"
        for name in ("docs/alignment.md", "docs/wall.jpg"):
            self.write(self.root / name, "")
        self.write(self.root / "CMakeLists.txt", "project(octavo VERSION 1.2.3 LANGUAGES CXX)\n")
        for pattern in check_release.expected("1.2.3"):
            self.write(self.folder / pattern.replace("*", "x"), pattern)
        self.make_wheels(METADATA, PAGE, BILL)
        self.sum_up()

    def write(self, file, text):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def make_wheels(self, metadata, page, bill, without=None):
        page = project_page.with_addresses(page, URL, "1.2.3")
        held = {"METADATA": metadata + page, "licenses/LICENSE": "", "sboms/octavo.cdx.json": json.dumps(bill)}
        for wheel in self.folder.glob("*.whl"):
            self.write(wheel.with_suffix(".cdx.json"), json.dumps(bill))
            with zipfile.ZipFile(wheel, "w") as archive:
                for name in held.keys() - {without}:
                    archive.writestr(f"octavo-1.2.3.dist-info/{name}", held[name])

    def sum_up(self):
        files = [file for file in self.folder.rglob("*") if file.is_file() and file.name != "SHA256SUMS"]
        lines = [
            f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(self.folder)}\n" for file in files
        ]
        self.write(self.folder / "SHA256SUMS", "".join(lines))

    def faults(self, earlier=None):
        return check_release.faults_of(self.root, self.folder, URL, earlier)

    def assert_fault(self, words):
        self.sum_up()
        self.assertIn(words, "\n".join(self.faults()))

    def test_a_whole_release_has_no_faults(self):
        self.assertEqual(self.faults(), [])

    def test_each_file_is_missed(self):
        for pattern in check_release.expected("1.2.3"):
            file = self.folder / pattern.replace("*", "x")
            content = file.read_bytes()
            file.unlink()
            self.assertIn(f"{pattern}: there is not exactly one", "\n".join(self.faults()))
            file.write_bytes(content)

    def test_packages_of_debug_symbols_are_not_there(self):
        self.write(self.folder / "debian/octavo-dbgsym_1.2.3-1_amd64.deb", "")
        self.assert_fault("debian/octavo-dbgsym_1.2.3-1_amd64.deb: README.md installs all packages of this folder")

    def test_each_field_is_missed(self):
        for field in ("Summary", "Author", "License-Expression"):
            lines = METADATA.splitlines(keepends=True)
            self.make_wheels("".join(line for line in lines if not line.startswith(field)), PAGE, BILL)
            self.assert_fault(f"no {field}")
        self.make_wheels(METADATA.replace("Project-URL: Homepage", "Project-URL: Other"), PAGE, BILL)
        self.assert_fault("the homepage is None")
        self.make_wheels(METADATA.replace("1.2.3", "1.2.2"), PAGE, BILL)
        self.assert_fault("is of version 1.2.2")

    def test_links_to_images_and_pages_become_addresses(self):
        page = project_page.with_addresses(
            '![a](docs/a.jpg) <img src="b.svg"> [c](docs/c.md#d) [e](https://f)', URL, "1.2.3"
        )
        raw, blob = f"{URL}/raw/v1.2.3", f"{URL}/blob/v1.2.3"
        self.assertEqual(page, f'![a]({raw}/docs/a.jpg) <img src="{raw}/b.svg"> [c]({blob}/docs/c.md#d) [e](https://f)')

    def test_links_are_absolute_and_lead_to_files(self):
        self.make_wheels(METADATA, PAGE + "<a href=docs></a> [x](docs/alignment.md)", BILL)
        self.assertEqual([fault for fault in self.faults() if "link" in fault], [])
        self.make_wheels(METADATA, PAGE + "[x](docs/gone.md)", BILL)
        self.assert_fault(f"the link {URL}/blob/v1.2.3/docs/gone.md leads nowhere")
        self.make_wheels(METADATA, PAGE + "[x](#heading)", BILL)
        self.assert_fault("the link #heading is not absolute")
        self.make_wheels(METADATA, "# Octavo\n", BILL)
        self.assert_fault("no link leads to a file of the project")

    def test_bills_and_licences_are_in_wheels(self):
        for name in ("licenses/LICENSE", "sboms/octavo.cdx.json"):
            self.make_wheels(METADATA, PAGE, BILL, without=name)
            self.assert_fault(f"has no {name}")

    def test_bills_are_whole_and_beside_wheels(self):
        self.make_wheels(METADATA, PAGE, BILL | {"components": []})
        self.assert_fault("the bill of materials is empty")
        bare = [{"type": "library", "name": "zip", "version": "1", "purl": "pkg:deb/debian/zip"}]
        self.make_wheels(METADATA, PAGE, BILL | {"components": bare})
        self.assert_fault("the bill of materials lacks licenses of zip")
        self.make_wheels(METADATA, PAGE, BILL)
        next(self.folder.glob("*.cdx.json")).write_text("{}")
        self.assert_fault("has another bill of materials")

    def test_sums_are_of_all_files(self):
        self.write(self.folder / "recipes/other", "")
        self.assertIn("SHA256SUMS is wrong about recipes/other", self.faults())

    def test_releases_of_one_commit_are_the_same(self):
        earlier = self.root / "earlier"
        self.write(earlier, (self.folder / "SHA256SUMS").read_text())
        for name, differs in (("octavo-1.2.3-oci.tar", False), ("CHANGES.md", True)):
            self.write(self.folder / name, "other")
            self.sum_up()
            self.assertEqual([f"{name} differs" in fault for fault in self.faults(earlier)], [True] * differs, name)
        for name in ("octavo-1.2.3.tar.gz", "recipes/homebrew/octavo.rb"):  # another commit, another address
            content = (self.folder / name).read_text()
            self.write(self.folder / name, "other")
            self.sum_up()
            self.assertEqual(self.faults(earlier), [], name)
            self.write(self.folder / name, content)


if __name__ == "__main__":
    unittest.main()
