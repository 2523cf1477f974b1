"""Arrays of DLPack that need no other library: in host memory, or in that of a GPU by the driver of CUDA."""

import ctypes
from ctypes import POINTER, c_char_p, c_int32, c_int64, c_size_t, c_uint8, c_uint16, c_uint64, c_void_p, py_object

import numpy as np

HOST, CUDA = 1, 2
CODES = {"i": 0, "u": 1, "f": 2}


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32), ("code", c_uint8),
        ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]  # fmt: skip


class DLManagedTensor(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", c_void_p), ("deleter", c_void_p)]


_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = py_object, [c_void_p, c_char_p, c_void_p]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [py_object, c_char_p]


class Cuda:
    """The primary context of the first GPU. Raises OSError without a driver or a GPU."""

    def __init__(self):
        self._library = ctypes.CDLL("libcuda.so.1")
        self._call("cuInit", 0)
        device = c_int32()
        self._call("cuDeviceGet", ctypes.byref(device), 0)
        context = c_void_p()
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._call("cuCtxSetCurrent", context)

    def _call(self, name, *arguments):
        result = getattr(self._library, name)(*arguments)
        if result != 0:
            raise OSError(f"{name} gives {result}")

    def upload(self, array):
        """The address of a copy of the bytes."""
        address = c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(address), c_size_t(max(array.nbytes, 1)))
        self._call("cuMemcpyHtoD_v2", address, c_void_p(array.ctypes.data), c_size_t(array.nbytes))
        return address.value

    def download(self, address, size):
        buffer = np.empty(size, np.uint8)
        self._call("cuMemcpyDtoH_v2", c_void_p(buffer.ctypes.data), c_uint64(address), c_size_t(size))
        return buffer.tobytes()

    def free(self, address):
        self._call("cuMemFree_v2", c_uint64(address))


class DeviceArray:
    """A copy of a NumPy array that offers DLPack. `strides` in samples and `first` (a sample) tell which part is seen."""

    def __init__(self, array, cuda=None, shape=None, strides=None, first=0):
        self._array, self._cuda = np.ascontiguousarray(array), cuda
        self.address = cuda.upload(self._array) if cuda else self._array.ctypes.data
        self.shape = shape or self._array.shape
        strides = strides or tuple(stride // array.itemsize for stride in self._array.strides)
        axes = len(self.shape)
        self._shape, self._strides = (c_int64 * axes)(*self.shape), (c_int64 * axes)(*strides)
        self._managed = DLManagedTensor(
            DLTensor(
                self.address, CUDA if cuda else HOST, 0, axes, CODES[array.dtype.kind], 8 * array.itemsize, 1,
                self._shape, self._strides, first * array.itemsize,
            ), None, None,
        )  # fmt: skip

    def __dlpack_device__(self):
        return self._managed.tensor.device_type, 0

    def __dlpack__(self, *, stream=None, **_):
        return _new(ctypes.addressof(self._managed), b"dltensor", None)

    def close(self):
        if self._cuda:
            self._cuda.free(self.address)


def bytes_of(lent, cuda=None):
    """The shape, type and bytes of an array that offers DLPack and is packed."""
    capsule = lent.__dlpack__()
    tensor = ctypes.cast(_pointer(capsule, b"dltensor"), POINTER(DLManagedTensor)).contents.tensor
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    assert tensor.device_type == (CUDA if cuda else HOST) and lent.__dlpack_device__()[0] == tensor.device_type
    size = int(np.prod(shape)) * tensor.bits // 8
    address = (tensor.data or 0) + tensor.byte_offset
    content = (cuda.download(address, size) if cuda else ctypes.string_at(address, size)) if size else b""
    return shape, ("iuf"[tensor.code], tensor.bits), content
