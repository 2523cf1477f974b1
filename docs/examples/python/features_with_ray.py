"""Extracts features of all images below a folder on a cluster of Ray. Usage: features_with_ray.py PHOTOS OUTPUT"""

import sys

import octavo.ray

photos, output = sys.argv[1:3]
done = octavo.ray.extract(
    photos,
    output,
    recursive=True,
    max_features=4000,  # the options of `octavo.jobs.extract`
    shards=100,
    workers=octavo.ray.Workers(num_cpus=1),  # Workers(num_cpus=8, num_gpus=1): a GPU each, and 8 threads that decode
    progress=lambda stage, shards, total: print(f"{stage}: {shards} of {total} shards", end="\r", file=sys.stderr),
)
for problem in done.problems:
    print(f"{problem.item}: {problem.reason}")
print(f"{done.items} images, {len(done.problems)} failed; {done.made} shards were run now")
