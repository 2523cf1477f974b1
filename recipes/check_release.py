"""Checks that a release is whole, and prints the table of its files with sizes and digests.

It is whole if all files are there, no package of Debian beside those that are installed, each wheel tells licence, authors and addresses,
the page of a wheel leads by absolute links to files that exist, each bill of materials names versions, licences and sources, and lies
beside its wheel as it is in it, SHA256SUMS has each file, and an earlier release of the same commit and address had the same bytes.

usage: check_release.py ROOT FOLDER URL [EARLIER]   URL is the address of the project; EARLIER is the SHA256SUMS of another release
"""

import hashlib
import json
import re
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

DEBIAN = ("octavo", "liboctavo0.1", "liboctavo-apps0.1", "liboctavo-dev", "python3-octavo", "octavo-doc")
MACHINES = ("x86_64", "aarch64")
# What a release of one day and one of another may have different: packages of Debian in the image, notes of the building.
OF_THE_DAY = ("-oci.tar", ".buildinfo", ".changes")


def expected(number):
    """Patterns of files, each of which stands for one."""
    wheels = [f"octavo-{number}-*_{machine}.{ending}" for machine in MACHINES for ending in ("whl", "cdx.json")]
    packages = [f"debian/{name}_{number}-*.deb" for name in DEBIAN]
    recipes = ["conda-forge/recipe.yaml", "vcpkg/vcpkg.json", "homebrew/octavo.rb", "oci/Containerfile"]
    return [
        *(f"octavo-{number}{ending}" for ending in (".tar.gz", "-oci.tar")),
        *("CHANGES.md", "SHA256SUMS"),
        *(wheels + packages + [f"recipes/{name}" for name in recipes]),
    ]


def faults_of_page(metadata, root, url):
    """Of the fields that a page shows, and of its links."""
    faults = [f"no {field}" for field in ("Author", "License-Expression", "Summary") if not metadata[field]]
    addresses = dict(one.split(", ") for one in metadata.get_all("Project-URL", []))
    if addresses.get("Homepage") != url:
        faults.append(f"the homepage is {addresses.get('Homepage')}")
    text = metadata.get_payload()
    links = re.findall(r'(?:\]\(|\bsrc=")([^)"]+)', text) + list(addresses.values())
    own = re.compile(re.escape(url) + rf"/(?:raw|blob)/v{re.escape(metadata['Version'])}/([^#]+)")
    for link in links:
        file = own.match(link)
        if not re.match("https?://", link):
            faults.append(f"the link {link} is not absolute")
        elif file and not (root / file[1]).exists():
            faults.append(f"the link {link} leads nowhere")
    return faults if any(map(own.match, links)) else [*faults, "no link leads to a file of the project"]


def faults_of_bill(bill, number):
    own = bill["metadata"]["component"]["version"]
    faults = [] if own == number else [f"the bill of materials is of version {own}"]
    libraries = [one for one in bill["components"] if one["type"] == "library"]
    return (
        faults
        + [
            f"the bill of materials lacks {field} of {one['name']}"
            for one in libraries
            for field in ("version", "licenses", "purl")
            if not one.get(field)
        ]
        + ([] if libraries else ["the bill of materials is empty"])
    )


def faults_of_wheel(wheel, root, number, url):
    with zipfile.ZipFile(wheel) as archive:
        names = {name.partition(".dist-info/")[2]: name for name in archive.namelist() if ".dist-info/" in name}
        missing = [name for name in ("METADATA", "licenses/LICENSE", "sboms/octavo.cdx.json") if name not in names]
        if missing:
            return [f"has no {name}" for name in missing]
        metadata = message_from_bytes(archive.read(names["METADATA"]))
        bill = archive.read(names["sboms/octavo.cdx.json"])
    faults = [] if metadata["Version"] == number else [f"is of version {metadata['Version']}"]
    beside = wheel.with_suffix(".cdx.json")
    if beside.exists() and beside.read_bytes() != bill:
        faults.append(f"has another bill of materials than {beside.name}")
    return faults + faults_of_page(metadata, root, url) + faults_of_bill(json.loads(bill), number)


def sums_of(file):
    return {name: digest for digest, name in (line.split("  ") for line in file.read_text().splitlines())}


def faults_of_sums(folder, files):
    listed = sums_of(folder / "SHA256SUMS")
    found = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in files if name != "SHA256SUMS"}
    return [
        f"SHA256SUMS is wrong about {name}" for name in sorted({*listed, *found}) if listed.get(name) != found.get(name)
    ]


def differences(sums, earlier, number):
    """Between two releases of one commit and address, which the archive and a recipe tell."""
    if any(sums.get(name) != earlier.get(name) for name in (f"octavo-{number}.tar.gz", "recipes/homebrew/octavo.rb")):
        return []
    return [
        f"{name} differs from that of the release before, which was of the same commit"
        for name in sorted({*sums, *earlier})
        if sums.get(name) != earlier.get(name) and not name.endswith(OF_THE_DAY)
    ]


def faults_of(root, folder, url, earlier):
    number = re.search(r"^project\(octavo VERSION ([0-9.]*)", (root / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
    files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    faults = [f"{one}: there is not exactly one" for one in expected(number) if len(list(folder.glob(one))) != 1]
    faults += [
        f"debian/{file.name}: README.md installs all packages of this folder"
        for file in sorted(folder.glob("debian/*.deb"))
        if file.name.partition("_")[0] not in DEBIAN
    ]
    for wheel in sorted(folder.glob("*.whl")):
        faults += [f"{wheel.name}: {fault}" for fault in faults_of_wheel(wheel, root, number, url)]
    if "SHA256SUMS" in files:
        faults += faults_of_sums(folder, files)
        if earlier and earlier.exists():
            faults += differences(sums_of(folder / "SHA256SUMS"), sums_of(earlier), number)
    return faults


def table(folder):
    return "\n".join(
        f"{(folder / name).stat().st_size:>12,}  {digest}  {name}"
        for name, digest in sums_of(folder / "SHA256SUMS").items()
    )


def main(root, folder, url, earlier=None):
    root, folder = Path(root), Path(folder)
    faults = faults_of(root, folder, url, earlier and Path(earlier))
    if (folder / "SHA256SUMS").exists():
        print(f"{'bytes':>12}  {'SHA-256':64}  file\n{table(folder)}")
    sys.exit("\n".join(f"check_release.py: {fault}" for fault in faults) or None)


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
