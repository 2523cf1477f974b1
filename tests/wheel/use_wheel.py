"""Uses the installed package as a program would, where there is nothing else, and prints one line about it.

It fails if NumPy's version is not MAJOR, if the self-test finds one wrong byte, or if an image has no features that match
those of its shifted copy. The last word of the line is a digest of the features: the same on every system.

usage: use_wheel.py MAJOR [THREADS]
"""

import hashlib
import platform
import sys
import time

began = time.perf_counter()
import numpy as np  # noqa: E402

import octavo  # noqa: E402

seconds = time.perf_counter() - began

if np.__version__.split(".")[0] != sys.argv[1]:
    sys.exit(f"use_wheel.py: NumPy is {np.__version__}, wanted {sys.argv[1]}")

on = {"device": "cpu", "threads": int(sys.argv[2]) if len(sys.argv) > 2 else 0}
results = octavo.selftest(**on)
wrong = [f"{one.image}, {one.stage}" for one in results if not one.ok]
if wrong or not results:
    sys.exit(f"use_wheel.py: the self-test of {len(results)} digests has wrong ones: {'; '.join(wrong)}")

# A pattern of integers, whose waves get shorter to the right and below.
x, y = np.meshgrid(np.arange(400), np.arange(300))
image = ((3 * x * x + 7 * y * y + 5 * x * y >> 7) & 255).astype(np.uint8)
features = octavo.extract(image, **on)
moved = octavo.extract(image[:, 40:], **on)
matches = octavo.match(features, moved, ratio=0.8, **on)
shift = np.median(features.xy[matches.a] - moved.xy[matches.b], axis=0)
if len(matches) < 50 or not np.allclose(shift, (40, 0), atol=0.1):
    sys.exit(f"use_wheel.py: {len(matches)} matches, moved by {shift}; there should be 50 or more, moved by 40 and 0")

digest = hashlib.sha256(features.keypoints.tobytes() + features.descriptors.tobytes()).hexdigest()[:16]
system = (
    f"{platform.machine()}, glibc {platform.libc_ver()[1]}, Python {platform.python_version()}, NumPy {np.__version__}"
)
print(
    f"{system}: import in {seconds:.2f} s, {len(results)} digests of the self-test, {len(features)} features, "
    f"{len(matches)} matches, digest {digest}"
)
