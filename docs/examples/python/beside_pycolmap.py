"""Octavo's features and matches in pycolmap's mapper, and its model in NumPy. Usage: beside_pycolmap.py PHOTOS FOLDER"""

import sys
from pathlib import Path

import numpy as np
import pycolmap

import octavo

photos, folder = sys.argv[1], Path(sys.argv[2])
folder.mkdir(exist_ok=True)
database = folder / "database.db"
octavo.colmap(photos, database, verify="usac", cameras="one", max_features=2000)

models = pycolmap.incremental_mapping(database, photos, folder)
print(
    f"{len(models)} models; {models[0].num_reg_images()} images and {models[0].num_points3D()} points in the first one"
)

model = octavo.read_model(folder / "0")  # and back: arrays
nearest = np.linalg.norm(model.points - model.centres.mean(axis=0), axis=1).min()
print(f"points {model.points.shape}, colours {model.colours.shape}, the nearest is {nearest:.2f} from the cameras")
