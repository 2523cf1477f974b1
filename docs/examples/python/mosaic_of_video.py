"""Joins the frames of a pan into one image. Usage: mosaic_of_video.py VIDEO OUTPUT"""

import sys

import octavo

video, output = sys.argv[1:3]
mosaic = octavo.mosaic(video, output=output, max_canvas=100_000_000)
if not mosaic.found:
    sys.exit(f"there is no mosaic: {mosaic.reason}")
placed = sum(image.status == "placed" for image in mosaic.images)
print(
    f"{placed} of {len(mosaic.images)} frames, {mosaic.model}, on a {mosaic.projection} of {mosaic.size[0]} x {mosaic.size[1]} pixels"
)
