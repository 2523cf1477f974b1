"""octavo.ray.features on a cluster of this machine: the features of one process, by actors, whatever was killed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import octavo.ray
from killer import Killer

pytest.importorskip("ray.data", reason="lacks Ray Data: pip install octavo[ray]")
pytest.importorskip("octavo._jobs", reason="lacks octavo._jobs: the package was built without its jobs")


@pytest.fixture
def images(texture, tmp_path):
    """Paths of images of two sizes: grey, of colours, and of 16 bits. The last three are none."""
    paths = []
    for i in range(9):
        grey = texture(160 + 16 * (i % 2), 128, seed=i)
        image = (grey, np.stack([grey, grey[::-1], grey], axis=-1), grey.astype(np.uint16) * 257)[i % 3]
        paths.append(tmp_path / f"{i}.png")
        octavo.write(paths[-1], image)
    for name in ("broken.png", "empty.png"):
        (tmp_path / name).write_bytes(b"none" if name == "broken.png" else b"")
        paths.append(tmp_path / name)
    return [*paths, tmp_path / "absent.png"]


def expected(images, **options):
    """What one process finds, by the paths."""
    images = {str(path): octavo.read(path) for path in images[:9]}
    return {path: octavo.extract(image, device="cpu", **options) for path, image in images.items()}


def rows_of(dataset):
    rows = dataset.take_all()
    by_path = {row["path"]: row for row in rows}
    assert len(by_path) == len(rows)
    return by_path


def require_same(rows, known):
    done = {path: octavo.ray.features_of(row) for path, row in rows.items() if not row["problem"]}
    assert done == known
    assert all(len(features) > 20 for features in known.values())


@pytest.mark.parametrize(
    "facts", [{"count": 1}, {"count": 2, "batch_size": 2}, {"num_gpus": 0.5, "batch_size": 4}], ids=str
)
def test_features(cluster, images, facts):
    rows = rows_of(octavo.ray.features(images, max_features=200, device="cpu", **facts))
    require_same(rows, expected(images, max_features=200))
    problems = {name: row["problem"] for name, row in rows.items() if row["problem"]}
    for path, reason in zip(images[9:], ("it is not a JPEG", "it is empty", "no such file"), strict=True):
        assert problems.pop(str(path)).startswith(f"cannot read '{path}': {reason}")
    assert problems == {}
    assert (rows[str(images[1])]["width"], rows[str(images[1])]["height"]) == (176, 128)
    with pytest.raises(octavo.Error, match="no such file"):
        octavo.ray.features_of(rows[str(images[11])])


@pytest.mark.parametrize("name", ["box.png", "graf1.png", "home.jpg", "aloeL.jpg"])
def test_pixels_are_those_of_the_program(photograph, program, tmp_path, name):
    image = photograph(name)
    call = [
        program,
        "extract",
        image,
        "--output",
        tmp_path,
        "--format",
        "npz",
        "--max-features",
        "500",
        "--device",
        "cpu",
    ]
    subprocess.run(call, check=True, capture_output=True)
    row = octavo.ray.Extract(max_features=500, device="cpu")({"image": [octavo.read(str(image))]})
    found = octavo.ray.features_of({name: column[0] for name, column in row.items()})
    assert found == octavo.Features.load(tmp_path / f"{name}.npz")


def test_actors_that_are_killed(cluster, images):
    kills = 0
    known = expected(images)
    for attempt in range(20):  # until some hit: machines differ in speed
        with Killer(("ray::MapWorker",), f"actors {attempt}") as killer:
            rows = rows_of(octavo.ray.features(images, count=2, batch_size=1))
        kills += killer.kills
        require_same(rows, known)
        assert len(rows) == len(images)
        if kills >= 3:
            break
    assert kills >= 3, "the work was too short to be hit"


def test_a_pipeline_of_the_callers(cluster, texture):
    import ray.data

    grey = texture()
    images = [grey, grey[:, ::-1], grey[:0]]
    table = ray.data.from_items([{"image": image, "label": f"image {i}"} for i, image in enumerate(images)])
    found = table.map_batches(
        octavo.ray.Extract, fn_constructor_kwargs={"device": "cpu", "upright": True}, batch_size=2, concurrency=1
    ).take_all()
    by_label = {row["label"]: row for row in found}
    for i in range(2):
        row = by_label[f"image {i}"]
        assert octavo.ray.features_of(row) == octavo.extract(images[i], device="cpu", upright=True)
        assert sorted(row) == ["descriptors", "height", "keypoints", "label", "problem", "width"]
    assert "image" in by_label["image 2"]["problem"]


def test_a_file_of_rows_without_descriptors(cluster, images, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="lacks PyArrow: pip install octavo[ray]")
    octavo.ray.features(images, detector="foagdd").write_parquet(str(tmp_path / "rows"))
    rows = [row for file in Path(tmp_path / "rows").glob("*.parquet") for row in parquet.read_table(file).to_pylist()]
    assert len(rows) == len(images)
    known = expected(images, detector="foagdd")
    assert {row["path"]: octavo.ray.features_of(row) for row in rows if not row["problem"]} == known


def test_calls_that_are_wrong(images):
    with pytest.raises(octavo.UnknownOption, match="max_feature"):
        octavo.ray.features(images, max_feature=5)
    with pytest.raises(octavo.InvalidOption, match="max_features"):
        octavo.ray.features(images, max_features=-5)
    with pytest.raises(octavo.InvalidOption, match="batch_size is 0"):
        octavo.ray.features(images, batch_size=0)
    with pytest.raises(octavo.InvalidOption, match="count is 0"):
        octavo.ray.features(images, count=0)


def test_a_reader_of_the_callers(cluster, images, texture):
    def read(path):
        if path.endswith("3.png"):
            raise KeyError("not this one")
        if path.endswith("2.png"):
            return None  # as OpenCV does
        return texture(seed=int(Path(path).stem))

    rows = rows_of(octavo.ray.features(images[:5], read=read, max_features=100))
    assert rows.pop(str(images[3]))["problem"] == "'not this one'"
    assert "is no image" in rows.pop(str(images[2]))["problem"]
    require_same(
        rows, {str(images[i]): octavo.extract(texture(seed=i), device="cpu", max_features=100) for i in (0, 1, 4)}
    )


def test_example(cluster, photograph, tmp_path):
    """docs/scale.md quotes it."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="lacks PyArrow: pip install octavo[ray]")
    example = Path(__file__).parents[2] / "docs" / "examples" / "python" / "rows_with_ray.py"
    (tmp_path / "photos").mkdir()
    shutil.copy(photograph("home.jpg"), tmp_path / "photos")
    environment = {**os.environ, "RAY_ADDRESS": cluster}
    subprocess.run(
        [sys.executable, example, tmp_path / "photos", tmp_path / "table"], check=True, env=environment, timeout=120
    )
    (row,) = parquet.read_table(tmp_path / "table").to_pylist()
    image = octavo.read(str(photograph("home.jpg")))
    assert octavo.ray.features_of(row) == octavo.extract(image, device="cpu", max_features=4000)
