"""octavo mosaic keeps what the photographs say of their colours, their camera and their place."""

import io
import json
import re
import struct

import cv2
import numpy as np
import pytest
from PIL import ExifTags, Image, ImageCms
from PIL.TiffImagePlugin import IFDRational

from test_mosaic import scene
from test_mosaic_turns import CAP, take_images

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


@pytest.mark.slow
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


def exif_of(second, lens, orientation=1):
    exif = Image.Exif()
    exif[ExifTags.Base.Make] = "Acme"
    exif[ExifTags.Base.Model] = "One"
    exif[ExifTags.Base.Orientation] = orientation
    exif[ExifTags.Base.DateTime] = f"2026:01:02 10:20:{second}"
    photograph = exif.get_ifd(ExifTags.IFD.Exif)
    photograph[ExifTags.Base.DateTimeOriginal] = f"2026:01:02 10:20:{second}"
    photograph[ExifTags.Base.FocalLength] = IFDRational(28, 10)
    photograph[ExifTags.Base.FocalLengthIn35mmFilm] = 26
    photograph[ExifTags.Base.LensModel] = lens
    photograph[ExifTags.Base.ExifImageWidth] = 220
    place = {1: "S", 2: tuple(map(IFDRational, (33, 51, 24))), 3: "W", 4: tuple(map(IFDRational, (70, 0, 36)))}
    exif.get_ifd(ExifTags.IFD.GPSInfo).update(place)
    return exif.tobytes()  # Pillow drops directories of an Exif that it writes into a TIFF


@pytest.mark.parametrize("ending", [".jpg", ".png", ".tif"])
def test_camera_date_and_place_stay(octavo, ending):
    names = photographs(octavo.folder, ending, exif=[exif_of(30, "wide"), exif_of(31, "tele")])
    for output in ("all.jpg", "all.png", "all.tif"):
        plan = json.loads(octavo("mosaic", *names, "-o", output, "--json", *FEATURES))
        image = Image.open(octavo.folder / output)
        exif = image.getexif()
        second = 30 + names.index(plan["reference"])
        assert (exif[ExifTags.Base.Make], exif[ExifTags.Base.Model]) == ("Acme", "One")
        assert exif[ExifTags.Base.Orientation] == 1
        assert exif[ExifTags.Base.DateTime] == f"2026:01:02 10:20:{second}"
        photograph = exif.get_ifd(ExifTags.IFD.Exif)
        assert photograph[ExifTags.Base.DateTimeOriginal] == f"2026:01:02 10:20:{second}"
        assert photograph[ExifTags.Base.FocalLength] == 2.8
        size = photograph[ExifTags.Base.ExifImageWidth], photograph[ExifTags.Base.ExifImageHeight]
        assert size == image.size == (plan["canvas"]["width"], plan["canvas"]["height"])
        # The lenses differ, and the mosaic has another angle of view.
        assert ExifTags.Base.LensModel not in photograph and ExifTags.Base.FocalLengthIn35mmFilm not in photograph
        assert exif.get_ifd(ExifTags.IFD.GPSInfo) == {1: "S", 2: (33, 51, 24), 3: "W", 4: (70, 0, 36)}
    loaded = json.loads(octavo("pairs", "all.jpg", "all.tif", "all.png", "--by", "gps", "--json"))
    assert len(loaded["pairs"]) == 3


def test_photographs_that_lie_on_their_side_become_an_upright_mosaic(octavo):
    names = photographs(octavo.folder, ".jpg", exif=exif_of(30, "wide", orientation=6))
    octavo("mosaic", *names, "-o", "all.jpg", *FEATURES)
    image = Image.open(octavo.folder / "all.jpg")
    assert image.getexif()[ExifTags.Base.Orientation] == 1 and image.height > image.width


def panorama_of(file):
    """The properties of GPano."""
    image = Image.open(file)
    xmp = image.tag_v2.get(700) if file.suffix == ".tif" else image.info.get("xmp")
    found = re.findall(rb'GPano:(\w+)="(\w+)"', xmp or b"")
    return {name.decode(): value.decode() for name, value in found}


@pytest.mark.slow
def test_viewers_know_what_part_of_the_sphere_a_panorama_is(octavo):
    names, _ = take_images(octavo.folder, CAP)
    for output in ("all.jpg", "all.png", "all.tif"):
        canvas = json.loads(octavo("mosaic", *names, "-o", output, "--json", *FEATURES))["canvas"]
        panorama = panorama_of(octavo.folder / output)
        assert panorama["ProjectionType"] == "equirectangular" and panorama["UsePanoramaViewer"] == "True"
        names_of_numbers = ("CroppedAreaImageWidth", "CroppedAreaImageHeight", "FullPanoWidth", "FullPanoHeight")
        numbers = [int(panorama[f"{name}Pixels"]) for name in names_of_numbers]
        assert numbers == [canvas["width"], canvas["height"], canvas["width"], canvas["width"] // 2]
        # A cap around what is straight above begins at the left and at the top.
        assert panorama["CroppedAreaLeftPixels"] == panorama["CroppedAreaTopPixels"] == "0"
    octavo("mosaic", *photographs(octavo.folder), "-o", "plane.jpg", *FEATURES)
    assert panorama_of(octavo.folder / "plane.jpg") == {}


def wide_gamut():
    """The profile of sRGB with the primaries of Display P3, relative to the white of D50."""
    profile = bytearray(SRGB)
    primaries = {b"rXYZ": (0.51512, 0.2412, -0.00105), b"gXYZ": (0.29198, 0.69225, 0.04189)}
    primaries[b"bXYZ"] = (0.1571, 0.06657, 0.78407)
    for i in range(struct.unpack(">I", profile[128:132])[0]):
        name, offset, _ = struct.unpack(">4sII", profile[132 + 12 * i : 144 + 12 * i])
        if name in primaries:
            struct.pack_into(">3i", profile, offset + 8, *(round(value * 65536) for value in primaries[name]))
    return bytes(profile)


def test_colours_of_several_profiles_become_those_of_one(octavo):
    """The second image shows the same colours by a profile of its own."""
    wide, whole = wide_gamut(), Image.fromarray(np.ascontiguousarray(scene(480, 200)[..., ::-1]))
    second = ImageCms.profileToProfile(
        whole, ImageCms.ImageCmsProfile(io.BytesIO(SRGB)), ImageCms.ImageCmsProfile(io.BytesIO(wide))
    )
    assert np.abs(np.asarray(second, float) - whole).mean() > 3
    for i, (image, profile) in enumerate([(whole, None), (second, wide), (whole, None)]):
        image.crop((130 * i, 0, 130 * i + 220, 200)).save(octavo.folder / f"{i}.png", icc_profile=profile)
    octavo("mosaic", "0.png", "1.png", "2.png", "-o", "all.png", "--exposure", "off", *FEATURES)
    mosaic = Image.open(octavo.folder / "all.png")
    assert profile_of(octavo.folder / "all.png") is None and mosaic.size == (480, 200)
    assert np.abs(np.asarray(mosaic.convert("RGB"), float) - whole).mean() < 2
    octavo("mosaic", "1.png", "2.png", "-o", "all.png", "--exposure", "off", *FEATURES)
    assert profile_of(octavo.folder / "all.png") == wide
    mosaic = np.asarray(Image.open(octavo.folder / "all.png").convert("RGB"), float)
    assert np.abs(mosaic - np.asarray(second)[:, 130:]).mean() < 2
