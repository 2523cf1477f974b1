"""Tests of check_docs.py."""

import tempfile
import unittest
from pathlib import Path

from check_docs import anchors_of, broken_links


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


if __name__ == "__main__":
    unittest.main()
