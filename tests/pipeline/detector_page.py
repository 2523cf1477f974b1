"""What docs/adding-an-algorithm.md says to do outside of a detector's folder, done by the letter."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(sh|diff)\n(.*?)^```\n", re.DOTALL | re.MULTILINE)


def run(*command, **named):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **named)
    assert done.returncode == 0, done.stdout[-6000:]
    return done.stdout


def follow(source):
    """Does in a copy of the sources what the page says."""
    page = (ROOT / "docs/adding-an-algorithm.md").read_text()
    blocks = BLOCK.findall(page[page.index("## Outside the folder") :])
    assert [language for language, _ in blocks] == ["sh", "diff"]
    for language, text in blocks:
        command = ["sh", "-e"] if language == "sh" else ["patch", "-p1", "--fuzz=0"]
        told = run(*command, cwd=source, input=text)
        assert "offset" not in told, f"the patch is not that of these lines, and leaves .orig files:\n{told}"
