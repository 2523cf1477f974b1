"""Tests of check_docs.py."""

import tempfile
import unittest
from pathlib import Path

from check_docs import anchors_of, broken_links, unnamed_records


class CheckDocs(unittest.TestCase):
    def test_headings_have_the_names_that_github_gives_them(self):
        text = "# How it works\n## `--to ply`, and [more](a.md)\n```sh\n# no heading\n```\n## Near-duplicates\n## How it works\n"
        self.assertEqual(anchors_of(text), ["how-it-works", "--to-ply-and-more", "near-duplicates", "how-it-works-1"])

    def test_links_lead_to_files_and_headings(self):
        with tempfile.TemporaryDirectory() as folder:
            page, other = Path(folder) / "a.md", Path(folder) / "b.md"
            other.write_text("# B\n## Options\n")
            page.write_text(
                "# A\n[b](b.md), [its options](b.md#options), [here](#a), [far](https://example.org/#x)\n"
                "[c](c.md), [gone](b.md#gone), [nowhere](#nowhere)\n"
            )
            self.assertEqual(
                [fault.removeprefix(f"{page}: ") for fault in broken_links(page)],
                ["no file c.md", "no heading #gone in b.md", "no heading #nowhere in this page"],
            )

    def test_records_that_no_page_names_are_told(self):
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            (root / "docs").mkdir()
            (root / "bench/results").mkdir(parents=True)
            for record in ("2026-01-01-a", "2026-01-01-a-cpu", "2026-01-01-b"):
                (root / f"bench/results/{record}.json").touch()
            (root / "README.md").write_text("`2026-01-01-a-cpu.json`\n")
            (root / "docs/page.md").write_text("`…-b.json`\n")
            (fault,) = unnamed_records(root)
            self.assertIn("does not name 2026-01-01-a,", fault)
            (root / "bench/results/README.md").write_text("| `2026-01-01-a` | more |\n")
            self.assertEqual(unnamed_records(root), [])


if __name__ == "__main__":
    unittest.main()
