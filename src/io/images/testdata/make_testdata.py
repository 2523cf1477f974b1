"""Writes the small files that the tests of src/io/images read, with encoders that are not Octavo's.

Run it in this folder; it needs pillow, numpy, tifffile and imagecodecs. All images show the same 13 x 9 gradient:
red = 10 + 15 x, green = 20 + 20 y, blue = 8 (x + y); grey ones show red; alpha is 255 - 10 y.
Those called exif_N are stored turned, with an EXIF orientation N that turns them back.
"""

import subprocess
from pathlib import Path

import imagecodecs
import numpy as np
import tifffile
from PIL import Image, ImageOps

WIDTH, HEIGHT = 13, 9
y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
red, green, blue, alpha = 10 + 15 * x, 20 + 20 * y, 8 * (x + y), 255 - 10 * y
grey = red.astype(np.uint8)
rgb = np.dstack([red, green, blue]).astype(np.uint8)
rgba = np.dstack([red, green, blue, alpha]).astype(np.uint8)
wide = lambda a: a.astype(np.uint16) * 257


def jpegs():
    best = {"quality": 100, "subsampling": 0}
    Image.fromarray(grey).save("grey.jpg", **best)
    Image.fromarray(rgb).save("rgb.jpg", **best)
    Image.fromarray(rgb).save("progressive.jpg", progressive=True, **best)
    # Ink k = 55 everywhere, so that r = (255 - c) * 200 / 255; Pillow and Adobe store ink inverted.
    ink = np.dstack([255 - np.round(rgb * (255 / 200)), np.full(grey.shape, 55)]).astype(np.uint8)
    Image.fromarray(ink, mode="CMYK").save("cmyk.jpg", **best)
    with open("ycck.jpg", "wb") as f:
        f.write(
            imagecodecs.jpeg8_encode(255 - ink, level=100, colorspace="CMYK", outcolorspace="YCCK", subsampling="444")
        )
    # Transposition that turns an upright picture into the stored one, for each orientation.
    stored = {
        1: None,
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    upright = Image.fromarray(rgb)
    for orientation, how in stored.items():
        exif = Image.Exif()
        exif[0x0112] = orientation
        picture = upright if how is None else upright.transpose(how)
        picture.save(f"exif_{orientation}.jpg", exif=exif, **best)
        assert (
            np.abs(np.asarray(ImageOps.exif_transpose(Image.open(f"exif_{orientation}.jpg"))).astype(int) - rgb).max()
            < 6
        )
        if orientation == 6:
            picture.save("exif_6.png", exif=exif)
            picture.save("exif_6.webp", exif=exif, lossless=True)
            tifffile.imwrite(
                "exif_6.tif",
                np.asarray(picture),
                photometric="rgb",
                metadata=None,
                software=False,
                extratags=[(274, "H", 1, 6, True)],
            )


def pngs():
    Image.fromarray(grey).save("grey8.png")
    Image.fromarray(grey > 100).save("grey1.png")
    Image.fromarray(rgb).save("rgb8.png")
    Image.fromarray(rgba).save("rgba8.png")
    Image.fromarray(np.dstack([grey, rgba[..., 3]]), mode="LA").save("grey_alpha8.png")
    write = lambda name, a: Path(name).write_bytes(imagecodecs.png_encode(a))
    write("grey16.png", wide(grey))
    write("rgb16.png", wide(rgb))
    write("rgba16.png", wide(rgba))
    palette = Image.fromarray(rgb).quantize(colors=256)
    assert (np.asarray(palette.convert("RGB")) == rgb).all()
    palette.save("palette.png")
    see_through = Image.fromarray((x * 20).astype(np.uint8), mode="P")
    see_through.putpalette([v for i in range(256) for v in (i, 0, 255 - i)])
    see_through.save("palette_alpha.png", transparency=bytes(range(255, -1, -1)))


def tiffs():
    def write(name, a, photometric, **more):
        tifffile.imwrite(name, a, photometric=photometric, metadata=None, software=False, **more)

    write("grey8.tif", grey, "minisblack")
    write("white_is_zero.tif", 255 - grey, "miniswhite")
    write("grey16.tif", wide(grey), "minisblack", compression="lzw")
    write("grey1.tif", grey > 100, "minisblack")
    write("rgb8.tif", rgb, "rgb", compression="zlib", predictor=True)
    write("rgb16_planar.tif", wide(rgb).transpose(2, 0, 1).copy(), "rgb", planarconfig="separate")
    write("rgb16_big_endian.tif", wide(rgb), "rgb", byteorder=">", bigtiff=True)
    write("rgb8_tiled.tif", np.tile(rgb, (3, 3, 1)), "rgb", tile=(16, 16))
    write(
        "rgb8_tiled_planar.tif",
        np.tile(rgb, (3, 3, 1)).transpose(2, 0, 1).copy(),
        "rgb",
        tile=(16, 16),
        planarconfig="separate",
    )
    write("rgba8.tif", rgba, "rgb", extrasamples=["unassalpha"])
    write("float.tif", (grey / 255).astype(np.float32), "minisblack")
    write("float_rgb.tif", (rgb / 255).astype(np.float32), "rgb", compression="zlib", predictor=True)
    write("double.tif", grey / 255, "minisblack")
    write("float_wide.tif", (red - 20).astype(np.float32) * 3, "minisblack")
    for name, value in ("nan", np.nan), ("infinite", np.inf):
        bad = (grey / 255).astype(np.float32)
        bad[4, 5] = value
        write(f"float_{name}.tif", bad, "minisblack")
    write("int32.tif", grey.astype(np.int32), "minisblack")
    write("half.tif", (grey / 255).astype(np.float16), "minisblack")
    write("five_channels.tif", np.dstack([rgba, grey]), "rgb", extrasamples=["unassalpha", "unspecified"])
    write(
        "palette.tif",
        (x * 20).astype(np.uint8),
        "palette",
        colormap=np.stack([np.arange(256) * 257, np.zeros(256), (255 - np.arange(256)) * 257]).astype(np.uint16),
    )
    write(
        "jpeg_ycbcr.tif",
        np.tile(rgb, (2, 2, 1)),
        "rgb",
        compression="jpeg",
        compressionargs={"level": 100},
        subsampling=(1, 1),
        tile=(16, 16),
    )
    Image.fromarray(np.dstack([255 - rgb, np.zeros_like(grey)]), mode="CMYK").save("cmyk.tif")


def webps():
    Image.fromarray(rgb).save("rgb.webp", lossless=True)
    Image.fromarray(rgba).save("rgba.webp", lossless=True, exact=True)
    Image.fromarray(np.full((HEIGHT, WIDTH, 3), (200, 100, 50), np.uint8)).save("lossy.webp", quality=95)
    Image.fromarray(rgb).save("animated.webp", save_all=True, append_images=[Image.fromarray(255 - rgb)])


def bmps():
    Image.fromarray(rgb).save("rgb.bmp")
    Image.fromarray(grey).save("grey.bmp")
    Image.fromarray(grey > 100).save("grey1.bmp")
    palette = Image.fromarray(rgb).quantize(colors=256)
    palette.save("palette.bmp")


def gifs():
    palette = Image.fromarray(rgb).quantize(colors=256)
    palette.save("rgb.gif", interlace=False)
    twice = Image.fromarray(np.tile(rgb, (2, 2, 1))).quantize(colors=256)
    twice.save("interlaced.gif", interlace=True)
    palette.save("animated.gif", save_all=True, append_images=[Image.fromarray(255 - rgb).quantize(colors=256)])


def heifs():
    """Pillow writes AVIF; heif-enc, of libheif-examples, writes HEIC. Both note a rotation in the container."""
    best = {"quality": 100, "subsampling": "4:4:4"}
    Image.fromarray(rgb).save("rgb.avif", **best)
    Image.fromarray(rgba).save("rgba.avif", **best)
    Image.fromarray(rgb).save("animated.avif", save_all=True, append_images=[Image.fromarray(255 - rgb)])
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(rgb).transpose(Image.Transpose.ROTATE_90).save("exif_6.avif", exif=exif, **best)
    Image.fromarray(rgb).save("xmp.avif", xmp=b'<x GPano:ProjectionType="equirectangular"/>', **best)
    lossless = ["heif-enc", "-L", "-p", "chroma=444", "--matrix_coefficients=0"]
    for name, source, more in (
        ("rgb.heic", "rgb8.png", []),
        ("rgba.heic", "rgba8.png", []),
        ("rgb10.heic", "rgb16.png", ["-b", "10"]),
    ):
        subprocess.run([*lossless, *more, "-o", name, source], check=True)


def jpeg_2000s():
    Image.fromarray(rgb).save("rgb.jp2")
    Image.fromarray(rgb).save("rgb.j2k")
    Image.fromarray(rgba).save("rgba.jp2")
    Image.fromarray(np.dstack([grey, rgba[..., 3]]), mode="LA").save("grey_alpha.jp2")
    Image.fromarray(wide(grey)).save("grey16.jp2")
    Image.fromarray(rgb).convert("YCbCr").save("ycc.jp2")


def features():
    """Three keypoints, packed."""
    np.savez_compressed(
        "packed.npz",
        keypoints=np.tile(np.array([1.5, 2, 3, 0, 0], np.float32), (3, 1)),
        octave_layer=np.tile(np.array([-1, 1], np.int32), (3, 1)),
        descriptors=np.arange(3 * 128).astype(np.uint8).reshape(3, 128),
    )


features()
jpegs()
pngs()
tiffs()
webps()
bmps()
gifs()
heifs()
jpeg_2000s()
