"""Octavo's trilateral filter beside a double-precision transcription of the sources' (Choudhury and Tumblin 2003; Sawada
2024), whose windows have no bound, on photographs.

Pixels are left out and counted if a rounding error could change their level, because a gradient differs from their own
by almost exactly σ_r."""

import os
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

DATA = Path("/usr/share/doc/opencv-doc/examples/data")
BETA = 0.15


def gradients(image):
    gx, gy = np.zeros_like(image), np.zeros_like(image)
    gx[:, :-1] = np.diff(image, axis=1)
    gy[:-1] = np.diff(image, axis=0)
    return gx, gy, np.sqrt(gx**2 + gy**2)


def spread(values, pick, nothing):
    """The next level of the min-max stack: the smallest or the largest of each pixel's 3×3 pixels."""
    height, width = values.shape
    around = np.pad(values, 1, constant_values=nothing)
    return pick.reduce([around[i : i + height, j : j + width] for i in range(3) for j in range(3)])


def levels(sizes, sigma_r):
    low, high, level = sizes, sizes, np.zeros(sizes.shape, int)
    for k in range(1, int(np.log2(min(sizes.shape))) + 1):
        low, high = spread(low, np.minimum, np.inf), spread(high, np.maximum, -np.inf)
        level[~((high > sizes + sigma_r) | (low < sizes - sigma_r))] = k
    return level


def smoothed(gx, gy, sizes, sigma, sigma_r):
    reach = max((int(sigma) - 1) // 2, 0)
    height, width = sizes.shape
    pad = lambda values, by: np.pad(values, reach, constant_values=by)
    xs, ys, gs = pad(gx, 0), pad(gy, 0), pad(sizes, np.inf)
    weights, sum_x, sum_y = np.zeros((3, height, width))
    for n in range(2 * reach + 1):
        for m in range(2 * reach + 1):
            part = np.s_[n : n + height, m : m + width]
            distance2 = (n - reach) ** 2 + (m - reach) ** 2
            w = np.exp(-distance2 / (2 * sigma**2) - (gs[part] - sizes) ** 2 / (2 * sigma_r**2))
            weights, sum_x, sum_y = weights + w, sum_x + w * xs[part], sum_y + w * ys[part]
    return sum_x / weights, sum_y / weights


def filtered(image, sigma, certified, bound=np.inf):
    """The filtered image, with windows that end `bound` pixels from their centres, and a mask of pixels of certain level."""
    gx, gy, sizes = gradients(image)
    sigma_r = BETA * (sizes.max() - sizes.min())
    level = levels(sizes, sigma_r)
    certain = (levels(sizes, sigma_r * (1 - 1e-5)) == level) & (levels(sizes, sigma_r * (1 + 1e-5)) == level)
    gx, gy = smoothed(gx, gy, sizes, sigma, sigma_r)
    reaches = level if certified else 2**level // 2
    out = image.copy()
    for reach in np.unique(reaches[reaches > 0]):
        y, x = np.nonzero(reaches == reach)
        here, tilt_x, tilt_y = image[y, x], gx[y, x], gy[y, x]
        around = np.pad(image, reach, constant_values=np.inf)
        weights, differences = np.zeros((2, len(y)))
        for n in range(-reach, reach + 1):
            for m in range(-reach, reach + 1):
                if np.hypot(m, n) > bound:
                    continue
                d = around[y + n + reach, x + m + reach] - (here + tilt_x * m + tilt_y * n)
                w = np.exp(-(m**2 + n**2) / (2 * sigma**2) - d**2 / (2 * sigma_r**2))
                weights += w
                differences += np.where(np.isinf(d), 0, d) * w
        out[y, x] = here + differences / weights
    return out, certain


def of_octavo(image, sigma, certified, folder):
    program = os.environ.get("OCTAVO_PROGRAM") or pytest.fail("OCTAVO_PROGRAM does not name the program to test")
    cv2.imwrite(str(folder / "in.tif"), image.astype(np.float32))
    options = ["--spatial-sigma", str(sigma), "--trilateral-window", "certified" if certified else "power-of-two"]
    subprocess.run(
        [program, "filter", "trilateral", "in.tif", "-o", "out.tif", *options],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return cv2.imread(str(folder / "out.tif"), cv2.IMREAD_UNCHANGED).astype(float)


def photograph(name, side):
    if not (DATA / name).exists():
        pytest.skip(f"lacks {DATA / name}, of Debian's package opencv-doc")
    grey = cv2.imread(str(DATA / name), cv2.IMREAD_GRAYSCALE)
    scale = side / min(grey.shape)
    grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[:side, :side]
    return (grey.astype(np.float32) / np.float32(255)).astype(float)  # the values that Octavo gets


@pytest.mark.parametrize("certified", [False, True])
@pytest.mark.parametrize(
    "name, sigma", [("home.jpg", 1.6), ("baboon.jpg", 3.1), ("butterfly.jpg", 5.0), ("building.jpg", 2.5)]
)
def test_filtered_photographs_are_those_of_the_definition(name, sigma, certified, tmp_path):
    image = photograph(name, 130)
    found = of_octavo(image, sigma, certified, tmp_path)
    expected, certain = filtered(image, sigma, certified, 5.77 * sigma)
    unbounded, _ = filtered(image, sigma, certified)
    # A tilted window can give values beyond black or white, which an image cannot hold.
    error, bounded = (np.abs(found - np.clip(other, 0, 1))[certain].max() for other in (expected, unbounded))
    change = np.abs(expected - image).max()
    print(
        f"{name}, σ {sigma}, {'certified' if certified else 'power of two'}: within 2^{np.log2(error):.1f} of the definition, "
        f"2^{np.log2(bounded):.1f} of the windows without bound; {np.sum(~certain)} pixels left out; the filter changes up to {change:.2f}"
    )
    assert certain.mean() > 0.99 and change > 0.01
    assert error < 2**-17
    assert bounded < 2**-17
