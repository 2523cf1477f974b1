"""One image in every file format. The keypoints are the same, or close if the format is lossy."""

import cv2
import numpy as np
import pytest
from PIL import Image, ImageOps

from features import from_json, share_with_partner


@pytest.fixture
def keypoints(octavo):
    def extract(path, *options):
        return from_json(octavo("extract", path, "--json", *options))

    return extract


@pytest.fixture
def colour(texture):
    """An image whose red, green and blue channels differ."""
    return np.stack([texture(seed=seed) for seed in (1, 2, 3)], axis=-1)


@pytest.mark.parametrize(
    "name, options",
    [
        ("colour.tif", {}),
        ("colour.tiff", {"compression": "tiff_lzw"}),
        ("colour.webp", {"lossless": True}),
        ("colour.ppm", {}),
        ("colour.bmp", {}),
    ],
)
def test_lossless_colour(octavo, colour, keypoints, name, options):
    Image.fromarray(colour).save(octavo.folder / "colour.png")
    Image.fromarray(colour).save(octavo.folder / name, **options)
    wanted = keypoints("colour.png")
    assert len(wanted) > 20
    np.testing.assert_array_equal(keypoints(name), wanted)


@pytest.mark.parametrize(
    "name, options, least_share",
    [("colour.jp2", {}, 1), ("colour.avif", {"quality": 100, "subsampling": "4:4:4"}, 0.9)],
)
def test_formats_of_optional_libraries(octavo, colour, keypoints, name, options, least_share):
    Image.fromarray(colour).save(octavo.folder / "colour.png")
    Image.fromarray(colour).save(octavo.folder / name, **options)
    if "was built without" in (complaint := octavo.call("extract", name).stderr):
        pytest.skip(f"lacks a library: {complaint}")
    wanted, found = keypoints("colour.png"), keypoints(name)
    assert len(wanted) > 20
    assert share_with_partner(wanted, found) >= least_share
    assert share_with_partner(found, wanted) >= least_share


@pytest.mark.parametrize("name", ["grey.tif", "grey.pgm", "grey.bmp"])
def test_lossless_grey(octavo, texture, keypoints, name):
    Image.fromarray(texture()).save(octavo.folder / "grey.png")
    Image.fromarray(texture()).save(octavo.folder / name)
    np.testing.assert_array_equal(keypoints(name), keypoints("grey.png"))


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_what_alpha_hides_has_no_keypoints(octavo, colour, texture, keypoints, mode):
    opaque = Image.fromarray(colour if mode == "RGBA" else texture())
    opaque.save(octavo.folder / "opaque.png")
    with_alpha = opaque.convert(mode)
    alpha = texture(seed=9)
    with_alpha.putalpha(Image.fromarray(alpha))
    with_alpha.save(octavo.folder / "alpha.png")
    everything = keypoints("opaque.png")
    columns, rows = np.floor(everything[:, :2] + 0.5).astype(int).T
    shown = alpha[rows, columns] >= 128
    assert 0 < shown.sum() < len(everything)
    np.testing.assert_array_equal(keypoints("alpha.png"), everything[shown])


def test_palette(octavo, texture, keypoints):
    few = Image.fromarray(texture()).quantize(16)
    few.save(octavo.folder / "palette.png")
    few.convert("RGB").save(octavo.folder / "colour.png")
    wanted = keypoints("colour.png")
    for name in ("palette.png", "palette.gif"):
        few.save(octavo.folder / name)
        if "was built without" in (complaint := octavo.call("extract", name).stderr):
            pytest.skip(f"lacks a library: {complaint}")
        np.testing.assert_array_equal(keypoints(name), wanted)


@pytest.mark.parametrize(
    "name, options",
    [("many.png", {}), ("many.tif", {}), ("many.webp", {"lossless": True}), ("many.gif", {"disposal": 2})],
)
def test_of_several_images_the_first_is_read(octavo, texture, keypoints, name, options):
    pages = [Image.fromarray(texture(seed=seed)).quantize(64).convert("RGB") for seed in (1, 2, 3)]
    pages[0].save(octavo.folder / "first.png")
    pages[0].save(octavo.folder / name, save_all=True, append_images=pages[1:], **options)
    with Image.open(octavo.folder / name) as written:
        assert written.n_frames == 3
    if "was built without" in (complaint := octavo.call("extract", name).stderr):
        pytest.skip(f"lacks a library: {complaint}")
    wanted = keypoints("first.png")
    assert len(wanted) > 20
    np.testing.assert_array_equal(keypoints(name), wanted)


