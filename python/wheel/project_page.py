"""What a wheel says of the project: its addresses, and README.md as the page of the package.

Such a page has no files beside it. So the links of README.md to files become addresses of the project's own site: of files below
ADDRESS/blob/vVERSION/, of images below ADDRESS/raw/vVERSION/, where GitHub and GitLab have those of a tag. `./dev release ADDRESS` names
the address by OCTAVO_URL. A wheel that is made without it has README.md as it stands, and no addresses.

scikit-build-core calls dynamic_metadata (pyproject.toml, tool.dynamic-metadata).
"""

import os
import re
from pathlib import Path

# A link to a file, in Markdown or as an image in HTML; addresses and headings of this page are none.
LINK = re.compile(r'(\]\(|\bsrc=")(?!https?:|#)([^)"]+)')
IMAGES = (".jpg", ".png", ".svg")


def with_addresses(readme, address, version):
    """README.md with the links of one version of the project."""

    def addressed(link):
        start, file = link.groups()
        kind = "raw" if file.endswith(IMAGES) else "blob"
        return f"{start}{address}/{kind}/v{version}/{file}"

    return LINK.sub(addressed, readme)


def dynamic_metadata(_settings, project):
    """The fields `readme` and `urls` of the project."""
    readme = Path("README.md").read_text()
    address = os.environ.get("OCTAVO_URL", "").rstrip("/")
    if not address:
        return {"readme": {"text": readme, "content-type": "text/markdown"}, "urls": {}}
    version = project["version"]
    pages = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md", "Licences of parts": "docs/licences.md"}
    return {
        "readme": {"text": with_addresses(readme, address, version), "content-type": "text/markdown"},
        "urls": {"Homepage": address} | {name: f"{address}/blob/v{version}/{file}" for name, file in pages.items()},
    }
