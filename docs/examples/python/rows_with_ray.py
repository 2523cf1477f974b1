"""Writes the features of images to a table of Parquet, by actors of Ray. Usage: rows_with_ray.py FOLDER TABLE"""

import sys
from pathlib import Path

import octavo.ray

folder, table = sys.argv[1:3]
images = sorted(Path(folder).rglob("*.jpg"))
rows = octavo.ray.features(images, max_features=4000, count=2)  # num_gpus=1: a GPU for each of the two
rows.write_parquet(table)
