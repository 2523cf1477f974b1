"""octavo mosaic: whole turns of a camera, and what is straight above and below it.

The scene surrounds the camera: noise in space, of several sizes, where it meets a sphere. So nothing is special about its poles,
and each pixel of a mosaic can be compared with the truth."""

import json

import cv2
import numpy as np
import pytest

FOCAL, SIZE = 200, (240, 240)
UP = np.deg2rad(45)
RING = [(yaw, 0) for yaw in np.linspace(0, 2 * np.pi, 9, endpoint=False)]
CAP = [(yaw, UP) for yaw in np.linspace(0, 2 * np.pi, 8, endpoint=False)] + [(0.3, np.pi / 2)]
BOTTOM = [(yaw, -pitch) for yaw, pitch in CAP]
NOISE = [
    (number, np.random.default_rng(number).normal(0, 38, (number, number, number, 3)).astype(np.float32))
    for number in (12, 30, 70)
]


def seen(rays):
    """The colours in these directions: noise of grids that enclose the unit sphere, with linear interpolation."""
    rays = rays / np.linalg.norm(rays, axis=-1, keepdims=True)
    sum = np.full(rays.shape, 127.0, np.float32)
    for number, noise in NOISE:
        place = (rays + 1) / 2 * (number - 2) + 0.25
        low = np.floor(place).astype(int)
        part = (place - low).astype(np.float32)
        for corner in np.ndindex(2, 2, 2):
            weight = np.prod(np.where(corner, part, 1 - part), axis=-1, keepdims=True)
            sum += weight * noise[tuple(np.moveaxis(low + corner, -1, 0))]
    return np.clip(sum, 0, 255)


def rotation(yaw, pitch, roll):
    turns = (np.array(axis) * angle for axis, angle in (((0, 1, 0), yaw), ((1, 0, 0), pitch), ((0, 0, 1), roll)))
    y, x, z = (cv2.Rodrigues(turn.astype(float))[0] for turn in turns)
    return y @ x @ z


def camera():
    return np.array([[FOCAL, 0, (SIZE[0] - 1) / 2], [0, FOCAL, (SIZE[1] - 1) / 2], [0, 0, 1]])


def take_images(folder, directions):
    """Writes the views, with a roll of some degrees and other exposures, and returns names and rotations."""
    random = np.random.default_rng(3)
    pixels = np.stack([*np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1])), np.ones(SIZE[::-1])], axis=-1)
    rotations = [rotation(yaw, pitch, random.uniform(-0.05, 0.05)) for yaw, pitch in directions]
    names = [f"view{number:02}.png" for number in range(len(rotations))]
    for name, scene_from_view in zip(names, rotations, strict=True):
        rays = pixels @ (scene_from_view @ np.linalg.inv(camera())).T
        cv2.imwrite(str(folder / name), np.rint(seen(rays) * random.uniform(0.85, 1)).astype(np.uint8))
    return names, rotations


def drawn_rays(canvas, projection):
    x = (np.arange(canvas["width"]) + canvas["left"]) / canvas["scale"]
    y = (np.arange(canvas["height"]) + canvas["top"]) / canvas["scale"]
    x, y = np.meshgrid(x, y)
    if projection == "stereographic":
        return np.stack([x, y, 1 - (x * x + y * y) / 4], axis=-1)
    if projection == "pannini":
        longitude, across, up = 2 * np.arctan(x / 2), 1, y / (1 + x * x / 4)
    else:
        longitude, across, up = x, *((np.cos(y), np.sin(y)) if projection == "sphere" else (1, y))
    return np.stack([np.sin(longitude) * across, up, np.cos(longitude) * across], axis=-1)


def nearest_rotation(matrix):
    u, _, vt = np.linalg.svd(matrix)
    return u @ np.diag([1, 1, np.linalg.det(u @ vt)]) @ vt


def found_turn(report, rotations):
    """The rotation from the frame of a mosaic to the scene. That of the whole is free, those of the images in it are not."""
    found = [nearest_rotation(np.array(image["frame_from_image"]) @ camera()) for image in report["images"]]
    scene_from_mosaic = nearest_rotation(
        np.sum([true @ own.T for true, own in zip(rotations, found, strict=True)], axis=0)
    )
    for true, own in zip(rotations, found, strict=True):
        assert np.linalg.norm(cv2.Rodrigues(true.T @ scene_from_mosaic @ own)[0]) < 0.5 / FOCAL
    return scene_from_mosaic