@pytest.mark.parametrize("name", ["deep.png", "deep.tif", "deep.pgm"])
def test_16_bits(octavo, texture, keypoints, name):
    # v / 255 = 257 v / 65535, so the images differ at most in the last bit of each float.
    Image.fromarray(texture()).save(octavo.folder / "grey.png")
    assert cv2.imwrite(str(octavo.folder / name), texture().astype(np.uint16) * 257)
    wanted, found = keypoints("grey.png"), keypoints(name)
    assert share_with_partner(wanted, found, 0.01, 1.001) >= 0.98
    assert share_with_partner(found, wanted, 0.01, 1.001) >= 0.98


def test_16_bits_keep_their_precision(octavo, texture, keypoints):
    # An image of very low contrast: its grey levels span 765 of 65535, which is three levels in 8 bits.
    faint = np.rint(30000 + texture().astype(np.float64) * 3).astype(np.uint16)
    assert cv2.imwrite(str(octavo.folder / "faint.png"), faint)
    Image.fromarray(texture()).save(octavo.folder / "grey.png")
    found = keypoints(
        "faint.png", "--range", "full", "--preset", "opencv", "--contrast-threshold", 0.04 * 3 * 255 / 65535
    )
    assert share_with_partner(keypoints("grey.png", "--preset", "opencv"), found, 0.2, 1.05) >= 0.9


@pytest.mark.parametrize("black, white", [(0, 1), (-2, 3)])
def test_float_tiff(octavo, texture, keypoints, black, white):
    # Floats outside 0 to 1 are scaled linearly to this range, so the 8-bit image must use its whole range too.
    image = cv2.normalize(texture(), None, 0, 255, cv2.NORM_MINMAX)
    Image.fromarray(image).save(octavo.folder / "grey.png")
    stretched = black + (white - black) * (image / 255)
    Image.fromarray(stretched.astype(np.float32)).save(octavo.folder / "float.tif")
    wanted, found = keypoints("grey.png"), keypoints("float.tif")
    assert share_with_partner(wanted, found, 0.01, 1.001) >= 0.98
    assert share_with_partner(found, wanted, 0.01, 1.001) >= 0.98


def test_float_tiff_that_is_no_image(octavo):
    Image.fromarray(np.full((64, 64), np.nan, np.float32)).save(octavo.folder / "nan.tif")
    assert "'nan.tif': all its samples are missing" in octavo.error(1, "extract", "nan.tif")


def kelvin(grey):
    return 273 + grey.astype(np.float32) / 10


