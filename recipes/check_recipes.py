"""Checks the recipes of a release as far as PyPI has tools for them: conda's recipe is rendered with both outputs, and no recipe has a
word that is not filled in.

usage: check_recipes.py FOLDER VERSION URL      FOLDER holds the filled recipes; needs py-rattler-build
"""

import json
import re
import sys
import tempfile
from pathlib import Path

import rattler_build

# What conda-forge's own variants say.
VARIANTS = """
c_stdlib: [sysroot]
c_stdlib_version: ["2.34"]
cxx_compiler: [gxx]
cuda_compiler_version: [None]
python: ["3.12"]
"""


def faults_of_conda(folder, version, url):
    text = (folder / "conda-forge/recipe.yaml").read_text()
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as variants:
        variants.write(VARIANTS)
        variants.flush()
        rendered = rattler_build.Stage0Recipe.from_yaml(text).render(
            rattler_build.VariantConfig.from_file(variants.name)
        )
    found = {one.recipe.package.name: one.recipe for one in rendered}
    if set(found) != {"octavo", "python-octavo"}:
        return [f"conda-forge/recipe.yaml: the outputs are {', '.join(found)}"]
    return [
        f"conda-forge/recipe.yaml: {name} has the version {one.package.version} and the homepage {one.about.homepage}"
        for name, one in found.items()
        if (str(one.package.version), str(one.about.homepage).rstrip("/")) != (version, url.rstrip("/"))
    ]


def main(folder, version, url):
    faults = [
        f"{path.relative_to(folder)}: {word} is not filled in"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        for word in sorted(set(re.findall(r"@[A-Z0-9_]+@", path.read_text())))
    ]
    port = json.loads((folder / "vcpkg/vcpkg.json").read_text())
    faults += [f"vcpkg/vcpkg.json: no {key}" for key in ("name", "version", "homepage", "license") if not port.get(key)]
    faults += faults_of_conda(folder, version, url)
    print("\n".join(faults) or "the recipes are filled in")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), *sys.argv[2:])
