"""Verifies the matches of a database, makes models of it, or adds its images to a model, with pycolmap.

usage: verify DATABASE PAIRS THREADS SEED
       map | map_global DATABASE PHOTOGRAPHS OUTPUT THREADS SEED
       register DATABASE INPUT OUTPUT THREADS SEED
"""

import sys

import pycolmap


def set_where_known(options, **values):
    """Versions of pycolmap differ in their options."""
    for name, value in values.items():
        if hasattr(options, name):
            setattr(options, name, value)


def register(file, model, output, options):
    """As COLMAP's image_registrator: the poses of the images that are there stay."""
    with pycolmap.Database.open(file) as database:
        wanted = pycolmap.DatabaseCacheOptions()
        wanted.min_num_matches = options.min_num_matches
        cache = pycolmap.DatabaseCache.create(database, wanted)
    reconstruction = pycolmap.Reconstruction(model)
    mapper = pycolmap.IncrementalMapper(cache)
    mapper.begin_reconstruction(reconstruction)
    for number, image in sorted(reconstruction.images.items()):
        if not image.has_pose:
            print(f"Registering image #{number} ({reconstruction.num_reg_images() + 1})")
            mapper.register_next_image(options.get_mapper(), number)
    mapper.end_reconstruction(False)
    reconstruction.write(output)


def main(job, database, *words):
    threads, seed = int(words[-2]) or -1, int(words[-1])
    pycolmap.logging.logtostderr = True
    if hasattr(pycolmap, "set_random_seed"):
        pycolmap.set_random_seed(seed)
    if job == "verify":
        options = pycolmap.TwoViewGeometryOptions()
        set_where_known(options.ransac, random_seed=seed)
        pycolmap.verify_matches(database, words[0], options=options)
        return
    if job == "register":
        options = pycolmap.IncrementalPipelineOptions()
        set_where_known(options, num_threads=threads, random_seed=seed)
        register(database, words[0], words[1], options)
        return
    # The global mapper is GLOMAP, which pycolmap has since 4.0.
    is_global = job == "map_global"
    options = pycolmap.GlobalPipelineOptions() if is_global else pycolmap.IncrementalPipelineOptions()
    set_where_known(options, num_threads=threads, random_seed=seed)
    mapping = pycolmap.global_mapping if is_global else pycolmap.incremental_mapping
    if not mapping(database, words[0], words[1], options=options):
        sys.exit("pycolmap found no model")


main(*sys.argv[1:])
