"""Images of phones: AVIF as Pillow writes it and HEIC, with rotation, focal length and place; TIFF with the same data."""

import json
import sqlite3
import struct

import numpy as np
import pytest
from PIL import ExifTags, Image, features
from PIL.TiffImagePlugin import IFDRational

from features import from_json, share_with_partner

PLACE = {1: "S", 2: tuple(map(IFDRational, (33, 51, 24))), 3: "W", 4: tuple(map(IFDRational, (70, 0, 36)))}


def exif_of(orientation=1, place=None):
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    exif[ExifTags.Base.Make] = "Phone"  # Pillow leaves out data that have nothing but directories
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FocalLengthIn35mmFilm] = 26
    if place is not None:
        exif.get_ifd(ExifTags.IFD.GPSInfo).update(place)
    return exif


@pytest.fixture
def image(texture):
    if not features.check("avif"):
        pytest.skip("lacks a Pillow that writes AVIF")
    return Image.fromarray(np.stack([texture(240, 160)] * 3, -1))


def save(image, path, **options):
    image.save(path, quality=100, subsampling="4:4:4", **options)


@pytest.mark.parametrize(
    "orientation, turn",
    [
        (3, Image.Transpose.ROTATE_180),
        (6, Image.Transpose.ROTATE_270),
        (8, Image.Transpose.ROTATE_90),
        (2, Image.Transpose.FLIP_LEFT_RIGHT),
    ],
)
def test_an_image_is_turned_once(octavo, image, orientation, turn):
    """Pillow writes the rotation into the container, where decoders find it."""
    save(image, octavo.folder / "phone.avif", exif=exif_of(orientation))
    image.transpose(turn).save(octavo.folder / "upright.png")
    turned = from_json(octavo("extract", "phone.avif", "--json"))
    upright = from_json(octavo("extract", "upright.png", "--json"))
    assert share_with_partner(upright, turned) > 0.9 and len(upright) > 50


def test_the_focal_length_and_the_place_of_an_avif_are_known(octavo, image):
    for name in ("a.avif", "b.avif"):
        save(image, octavo.folder / name, exif=exif_of(place=PLACE))
    found = json.loads(octavo("pairs", ".", "--by", "gps", "--json"))
    assert [(pair["image_a"], pair["image_b"], pair["metres"]) for pair in found["pairs"]] == [("a.avif", "b.avif", 0)]
    # Without a focal length this is a wrong call. Equal images have no essential matrix.
    assert "no essential matrix" in octavo.error(1, "match", "a.avif", "b.avif", "--verify", "essential")


def test_the_camera_of_a_tiff_is_known(octavo, texture):
    """EXIF data as Pillow writes them."""
    image = Image.fromarray(np.stack([texture(240, 160)] * 3, -1))
    for name in ("a.tif", "b.tif"):
        image.save(octavo.folder / name, exif=exif_of(place=PLACE).tobytes())  # Pillow drops directories of an Exif
    with Image.open(octavo.folder / "a.tif") as stored:
        assert stored.getexif().get_ifd(ExifTags.IFD.GPSInfo)[2] == PLACE[2]
    found = json.loads(octavo("pairs", ".", "--by", "gps", "--json"))
    assert [(pair["image_a"], pair["image_b"], pair["metres"]) for pair in found["pairs"]] == [("a.tif", "b.tif", 0)]
    octavo("colmap", "a.tif", "b.tif", "-d", "a.db")
    with sqlite3.connect(octavo.folder / "a.db") as database:
        (row,) = database.execute("SELECT params, prior_focal_length FROM cameras LIMIT 1")
        places = database.execute("SELECT prior_tx, prior_ty FROM images").fetchall()
    assert row[1] == 1
    assert struct.unpack("4d", row[0])[0] == pytest.approx(26 * np.hypot(240, 160) / np.hypot(36, 24))
    assert places == [pytest.approx((-33.8566667, -70.01), abs=1e-6)] * 2


def test_a_cut_avif_is_refused(octavo, image):
    save(image, octavo.folder / "whole.avif")
    whole = (octavo.folder / "whole.avif").read_bytes()
    for part in (0.1, 0.5, 0.9, 0.999):
        (octavo.folder / "cut.avif").write_bytes(whole[: int(part * len(whole))])
        assert "cut.avif" in octavo.error(1, "extract", "cut.avif")
