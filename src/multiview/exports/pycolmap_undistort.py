"""Undistorts the images of a model with pycolmap.

usage: OUTPUT MODEL PHOTOGRAPHS
"""

import sys

import pycolmap

pycolmap.logging.logtostderr = True
pycolmap.undistort_images(*sys.argv[1:])