DIM = {
    "bits10.png": lambda grey: (grey.astype(np.uint32) * 1023 // 255).astype(np.uint16),
    "bits12.tif": lambda grey: (grey.astype(np.uint32) * 4095 // 255).astype(np.uint16),
    "offset.png": lambda grey: grey.astype(np.uint16) + 21000,
    "kelvin.tif": kelvin,
    "int32.tif": lambda grey: grey.astype(np.int32) * 1000,
    "hot.tif": lambda grey: np.where(
        np.arange(grey.size).reshape(grey.shape) == 99, np.float32(1e6), grey / np.float32(255)
    ),
    "nan.tif": lambda grey: np.where(
        np.arange(grey.size).reshape(grey.shape) == 99, np.float32("nan"), grey / np.float32(255)
    ),
    "missing.tif": lambda grey: np.where(
        np.arange(grey.size).reshape(grey.shape) < 200, np.float32(-9999), grey / np.float32(255)
    ),
}


@pytest.mark.parametrize("name", DIM)
def test_values_that_do_not_fill_the_range(octavo, texture, keypoints, name):
    grey = cv2.normalize(texture(), None, 0, 255, cv2.NORM_MINMAX)
    Image.fromarray(grey).save(octavo.folder / "grey.png")
    Image.fromarray(DIM[name](grey)).save(octavo.folder / name)
    wanted = keypoints("grey.png")
    assert len(wanted) > 20
    assert len(keypoints(name)) == pytest.approx(len(wanted), rel=0.06)


def test_the_range_can_be_given(octavo, texture, keypoints):
    Image.fromarray(DIM["bits10.png"](texture())).save(octavo.folder / "dim.png")
    stored = octavo.call("extract", "dim.png", "--range", "full", "--json")
    assert "dim.png: no keypoints: it has little contrast" in stored.stderr
    assert '"keypoints":[]' in stored.stdout
    np.testing.assert_array_equal(keypoints("dim.png", "--white", 1023), keypoints("dim.png"))
    assert len(keypoints("dim.png", "--white", 4095)) < len(keypoints("dim.png"))
    assert "--white is 3, but must be above --black, 7" in octavo.error(
        2, "extract", "dim.png", "--black", 7, "--white", 3
    )
    assert '--range is "full", but must be image beside --black' in octavo.error(
        2, "align", "dim.png", "dim.png", "--white", 9, "--range", "full"
    )


def test_no_keypoints_have_a_reason(octavo):
    Image.fromarray(np.full((60, 80), 7, np.uint8)).save(octavo.folder / "flat.png")
    assert octavo.call("extract", "flat.png").stderr == "octavo: flat.png: no keypoints: all its samples are 7\n"
    seen = np.random.default_rng(1).integers(0, 256, (60, 80, 2), np.uint8)
    for alpha in (0, 100):
        seen[..., 1] = alpha
        Image.fromarray(seen, "LA").save(octavo.folder / "clear.png")
        told = octavo.call("extract", "clear.png").stderr
        assert told == "octavo: clear.png: no keypoints: its alpha channel hides all of it\n"
    Image.fromarray(np.zeros((60, 80), np.uint8)).save(octavo.folder / "none.png")
    told = octavo.call("extract", "flat.png", "--mask", "none.png").stderr
    assert told == "octavo: flat.png: no keypoints: the mask, or an alpha channel, hides all of it\n"


@pytest.mark.parametrize("name", ["bits10.png", "kelvin.tif"])
def test_results_have_the_values_of_the_file(octavo, texture, name):
    grey, dim = texture(), DIM[name]
    for part, left in (("a", 0), ("b", 40)):
        Image.fromarray(dim(grey)[:, left : left + grey.shape[1] - 40]).save(octavo.folder / (part + name))
    octavo("filter", "trilateral", "a" + name, "--output", "filtered" + name)
    octavo("align", "a" + name, "b" + name, "--output", "aligned" + name)
    step = float(dim(np.uint8([1]))[0]) - float(dim(np.uint8([0]))[0])
    for result, original in (("filtered", dim(grey)[:, :-40]), ("aligned", dim(grey))):
        found = cv2.imread(str(octavo.folder / (result + name)), cv2.IMREAD_UNCHANGED).astype(float)
        found = found[..., 0] if found.ndim == 3 else found
        assert found.shape == pytest.approx(original.shape, abs=2)
        rows, columns = (slice(20, side - 20) for side in np.minimum(found.shape, original.shape))
        assert np.median(np.abs(found[rows, columns] - original[rows, columns])) < 12 * step, result


def test_cmyk_jpeg(octavo, colour, keypoints):
    cmyk = Image.fromarray(colour).convert("CMYK")
    cmyk.save(octavo.folder / "cmyk.jpg", quality=100, subsampling=0)
    cmyk.convert("RGB").save(octavo.folder / "colour.png")
    wanted, found = keypoints("colour.png"), keypoints("cmyk.jpg")
    assert len(wanted) > 20
    assert share_with_partner(wanted, found) >= 0.9
    assert share_with_partner(found, wanted) >= 0.9


def test_jpeg(octavo, colour, keypoints):
    for name, image in (("colour", Image.fromarray(colour)), ("grey", Image.fromarray(colour).convert("L"))):
        image.save(octavo.folder / f"{name}.png")
        image.save(octavo.folder / f"{name}.jpg", quality=95, subsampling=0)
        assert share_with_partner(keypoints(f"{name}.png"), keypoints(f"{name}.jpg")) >= 0.9


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_rotation(octavo, texture, keypoints, orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.fromarray(texture()).save(octavo.folder / "noted.jpg", quality=95, exif=exif)
    with Image.open(octavo.folder / "noted.jpg") as noted:
        noted.load()
        ImageOps.exif_transpose(noted).save(octavo.folder / "turned.png", exif=Image.Exif())
        Image.fromarray(np.asarray(noted)).save(octavo.folder / "stored.png")
    np.testing.assert_array_equal(keypoints("noted.jpg"), keypoints("turned.png"))
    np.testing.assert_array_equal(keypoints("noted.jpg", "--no-exif-rotation"), keypoints("stored.png"))
