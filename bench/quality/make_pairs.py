"""Pairs of images whose relation is known, for choosing Octavo's values (training) and for reporting on them (report).

usage: make_pairs.py OUTPUT [--set training|report|all] [--skimage FOLDER]

OUTPUT gets the folders training/ and report/, which `octavo evaluate` reads. No photograph is in both sets: values are
chosen on the first, and only reported on the second. The same call always makes the same images.

The photographs are those of Debian's lomiri-wallpapers-16.04, plasma-workspace-wallpapers and opencv-doc, and the stereo
pair of python3-skimage, which needs no installation: `apt-get download python3-skimage`, `dpkg-deb -x`, and --skimage
names the unpacked folder.

A warp of one image into another rewards features of the finest scales too much: both members share the noise of the
photograph and its grid of pixels. Here a camera takes BOTH members. Each pixel is the mean of its square in the
photograph, which has more pixels (1 to 5 a pixel and direction), in linear light. Then every image has its own
 1. blur of the lens, and defocus where the change is blur (a disc);
 2. light: exposure, white balance, and a gradient of light where the change is light;
 3. noise of photons and of reading;
 4. mosaic of colours and its interpolation (bilinear or along edges), for half of the images;
 5. curve of tones (sRGB's to a power), sharpening (unsharp mask), JPEG, and luma (BT.601), in 8 bits.
Both members differ in the place of their pixels by fractions of a pixel, in angle and in size.

i_PHOTOGRAPH holds changes of light and of the camera, v_PHOTOGRAPH of view, as in HPatches: 1.png is A, N.png is B, H_1_N
maps A to B. `CHANGES` names them. graf is graf1 and graf3 with OpenCV's homography. stereo_* are real stereo pairs; the
disparity of every pixel that both images show gives correspondences. leuvenB shows the building of leuvenA from another
place, so that no homography relates them: leuvenA is a photograph as others.
"""

import argparse
import zlib
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np

WALLPAPERS = Path("/usr/share/wallpapers")
BACKGROUNDS = Path("/usr/share/backgrounds")
DATA = Path("/usr/share/doc/opencv-doc/examples/data")

# Photograph and width of A [pixel], whose height is 3/4 of it.
SETS = {
    "training": {
        "dragonfly": (BACKGROUNDS / "Dragonfly_by_Bolly.jpg", 800),
        "brushes": (BACKGROUNDS / "Picture_1A_by_freespace.jpg", 560),
        "drum": (BACKGROUNDS / "Wine_by_Jakkub_Mede.jpg", 640),
        "brook": (BACKGROUNDS / "life_by_Aitzol_Berasategi.jpg", 1000),
        "dandelion": (BACKGROUNDS / "seeding_by_Clements_Engelhardt.jpg", 800),
        "jetty": (WALLPAPERS / "BytheWater/contents/images/2560x1600.jpg", 720),
        "wood": (WALLPAPERS / "Path/contents/images/2560x1600.jpg", 800),
        "building": (DATA / "building.jpg", 480),
        "leuven": (DATA / "leuvenA.jpg", 480),
    },
    "report": {
        "mountain": (BACKGROUNDS / "picosdeeuropa_by_Aitzol_Berasategi.jpg", 1000),
        "autumn": (BACKGROUNDS / "aitzgorri_by_Aitzol_Berasategi.jpg", 800),
        "dogs": (BACKGROUNDS / "friends_by_Aitzol_Berasategi.jpg", 640),
        "fig": (BACKGROUNDS / "Picture_0B_by_freespace.jpg", 800),
        "sunset": (BACKGROUNDS / "sunset_by_Aitzol_Berasategi.jpg", 800),
        "boats": (WALLPAPERS / "EveningGlow/contents/images/2560x1600.jpg", 720),
        "moss": (WALLPAPERS / "OneStandsOut/contents/images/2560x1600.jpg", 720),
        "leaf": (WALLPAPERS / "FallenLeaf/contents/images/2560x1600.jpg", 640),
        "clock": (BACKGROUNDS / "greentock_by_Peter_Nerlich.jpg", 800),
    },
}

# The change of 2.png, 3.png … of each kind of folder: its name, what differs in the view, what differs in the camera.
# tilt: angle between the views [degree]; zoom: B's pixels per pixel of A; turn: about the axis [degree]; defocus: radius [pixel].
CHANGES = {
    "i": [
        ("camera", {}, {}),
        ("dark", {}, {"exposure": 0.25}),
        ("lamp", {}, {"gradient": 1.2}),
        ("blur 1.5", {}, {"defocus": 1.5}),
        ("blur 3", {}, {"defocus": 3.0}),
        ("blur 5", {}, {"defocus": 5.0}),
        ("noise", {}, {"photon": 2e-3, "reading": 6e-3}),
        ("jpeg 12", {}, {"quality": 12}),
    ],
    "v": [
        ("tilt 25", {"tilt": 25.0}, {}),
        ("tilt 40", {"tilt": 40.0}, {}),
        ("tilt 55", {"tilt": 55.0}, {}),
        ("zoom 1.5", {"zoom": 1.5, "turn": 15.0}, {}),
        ("zoom 2.2", {"zoom": 2.2, "turn": 50.0}, {}),
        ("turn 100", {"turn": 100.0}, {}),
    ],
}

