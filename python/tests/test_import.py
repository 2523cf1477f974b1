"""The package imports its parts, and NumPy, with the first name that needs them; it looks like one that imported all."""

import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

import octavo

FOLDER = Path(octavo.__file__).parent
MODULES = [file.stem for file in FOLDER.glob("[!_]*.py")] + [file.parent.name for file in FOLDER.glob("*/__init__.py")]


def told(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_numpy_is_imported_with_the_first_name_that_needs_it():
    assert told(
        "import octavo, sys; octavo.__version__; print('numpy' in sys.modules); octavo.extract; print('numpy' in sys.modules)"
    ) == ["False", "True"]


@pytest.mark.parametrize(
    "first", ["octavo.cv2", "octavo.errors", "octavo.devices()", "octavo.KEYPOINT", "octavo.__all__"]
)
def test_any_name_may_be_the_first(first):
    assert told(
        f"import octavo; {first}; print(octavo.Features.__module__, 'Options of SIFT' in octavo.extract.__doc__)"
    ) == ["octavo", "True"]


@pytest.mark.parametrize("module", ["octavo.cv2", "octavo.ray"])
def test_modules_of_their_own_find_the_same_package(module):
    assert told(f"import {module} as one, octavo; print(octavo.Extractor.__module__)") == ["octavo"]


def test_modules_need_no_import_of_their_own():
    """Not that of Ray either, whose absence is told where there is work to do."""
    folder = Path(octavo.__file__).parent
    modules = [file.stem for file in folder.glob("[!_]*.py")] + [
        file.parent.name for file in folder.glob("*/__init__.py")
    ]
    assert {"cv2", "jobs", "ray"} <= set(modules)
    for module in modules:
        code = f"import octavo, sys; print(octavo.{module}.__name__, 'ray' in sys.modules, {module!r} in dir(octavo))"
        assert told(code) == [f"octavo.{module}", "False", "True"]
    without = "import sys; sys.modules['ray'] = None; import octavo"
    with pytest.raises(subprocess.CalledProcessError) as refused:
        code = f"{without}; octavo.ray.features('a.png')"
        subprocess.run([sys.executable, "-c", code], check=True, stderr=subprocess.PIPE, text=True)
    assert re.search(r"octavo.ray needs ray.*: pip install octavo\[ray\]", refused.value.stderr)


@pytest.mark.parametrize("module", ["octavo", *(f"octavo.{name}" for name in MODULES)])
def test_dir_has_the_public_names_alone(module):
    """Whatever was imported before."""
    code = f"import {module}, octavo; one = {module}; print(*dir(one), '|', *one.__all__)"
    names, public = " ".join(told(code)).split(" | ")
    assert names.split() == sorted([*public.split(), *(MODULES if module == "octavo" else [])])


def test_all_names_are_there():
    assert {"Extractor", "match", "__version__"} <= set(octavo.__all__) <= set(dir(octavo))
    for name in octavo.__all__:
        assert getattr(octavo, name) is not None
    names = {}
    exec("from octavo import *", names)
    assert set(octavo.__all__) <= set(names)
    with pytest.raises(AttributeError, match="module 'octavo' has no attribute 'Extraktor'"):
        octavo.Extraktor  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'Extraktor'"):
        exec("from octavo import Extraktor")


def test_many_threads_may_import_at_once():
    code = "import octavo, threading; found = []; lanes = [threading.Thread(target=lambda: found.append(octavo.Extractor)) for _ in range(8)]"
    assert told(
        f"{code}; [lane.start() for lane in lanes]; [lane.join() for lane in lanes]; print(len(set(found)), len(found))"
    ) == ["1", "8"]


def test_pickles_name_the_package():
    assert b"octavo._" not in pickle.dumps(octavo.Features)


def test_free_threaded_cpython_is_refused():
    """It takes modules of the stable ABI for its own."""
    with pytest.raises(subprocess.CalledProcessError) as refused:
        subprocess.run(
            [sys.executable, "-c", "import sys; sys.abiflags = 't'; import octavo"],
            check=True,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert "ImportError: octavo cannot be used in free-threaded CPython" in refused.value.stderr
