"""octavo mosaic keeps what the photographs say of their colours, their camera and their place."""

import cv2
import numpy as np
import pytest
from PIL import Image, ImageCms

from test_mosaic import scene

FEATURES = ["--max-features", 1500]
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def profile_of(file):
    if file.suffix != ".tif":
        return Image.open(file).info.get("icc_profile")
    return Image.open(file).tag_v2.get(34675)


def photographs(folder, ending=".png", **options):
    """Two that overlap; lists of options give each its own."""
    whole = scene(360, 200)[..., ::-1]
    names = [f"{i}{ending}" for i in range(2)]
    for i, name in enumerate(names):
        own = {key: value[i] if isinstance(value, list) else value for key, value in options.items()}
        Image.fromarray(np.ascontiguousarray(whole[:, 140 * i : 140 * i + 220])).save(folder / name, quality=95, **own)
    return names


@pytest.mark.parametrize("ending", [".jpg", ".png", ".tif"])
def test_a_common_profile_stays(octavo, ending):
    names = photographs(octavo.folder, ending, icc_profile=SRGB)
    plain = photographs(octavo.folder, ".webp", lossless=True)
    for output in ("all.jpg", "all.png", "all.tif"):
        octavo("mosaic", *names, "-o", output, *FEATURES)
        assert profile_of(octavo.folder / output) == SRGB
        octavo("mosaic", *plain, "-o", output, *FEATURES)
        assert not profile_of(octavo.folder / output)
    octavo("mosaic", *names, "-o", "all.webp", *FEATURES)
    assert cv2.imread(str(octavo.folder / "all.webp")) is not None