FINEST = 1.1  # pixels of the photograph per pixel of an image, at least


def random(*names):
    """A generator of its own for every image, so that no image depends on the others."""
    return np.random.default_rng(zlib.crc32(" ".join(map(str, names)).encode()))


def linear(file):
    """The photograph in linear light, float32 B, G, R from 0 to 1."""
    codes = np.arange(256) / 255
    light = np.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4).astype(np.float32)
    return cv2.LUT(cv2.imread(str(file), cv2.IMREAD_COLOR), light)


# Views: 3×3 matrices that map pixels of an image to pixels of the photograph, (0, 0) being the centre of the first.


def view(centre, size, scale, turn=0.0, tilt=0.0, axis=0.0):
    """The view of a plane at angle `tilt` from its normal, about `axis`; the middle of the image shows `centre`, at
    `scale` pixels of the photograph per pixel. The focal length is 2.5 times the image's width. Angles in degrees."""
    width, height = size
    t, a, r = np.radians((tilt, axis, turn))
    to_axis = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    lean = np.array([[1 / np.cos(t), 0, 0], [0, 1, 0], [-np.tan(t) / (2.5 * width), 0, 1]])
    spin = np.array([[np.cos(r), -np.sin(r), 0], [np.sin(r), np.cos(r), 0], [0, 0, 1]])
    middle = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, 1]])
    place = np.array([[scale, 0, centre[0]], [0, scale, centre[1]], [0, 0, 1]])
    return place @ to_axis @ lean @ to_axis.T @ spin @ middle


def corners(matrix, size):
    width, height = size
    frame = np.array([[-0.5, -0.5, 1], [width - 0.5, -0.5, 1], [width - 0.5, height - 0.5, 1], [-0.5, height - 0.5, 1]])
    mapped = frame @ matrix.T
    return mapped[:, :2] / mapped[:, 2:]


def scales(matrix, size):
    """The least and the largest scale of the view over its corners and its middle: singular values of the Jacobian."""
    width, height = size
    values = []
    for x, y in ((0, 0), (width, 0), (width, height), (0, height), (width / 2, height / 2)):
        u, v, w = matrix @ (x, y, 1)
        jacobian = (matrix[:2, :2] - np.outer((u / w, v / w), matrix[2, :2])) / w
        values.extend(np.linalg.svd(jacobian, compute_uv=False))
    return min(values), max(values)


def fits(matrix, size, frame):
    places = corners(matrix, size)
    return places.min() >= -0.501 and (places <= np.array(frame) - 0.499).all()


def fitted(centre, size, scale, frame, zoomable=False, **angles):
    """The first view that the photograph fills, and its size: nearer and nearer as far as the photograph's pixels suffice,
    if `zoomable`, then smaller and smaller."""
    while True:
        matrix = view(centre, size, scale, **angles)
        if fits(matrix, size, frame):
            return matrix, size
        if zoomable and scales(matrix, size)[0] > FINEST:
            scale *= 0.97
        else:
            size = tuple(round(0.96 * length) for length in size)
            zoomable = False


