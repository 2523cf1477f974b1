"""Keypoints and descriptors as arrays."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any, ClassVar, overload

import numpy as np
import numpy.typing as npt

from ._checks import array_of, part_of, path_of
from .errors import FileError, InvalidArgument

KEYPOINT = np.dtype(
    [
        ("x", np.float32),
        ("y", np.float32),
        ("scale", np.float32),
        ("orientation", np.float32),
        ("response", np.float32),
        ("octave", np.int32),
        ("layer", np.int32),
        ("a11", np.float32),
        ("a12", np.float32),
        ("a21", np.float32),
        ("a22", np.float32),
    ]
)
"""The record of a keypoint. `Features` describes its fields."""

DESCRIPTOR_LENGTH = 128
"""The length of a descriptor: 4 x 4 cells x 8 directions."""

_COLUMNS = KEYPOINT.itemsize // 4
_WHOLE = ("octave", "layer")


class Features:
    """The keypoints of an image and their descriptors, in canonical order: octave, layer, y, x, orientation.

    `keypoints` is an array of N records (`KEYPOINT`). `descriptors` is N x 128 in uint8, or None if there are none. Both
    are NumPy arrays without a copy. Each field of the records is a property too:

    - `x`, `y` [pixel]: to the right and downwards; (0, 0) is the centre of the top-left pixel;
    - `scale` [pixel]: the standard deviation of the Gaussian at which the point was found;
    - `orientation` [radian]: 0 to 2 pi, from +x towards +y, which is clockwise on the screen;
    - `response`: the contrast for SIFT, for images of 0 to 1; for FOAGDD log10 of the measure of the corner;
    - `octave`: -1 is the doubled image, 0 the image itself; `layer`: 1 to S in the octave;
    - `a11`, `a12`, `a21`, `a22`: the ellipse of SIFT with `affine`, otherwise 0.

    `features[i]` is the record of one keypoint; a slice, a mask or an array of indices gives Features. Features can be
    pickled. Two are equal if all their bytes are.
    """

    __slots__ = ("descriptors", "keypoints")

    keypoints: npt.NDArray[np.void]
    descriptors: npt.NDArray[np.uint8] | None

    def __init__(self, keypoints: npt.ArrayLike, descriptors: npt.ArrayLike | None = None) -> None:
        """Features of any arrays.

        `keypoints` is an array of `KEYPOINT` records, or N x 2 (x, y) to N x 5 (x, y, scale, orientation, response).
        `descriptors` is N x 128 in uint8. Raises InvalidArgument for other shapes.
        """
        self.keypoints = records_of(keypoints)
        self.descriptors = None if descriptors is None else _descriptors(descriptors, len(self.keypoints))

    @classmethod
    def _of(cls, arrays: tuple[Any, Any]) -> Features:
        """Features of the arrays of the extension module."""
        self = cls.__new__(cls)
        self.keypoints = arrays[0].view(KEYPOINT)[:, 0]
        self.descriptors = arrays[1]
        return self

    def __len__(self) -> int:
        return len(self.keypoints)

    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> np.void: ...
    @overload
    def __getitem__(self, index: slice | npt.NDArray[Any] | list[int] | list[bool]) -> Features: ...
    def __getitem__(self, index: Any) -> Any:
        chosen = part_of(self.keypoints, index)
        if isinstance(chosen, np.void):
            return chosen
        part = Features.__new__(Features)
        part.keypoints = chosen
        part.descriptors = None if self.descriptors is None else self.descriptors[index]
        return part

    def __iter__(self) -> Iterator[np.void]:
        return iter(self.keypoints)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Features):
            return NotImplemented
        if (self.descriptors is None) != (other.descriptors is None):
            return False
        same = self.keypoints.tobytes() == other.keypoints.tobytes()
        return same and (self.descriptors is None or np.array_equal(self.descriptors, other.descriptors))  # type: ignore[arg-type]

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"<octavo.Features: {len(self)} keypoints{'' if self.descriptors is not None else ' without descriptors'}>"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Features, (self.keypoints, self.descriptors)

    @property
    def x(self) -> npt.NDArray[np.float32]:
        """x [pixel], N in float32."""
        return self.keypoints["x"]

    @property
    def y(self) -> npt.NDArray[np.float32]:
        """y [pixel], N in float32."""
        return self.keypoints["y"]

    @property
    def scale(self) -> npt.NDArray[np.float32]:
        """Scale [pixel], N in float32."""
        return self.keypoints["scale"]

    @property
    def orientation(self) -> npt.NDArray[np.float32]:
        """Orientation [radian], N in float32."""
        return self.keypoints["orientation"]

    @property
    def response(self) -> npt.NDArray[np.float32]:
        """Response, N in float32."""
        return self.keypoints["response"]

    @property
    def octave(self) -> npt.NDArray[np.int32]:
        """Octave, N in int32."""
        return self.keypoints["octave"]

    @property
    def layer(self) -> npt.NDArray[np.int32]:
        """Layer, N in int32."""
        return self.keypoints["layer"]

    @property
    def a11(self) -> npt.NDArray[np.float32]:
        """Row 1, column 1 of the ellipse's matrix, N in float32."""
        return self.keypoints["a11"]

    @property
    def a12(self) -> npt.NDArray[np.float32]:
        """Row 1, column 2 of the ellipse's matrix, N in float32."""
        return self.keypoints["a12"]

    @property
    def a21(self) -> npt.NDArray[np.float32]:
        """Row 2, column 1 of the ellipse's matrix, N in float32."""
        return self.keypoints["a21"]

    @property
    def a22(self) -> npt.NDArray[np.float32]:
        """Row 2, column 2 of the ellipse's matrix, N in float32."""
        return self.keypoints["a22"]

    @property
    def xy(self) -> npt.NDArray[np.float32]:
        """Positions [pixel], N x 2 in float32: x and y. No copy where the keypoints are packed."""
        return self._floats()[:, 0:2]

    @property
    def ellipses(self) -> npt.NDArray[np.float32] | None:
        """N x 4 in float32: a11, a12, a21, a22; None where no keypoint is an ellipse."""
        floats = self._floats()[:, 7:11]
        return floats if floats.any() else None

    @property
    def affine(self) -> npt.NDArray[np.float64]:
        """N x 2 x 2: the matrix that maps the unit circle to the ellipse, or circle, of each keypoint [pixel]."""
        matrices = self._floats()[:, 7:11].astype(np.float64).reshape(-1, 2, 2)
        circles = ~matrices.any(axis=(1, 2))
        scale, angle = self.scale[circles].astype(np.float64), self.orientation[circles].astype(np.float64)
        cosine, sine = scale * np.cos(angle), scale * np.sin(angle)
        matrices[circles] = np.stack([cosine, -sine, sine, cosine], axis=-1).reshape(-1, 2, 2)
        return matrices

    def _floats(self) -> npt.NDArray[np.float32]:
        packed = np.ascontiguousarray(self.keypoints)
        return packed.view(np.float32).reshape(len(packed), _COLUMNS)

    def _bytes(self) -> npt.NDArray[np.uint8]:
        """Keypoints as the extension module takes them."""
        packed = np.ascontiguousarray(self.keypoints)
        return packed.view(np.uint8).reshape(len(packed), KEYPOINT.itemsize)

    def _described(self) -> npt.NDArray[np.uint8]:
        """Descriptors as the extension module takes them."""
        if self.descriptors is None:
            if len(self) == 0:
                return np.zeros((0, DESCRIPTOR_LENGTH), np.uint8)
            raise InvalidArgument("the features have no descriptors; extract them with describe=True")
        return np.ascontiguousarray(self.descriptors)

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes a NumPy archive (.npz) as `octavo extract --format npz` does.

        Its arrays are `keypoints` (N x 5 in float32: x, y, scale, orientation, response), `octave_layer` (N x 2 in
        int32), `descriptors` (N x 128 in uint8; 0 x 128 without descriptors), and for ellipses `ellipses` (N x 4 in
        float32). Raises FileError.
        """
        described = self.descriptors if self.descriptors is not None else np.zeros((0, DESCRIPTOR_LENGTH), np.uint8)
        arrays = {
            "keypoints": np.ascontiguousarray(self._floats()[:, 0:5]),
            "octave_layer": np.stack([self.octave, self.layer], axis=1),
            "descriptors": np.ascontiguousarray(described),
        }
        ellipses = self.ellipses
        if ellipses is not None:
            arrays["ellipses"] = np.ascontiguousarray(ellipses)
        name = path_of(file)
        part = f"{name}.{os.getpid()}.part"  # what is there stays until the new file is whole
        try:
            try:
                with open(part, "wb") as stream:
                    np.savez(stream, **arrays)  # type: ignore[arg-type]
                os.replace(part, name)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(part)
                raise
        except OSError as error:
            raise FileError(f"cannot write '{name}': {error.strerror}") from error

    @classmethod
    def load(cls, file: str | os.PathLike[str]) -> Features:
        """Reads what `save` and `octavo extract --format npz` write. Raises FileError that says what is wrong."""
        import zipfile  # takes time, and is needed here alone

        name = path_of(file)
        try:
            with np.load(name, allow_pickle=False) as archive:
                arrays = {key: archive[key] for key in archive.files}
        except OSError as error:
            raise FileError(f"cannot read '{name}': {error.strerror or error}") from error
        except (ValueError, EOFError, AttributeError, TypeError, zipfile.BadZipFile) as error:
            raise FileError(f"cannot read '{name}': it is no NumPy archive of features") from error
        for key in ("keypoints", "descriptors"):
            if key not in arrays:
                raise FileError(f"cannot read '{name}': it holds no array '{key}'")
        try:
            return cls._from_archive(arrays)
        except InvalidArgument as error:
            raise FileError(f"cannot read '{name}': {error}") from error

    @classmethod
    def _from_archive(cls, arrays: dict[str, npt.NDArray[Any]]) -> Features:
        features = cls(arrays["keypoints"])
        n = len(features)
        for key, columns in (("octave_layer", _WHOLE), ("ellipses", ("a11", "a12", "a21", "a22"))):
            if key not in arrays:
                continue
            if arrays[key].shape != (n, len(columns)):
                raise InvalidArgument(f"{key} has the shape {arrays[key].shape}, but must be ({n}, {len(columns)})")
            for i, column in enumerate(columns):
                features.keypoints[column] = arrays[key][:, i]
        descriptors = arrays["descriptors"]
        if len(descriptors) > 0 or n == 0:
            features.descriptors = _descriptors(descriptors, n)
        return features


def records_of(keypoints: npt.ArrayLike, least: int = 2) -> npt.NDArray[np.void]:
    """Keypoints as records; of numbers a row has at least so many."""
    array = array_of("keypoints", keypoints)
    if array.dtype == KEYPOINT and array.ndim == 1:
        return array
    if array.ndim != 2 or not least <= array.shape[1] <= 5 or array.dtype.kind not in "fiu":
        raise InvalidArgument(
            f"keypoints are of the shape {array.shape} in {array.dtype}, but must be N records of octavo.KEYPOINT, or"
            f" N x {least} to N x 5 numbers: x, y, scale, orientation, response"
        )
    records = np.zeros(len(array), KEYPOINT)
    for i in range(array.shape[1]):
        records[KEYPOINT.names[i]] = array[:, i]  # type: ignore[index]
    return records


def _descriptors(descriptors: npt.ArrayLike, count: int) -> npt.NDArray[np.uint8]:
    array = array_of("descriptors", descriptors)
    if array.shape != (count, DESCRIPTOR_LENGTH) or array.dtype != np.uint8:
        raise InvalidArgument(
            f"descriptors are of the shape {array.shape} in {array.dtype}, but must be {count} x {DESCRIPTOR_LENGTH} in uint8"
        )
    return array