def errors_of(file, report, scene_from_mosaic):
    """Where a mosaic is drawn, and the differences of grey levels from the truth."""
    mosaic = cv2.imread(str(file), cv2.IMREAD_UNCHANGED).astype(float)
    true = seen(drawn_rays(report["canvas"], report["projection"]) @ scene_from_mosaic.T)
    inside = mosaic[..., 3] > 0
    bright = true[inside].sum() / mosaic[inside][:, :3].sum()
    return inside, np.abs(bright * mosaic[..., :3] - true).mean(axis=-1)


@pytest.mark.parametrize(
    "directions, projection, poles",
    [
        (RING, "cylinder", []),
        pytest.param(CAP, "sphere", ["top"], marks=pytest.mark.slow),
        pytest.param(BOTTOM, "sphere", ["bottom"], marks=pytest.mark.slow),
        pytest.param(RING + CAP + BOTTOM, "sphere", ["top", "bottom"], marks=pytest.mark.slow),
    ],
    ids=["ring", "cap", "bottom", "everything"],
)
def test_a_whole_turn(octavo, directions, projection, poles):
    names, rotations = take_images(octavo.folder, directions)
    report = json.loads(octavo("mosaic", *names, "-o", "all.tif", "--json", "--max-features", 1500))
    assert [image["status"] for image in report["images"]] == ["placed"] * len(names)
    assert (report["model"], report["projection"], report["warnings"]) == ("rotation", projection, [])

    scene_from_mosaic = found_turn(report, rotations)
    # Upright, but for a turn around the vertical axis.
    assert scene_from_mosaic[1, 1] > np.cos(np.deg2rad(2))

    canvas = report["canvas"]
    assert abs(canvas["width"] - 2 * np.pi * canvas["scale"]) < 1e-6
    assert (canvas["height"] * 2 == canvas["width"]) == (len(poles) == 2)
    inside, error = errors_of(octavo.folder / "all.tif", report, scene_from_mosaic)
    assert error[inside].mean() < 3
    # The ends meet; what is straight above or below has no hole, and nothing is drawn there that is elsewhere.
    ends = [column for column in (0, 1, -2, -1) if inside[:, column].any()]
    assert len(ends) == 4 and all(error[inside[:, column], column].mean() < 4 for column in ends)
    shown = {"top": inside[0].all(), "middle": inside[canvas["height"] // 2].all(), "bottom": inside[-1].all()}
    assert shown == {"top": "top" in poles, "middle": True, "bottom": "bottom" in poles}
    for pole in poles:
        assert error[{"top": 0, "bottom": -1}[pole]].mean() < 4


@pytest.mark.slow
@pytest.mark.parametrize(
    "views, projection, wide", [(RING[:5], "pannini", 222), (RING, "stereographic", 0)], ids=["pannini", "planet"]
)
def test_a_projection_by_name(octavo, views, projection, wide):
    names, rotations = take_images(octavo.folder, views)
    options = ["--projection", projection, "--json", "--max-features", 1500]
    report = json.loads(octavo("mosaic", *names, "-o", "all.tif", *options))
    assert (report["model"], report["projection"]) == ("rotation", projection)
    scene_from_mosaic = found_turn(report, rotations)
    canvas = report["canvas"]
    if wide:
        assert abs(canvas["width"] / canvas["scale"] - 4 * np.tan(np.deg2rad(wide / 4))) < 0.2
    else:
        assert scene_from_mosaic[1, 2] > np.cos(np.deg2rad(2))  # what is straight below is in the middle
    inside, error = errors_of(octavo.folder / "all.tif", report, scene_from_mosaic)
    assert error[inside].mean() < 3
    # All that an image shows is drawn, but for what is in no mosaic by a pixel at the edges.
    seen_by_any = np.zeros(inside.shape, bool)
    for rotation in rotations:
        places = drawn_rays(canvas, projection) @ (scene_from_mosaic.T @ rotation) @ camera().T
        x, y = (places[..., i] / places[..., 2] for i in (0, 1))
        seen_by_any |= (places[..., 2] > 0) & (x > 1) & (y > 1) & (x < SIZE[0] - 2) & (y < SIZE[1] - 2)
    assert inside[seen_by_any].all()