def see(light, matrix, size, blur):
    """The light on each pixel: the mean over its square, after the lens's Gaussian blur [pixel]."""
    least, largest = scales(matrix, size)
    reduction = max(1, int(least / 1.5))
    samples = int(np.clip(np.ceil(1.5 * largest / reduction), 2, 4))
    small = shrink(light, reduction)
    to_small = np.linalg.inv(
        np.array([[reduction, 0, (reduction - 1) / 2], [0, reduction, (reduction - 1) / 2], [0, 0, 1]])
    )
    from_sample = np.array([[1 / samples, 0, 0.5 / samples - 0.5], [0, 1 / samples, 0.5 / samples - 0.5], [0, 0, 1]])
    fine = cv2.warpPerspective(
        small, to_small @ matrix @ from_sample, (size[0] * samples, size[1] * samples),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    fine = cv2.GaussianBlur(fine, (0, 0), blur * samples)
    return cv2.resize(fine, size, interpolation=cv2.INTER_AREA)


def shrink(light, factor):
    height, width = (length // factor * factor for length in light.shape[:2])
    return cv2.resize(light[:height, :width], (width // factor, height // factor), interpolation=cv2.INTER_AREA)


def disc(radius):
    """A disc of this radius whose rim is smooth, as the sum of 8 × 8 samples a pixel."""
    half = int(np.ceil(radius))
    at = (np.arange((2 * half + 1) * 8) + 0.5) / 8 - half - 0.5
    inside = (at[:, None] ** 2 + at[None, :] ** 2 <= radius**2).astype(np.float64)
    cells = inside.reshape(2 * half + 1, 8, 2 * half + 1, 8).sum(axis=(1, 3))
    return cells / cells.sum()


def usual_camera(rng):
    return {
        "blur": rng.uniform(0.25, 0.6),
        "defocus": 0.0,
        "exposure": rng.uniform(0.9, 1.1),
        "white": rng.uniform(0.95, 1.05, 3),
        "gradient": 0.0,
        "photon": 10 ** rng.uniform(-4.5, -3.6),  # variance of the noise at full light
        "reading": rng.uniform(0.0005, 0.002),
        "mosaic": rng.choice(["none", "none", "bilinear", "edges"]),
        "power": rng.uniform(0.9, 1.1),
        "sharpening": (rng.uniform(0.6, 1.2), rng.uniform(0, 0.8)),
        "quality": int(rng.integers(85, 98)),
    }


def develop(light, camera, rng):
    """The camera after the lens: light to an image of grey levels in 8 bits."""
    height, width = light.shape[:2]
    if camera["defocus"]:
        light = cv2.filter2D(light, -1, disc(camera["defocus"]), borderType=cv2.BORDER_REFLECT_101)
    light = light * np.float32(camera["exposure"] * camera["white"])
    if camera["gradient"]:
        angle = rng.uniform(0, 2 * np.pi)
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
        light = light * np.exp2(camera["gradient"] * (np.cos(angle) * x + np.sin(angle) * y))[..., None].astype(
            np.float32
        )
    deviation = np.sqrt(camera["photon"] * np.maximum(light, 0) + camera["reading"] ** 2)
    light = np.clip(light + deviation * rng.standard_normal(light.shape, np.float32), 0, 1)
    if camera["mosaic"] != "none":
        light = interpolate_mosaic(light, camera["mosaic"])
    tones = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-6) ** (1 / 2.4) - 0.055)
    tones = np.maximum(tones, 0) ** np.float32(camera["power"])
    sigma, amount = camera["sharpening"]
    tones = tones + np.float32(amount) * (tones - cv2.GaussianBlur(tones, (0, 0), sigma))
    codes = np.clip(np.rint(255 * tones), 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", codes, [cv2.IMWRITE_JPEG_QUALITY, camera["quality"]])[1]
    return cv2.cvtColor(cv2.imdecode(packed, cv2.IMREAD_COLOR), cv2.COLOR_BGR2GRAY)


def interpolate_mosaic(light, method):
    """One colour a pixel (rows of R G, then G B), and the others interpolated."""
    cells = light[..., 1].copy()
    cells[0::2, 0::2] = light[0::2, 0::2, 2]
    cells[1::2, 1::2] = light[1::2, 1::2, 0]
    code = {"bilinear": cv2.COLOR_BayerBG2BGR, "edges": cv2.COLOR_BayerBG2BGR_EA}[method]
    return cv2.demosaicing(np.rint(65535 * cells).astype(np.uint16), code).astype(np.float32) / 65535


def take(light, matrix, size, changes, *names):
    rng = random(*names)
    camera = {**usual_camera(rng), **changes}
    return develop(see(light, matrix, size, camera["blur"]), camera, rng)


def save_matrix(file, matrix):
    file.write_text("\n".join(" ".join(f"{value:.12g}" for value in row) for row in matrix / matrix[2, 2]) + "\n")


def make_sequences(name, file, width, folder):
    """i_NAME and v_NAME."""
    light = linear(file)
    frame = light.shape[1], light.shape[0]
    full = min(frame[0] / width, frame[1] / (0.75 * width))
    middle = (np.array(frame) - 1) / 2
    for half, share in (("i", 0.7), ("v", 0.92)):
        target = folder / f"{half}_{name}"
        target.mkdir(parents=True, exist_ok=True)
        rng = random(name, half)
        scale = max(share * full, FINEST)
        centre = middle + (0.3 if half == "i" else 0.05) * rng.uniform(-1, 1, 2) * (np.array(frame) - scale * width)
        a, size = fitted(centre, (width, round(0.75 * width)), scale, frame)
        cv2.imwrite(str(target / "1.png"), take(light, a, size, {}, name, half, 1))
        for number, (_, geometry, changes) in enumerate(CHANGES[half], start=2):
            zoom = min(geometry.get("zoom", rng.uniform(0.95, 1.05)), scale / 0.9 / FINEST)
            angles = {
                "turn": geometry.get("turn", 0.0) + rng.uniform(-2, 2),
                "tilt": geometry.get("tilt", 0.0),
                "axis": rng.uniform(0, 360),
            }
            shift = scale * rng.uniform(-6, 6, 2)
            b, b_size = fitted(centre + shift, size, scale / zoom, frame, bool(geometry.get("tilt")), **angles)
            cv2.imwrite(str(target / f"{number}.png"), take(light, b, b_size, changes, name, half, number))
            save_matrix(target / f"H_1_{number}", np.linalg.inv(b) @ a)


def make_graf(folder):
    target = folder / "graf"
    target.mkdir(parents=True, exist_ok=True)
    for name, number in (("graf1.png", 1), ("graf3.png", 3)):
        cv2.imwrite(str(target / f"img{number}.png"), cv2.imread(str(DATA / name), cv2.IMREAD_GRAYSCALE))
    numbers = ElementTree.parse(DATA / "H1to3p.xml").findtext("H13/data").split()
    save_matrix(target / "H1to3p", np.array(numbers, float).reshape(3, 3))


def make_stereo(name, left, right, disparity, scale, folder):
    """Two pairs from the files of a stereo pair: both images at `scale` pixels of the file per pixel, and left at 1.5
    times this scale with right turned by 30°. `disparity` [pixel of the file] is NaN where it is unknown."""
    height, width = disparity.shape
    rows, columns = np.nonzero(np.isfinite(disparity))
    known = disparity[rows, columns]
    there = columns - known
    nearest = np.full((height, width + 1), -np.inf)  # the surface that each pixel of the right image shows
    at = np.clip(np.rint(there).astype(int), 0, width)
    np.maximum.at(nearest, (rows, at), known)
    seen = (there >= 0) & (there <= width - 1) & (known >= nearest[rows, at] - 1)
    points = [np.column_stack([x[seen], rows[seen], np.ones(seen.sum())]) for x in (columns, there)]
    middle = (width - 1) / 2, (height - 1) / 2
    for kind, coarser, turn in (("plain", 1.0, 0.0), ("turned", 1.5, 30.0)):
        target = folder / f"stereo_{name}_{kind}"
        target.mkdir(parents=True, exist_ok=True)
        mapped, sizes = [], []
        for number, (file, factor, angle) in enumerate(((left, coarser, 0.0), (right, 1.0, turn)), start=1):
            size = int(width / scale / factor), int(height / scale / factor)
            matrix, size = fitted(middle, size, scale * factor, (width, height), turn=angle)
            untouched = scale * factor == 1 and angle == 0 and size == (width, height)
            image = cv2.imread(str(file), cv2.IMREAD_GRAYSCALE) if untouched else None
            if image is None:
                image = take(linear(file), matrix, size, {"mosaic": "none"}, name, kind, number)
            cv2.imwrite(str(target / f"{number}.png"), image)
            places = points[number - 1] @ np.linalg.inv(matrix).T
            mapped.append(places[:, :2] / places[:, 2:])
            sizes.append(size)
        pairs = np.column_stack(mapped)
        pairs = pairs[(pairs >= 0).all(axis=1) & (pairs <= np.array(sizes).ravel() - 1).all(axis=1)]
        _, one_a_pixel = np.unique(np.rint(pairs[:, :2]) @ (1, width), return_index=True)
        np.savetxt(target / "correspondences.txt", pairs[one_a_pixel], "%.2f")


def aloe():
    """Levels of aloeGT.png are pixels of disparity; 0 is unknown."""
    disparity = cv2.imread(str(DATA / "aloeGT.png"), cv2.IMREAD_GRAYSCALE).astype(float)
    disparity[disparity == 0] = np.nan
    return DATA / "aloeL.jpg", DATA / "aloeR.jpg", disparity, 1.5


def motorcycle(folder):
    """Middlebury's pair of 2014 at a quarter of its size, with fractions of pixels; infinite is unknown."""
    disparity = np.load(folder / "motorcycle_disp.npz")["arr_0"].astype(float)
    disparity[~np.isfinite(disparity)] = np.nan
    return folder / "motorcycle_left.png", folder / "motorcycle_right.png", disparity, 1.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("--set", choices=[*SETS, "all"], default="all")
    parser.add_argument("--skimage", type=Path, default=Path("/"))
    call = parser.parse_args()
    cv2.setNumThreads(1)
    for which in SETS if call.set == "all" else [call.set]:
        folder = call.output / which
        if which == "training":
            make_stereo("aloe", *aloe(), folder)
        else:
            make_graf(folder)
            make_stereo("motorcycle", *motorcycle(call.skimage / "usr/lib/python3/dist-packages/skimage/data"), folder)
        for name, (file, width) in SETS[which].items():
            make_sequences(name, file, width, folder)
            print(which, name, flush=True)


if __name__ == "__main__":
    main()
