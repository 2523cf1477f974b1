"""The site that `./dev docs` makes: complete, and of use without a network."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Octavo
from test_call import COMMANDS

ROOT = Path(__file__).parents[2]
ENVIRONMENT = ROOT / "build" / "docs" / "environment"
PACKAGE = ROOT / "build" / "wheel" / "site"
sys.path.append(str(ROOT / "docs" / "site"))
import written_pages  # noqa: E402


def test_the_navigation_is_that_of_the_index(tmp_path):
    (tmp_path / "docs" / "deep").mkdir(parents=True)
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/a.md", "docs/deep/b.md", "docs/d.md"):
        (tmp_path / name).touch()
    index = "# All\n\nSee [d](d.md).\n\n## Jobs\n\n* [making](a.md#how): see [b](deep/b.md), [a](a.md), [x](x.md)\n\nand [c](c.md)\n\n"
    (tmp_path / "docs" / "index.md").write_text(index + "## House\n\n* [Changes](../CHANGELOG.md)\n")
    assert written_pages.navigation(tmp_path) == [
        {"Octavo": [{"Octavo": "README.md"}, {"Pages": "docs/index.md"}, {"D": "docs/d.md"}]},
        {"Jobs": [{"Making": "docs/a.md"}, {"B": "docs/deep/b.md"}]},
        {"House": [{"Changes": "CHANGELOG.md"}]},
    ]


def test_links_out_of_the_site_become_text(tmp_path):
    (tmp_path / "docs").mkdir()
    text = "[a](a.md#x), [the tests](../tests/t.py), [../dev](../dev), ![i](images/i.png), [w](https://w)\n"
    told = written_pages.without_outside_links(text, Path("docs/b.md"), tmp_path, {tmp_path / "docs" / "a.md"})
    assert told == "[a](a.md#x), the tests (`tests/t.py`), ../dev, ![i](images/i.png), [w](https://w)\n"
    code = "```cpp\nauto f = [a](b);\n```"
    assert written_pages.without_outside_links(code, Path("docs/b.md"), tmp_path, set()) == code


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site."""
    for path, what in (
        (ENVIRONMENT, "MkDocs; ./dev docs installs it"),
        (PACKAGE, "the Python package that ./dev test builds"),
    ):
        if not path.exists():
            pytest.skip(f"lacks {what}")
    if shutil.which("doxygen") is None:
        pytest.skip("lacks doxygen, of Debian's package doxygen")
    folder = tmp_path_factory.mktemp("docs")
    with open(folder / "reference.md", "w") as page:
        script = ROOT / "python" / "documentation" / "make_reference.py"
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
        subprocess.run([sys.executable, script], stdout=page, env=environment, check=True, timeout=60)
    command = [ENVIRONMENT / "bin" / "python", ROOT / "docs" / "site" / "make_site.py"]
    command += [Octavo(folder).path, folder / "reference.md", folder]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, ""), done
    return folder / "site"


@pytest.mark.slow
def test_it_needs_no_network(site):
    """Nothing that a browser loads with a page stands elsewhere."""
    elsewhere = re.compile(
        r"""<(?:script|link|img|iframe|source|object)\b[^>]*\b(?:src|href|data)=["']?(?:https?:)?//[^>]*>"""
        r"""|(?:url\(|@import\s)\s*["']?(?:https?:)?//[^)]*"""
    )
    loaded = [path for ending in ("html", "css") for path in site.rglob(f"*.{ending}")]
    assert len(loaded) > 100
    found = {path.name: elsewhere.findall(path.read_text()) for path in loaded}
    assert {name: resources for name, resources in found.items() if resources} == {}


@pytest.mark.slow
def test_all_pages_are_there(site):
    home = (site / "index.html").read_text()
    for command in COMMANDS:
        name = "-".join(["octavo", *command.split()])
        assert f'href="commands/{name}.html"' in home
        assert f'<h1 id="{name}">octavo' in (site / "commands" / f"{name}.html").read_text()
    for page in written_pages.sources(ROOT):
        name = "index.html" if page.name == "README.md" else page.with_suffix(".html").as_posix()
        assert (site / name).exists() and f'href="{name}"' in home.replace('href="./', 'href="'), name
    assert "octavo.video.Archive" in (site / "docs" / "python-reference.html").read_text()
    headers = (site / "cpp-reference.html").read_text()
    for header in (ROOT / "include" / "octavo").rglob("*.h"):
        assert f"{header.relative_to(ROOT / 'include')}</code>" in headers
    assert "Matcher" in (site / "cpp" / "annotated.html").read_text()


@pytest.mark.slow
def test_a_page_of_a_command_has_its_options_and_examples(site):
    text = (site / "commands" / "octavo-match.html").read_text()
    assert re.search(r"<td><code>--ratio</code></td>\s*<td>0\.8</td>\s*<td>0\.0001 … 1</td>", text)
    assert '<h2 id="examples">' in text
    assert 'href="../docs/schemas/match.json"' in text and (site / "docs" / "schemas" / "match.json").exists()


@pytest.mark.slow
def test_the_search_works_in_files(site, chromium):
    from selenium.webdriver.support.ui import WebDriverWait

    chromium.get(f"file://{site}/index.html")
    field = chromium.find_element("css selector", "input.md-search__input")
    chromium.execute_script("document.getElementById('__search').click()")
    field.send_keys("trilateral")
    found = WebDriverWait(chromium, 30).until(
        lambda browser: browser.execute_script(
            "return [...document.querySelectorAll('a.md-search-result__link')].map((a) => a.getAttribute('href'))"
        )
    )
    assert any("trilateral" in address for address in found)
    assert [entry for entry in chromium.get_log("browser") if entry["level"] == "SEVERE"] == []
