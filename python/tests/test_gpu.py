"""Arrays of DLPack on a GPU and in host memory: read where they are, and features left there. Some need PyTorch or CuPy."""

import numpy as np
import pytest

import octavo
from device_array import Cuda, DeviceArray, bytes_of

CUDA = [device.name for device in octavo.devices() if device.kind == "cuda"]


@pytest.fixture(scope="module", params=["host", "cuda"])
def place(request):
    """None for host memory, or the driver of CUDA; and an extractor that works there."""
    if request.param == "host":
        return None, octavo.Extractor(device="cpu")
    if not CUDA:
        pytest.skip("lacks a GPU with CUDA")
    return Cuda(), octavo.Extractor(device=CUDA[0])


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("image", ["grey", "colour"])
def test_arrays_of_dlpack_are_read(place, extractor, request, dtype, image):
    cuda, there = place
    array = request.getfixturevalue(image)
    array = {np.uint8: array, np.uint16: array.astype(np.uint16) * 257, np.float32: (array / 255).astype(np.float32)}[
        dtype
    ]
    whole = DeviceArray(array, cuda)
    assert there.extract(whole) == extractor.extract(array)
    assert there.extract(whole.__dlpack__()) == extractor.extract(array)
    assert there.collect(there.submit(whole)) == extractor.extract(array)
    height, width = array.shape[:2]
    channels = array[0, 0].size
    strides = (width * channels, channels, 1)[: array.ndim]
    shape = (height - 20, width - 30, *array.shape[2:])
    part = DeviceArray(array, cuda, shape, strides, first=10 * width * channels + 15 * channels)
    assert there.extract(part) == extractor.extract(array[10:-10, 15:-15])
    if array.ndim == 3:
        reversed_ = DeviceArray(array, cuda, array.shape, (*strides[:2], -1), first=2)
        assert there.extract(reversed_) == extractor.extract(array[..., ::-1])
    for one in (whole, part):
        one.close()


def test_layouts_that_need_a_copy_are_refused_on_a_gpu(place, extractor, grey):
    cuda, there = place
    height, width = grey.shape
    turned = DeviceArray(grey, cuda, (width, height), (1, width))
    upwards = DeviceArray(grey, cuda, (height, width), (-width, 1), first=(height - 1) * width)
    if cuda is None:
        assert there.extract(turned) == extractor.extract(grey.T)
        assert there.extract(upwards) == extractor.extract(grey[::-1])
        return
    for one in (turned, upwards):
        with pytest.raises(octavo.InvalidArgument, match=r"contiguous\(\)"):
            there.extract(one)
    with pytest.raises(octavo.InvalidArgument, match="CUDA memory"):
        extractor.extract(DeviceArray(grey, cuda))


def test_features_are_lent(place, extractor, texture):
    cuda, there = place
    image = texture(640, 480)
    expected = extractor.extract(image)
    features = there.extract_on_device(DeviceArray(image, cuda))
    assert features.device == (CUDA[0] if cuda else "cpu") and features.download() == expected
    descriptors, rows = features.descriptors, features.keypoint_rows
    matches = octavo.match(features, features, device=there.device)
    assert matches == octavo.match(expected, expected, device="cpu")
    del features
    there.extract_on_device(texture(640, 480, seed=9))
    assert bytes_of(descriptors, cuda) == ((len(expected), 128), ("u", 8), expected.descriptors.tobytes())
    assert bytes_of(rows, cuda) == ((len(expected), 11), ("f", 32), expected.keypoints.tobytes())


@pytest.fixture(scope="module")
def torch():
    torch = pytest.importorskip("torch", reason="lacks PyTorch")
    if not CUDA or not torch.cuda.is_available():
        pytest.skip("lacks a GPU with CUDA")
    return torch


@pytest.fixture(scope="module")
def on_gpu():
    if not CUDA:
        pytest.skip("lacks a GPU with CUDA")
    return octavo.Extractor(device=CUDA[0])


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
@pytest.mark.parametrize("image", ["grey", "colour"])
def test_tensors_are_read_where_they_are(torch, on_gpu, extractor, request, dtype, image):
    array = request.getfixturevalue(image)
    array = array if dtype == np.uint8 else (array / 255).astype(np.float32)
    expected = extractor.extract(array)
    tensor = torch.from_numpy(np.ascontiguousarray(array)).cuda()
    assert on_gpu.extract(tensor) == expected
    assert on_gpu.extract(tensor[8:-8]) == extractor.extract(array[8:-8])  # rows farther apart than they are long
    assert on_gpu.collect(on_gpu.submit(tensor)) == expected
    with pytest.raises(octavo.InvalidArgument, match="lies on a GPU|CUDA memory"):
        extractor.extract(tensor)


def test_other_layouts_are_refused(torch, on_gpu, colour):
    tensor = torch.from_numpy(colour).cuda()
    with pytest.raises(octavo.InvalidArgument, match=r"contiguous\(\)"):
        on_gpu.extract(tensor.permute(1, 0, 2))
    with pytest.raises(octavo.InvalidArgument, match="channels x height x width"):
        on_gpu.extract(tensor.permute(2, 0, 1))
    with pytest.raises(octavo.InvalidArgument, match="float16"):
        on_gpu.extract(tensor.half())


def test_streams_order_the_reads(torch, on_gpu, extractor, texture):
    image = texture(1600, 1200)
    expected = extractor.extract(image)
    host = torch.from_numpy(image).pin_memory()
    stream = torch.cuda.Stream()
    for _ in range(20):
        with torch.cuda.stream(stream):
            torch.cuda._sleep(20_000_000)  # the tensor is written long after the call begins
            tensor = host.to("cuda", non_blocking=True)
        assert on_gpu.extract(tensor, stream=stream.cuda_stream) == expected


def test_features_stay_on_the_gpu(torch, on_gpu, extractor, texture):
    a, b = texture(640, 480, 1), texture(640, 480, 1)[:, 40:]
    of_a, of_b = on_gpu.extract_on_device(a), on_gpu.extract_on_device(np.ascontiguousarray(b))
    expected = extractor.extract(a)
    assert of_a.device == CUDA[0] and of_a.download() == expected
    descriptors = torch.from_dlpack(of_a.descriptors)
    rows = torch.from_dlpack(of_a.keypoint_rows)
    assert descriptors.device.type == "cuda" and np.array_equal(descriptors.cpu().numpy(), expected.descriptors)
    assert rows.cpu().numpy().tobytes() == expected.keypoints.tobytes()
    matches = octavo.match(of_a, of_b, device=CUDA[0])
    assert matches == octavo.match(expected, extractor.extract(b), device="cpu")


def test_memory_is_not_used_again_while_it_is_read(torch, on_gpu, extractor, texture):
    """Kernels of PyTorch still read the descriptors when the last tensor goes."""
    images = [texture(800, 600, seed) for seed in (1, 2)]
    expected = extractor.extract(images[0]).descriptors.astype(np.int64).sum()
    side = torch.cuda.Stream()
    for _ in range(20):
        features = on_gpu.extract_on_device(images[0])
        with torch.cuda.stream(side):
            descriptors = torch.from_dlpack(features.descriptors)
            torch.cuda._sleep(50_000_000)
            total = descriptors.long().sum()
        del features, descriptors
        on_gpu.extract_on_device(images[1])
        side.synchronize()
        assert int(total) == expected


def test_memory_outlives_the_extractor(torch, texture, extractor):
    image = texture(640, 480)
    descriptors = torch.from_dlpack(octavo.Extractor(device=CUDA[0]).extract_on_device(image).descriptors)
    assert np.array_equal(descriptors.cpu().numpy(), extractor.extract(image).descriptors)


def test_cupy(on_gpu, extractor, colour):
    cupy = pytest.importorskip("cupy", reason="lacks CuPy")
    assert on_gpu.extract(cupy.asarray(colour)) == extractor.extract(colour)
    features = on_gpu.extract_on_device(colour)
    assert np.array_equal(cupy.asnumpy(cupy.from_dlpack(features.descriptors)), features.download().descriptors)


def test_host_memory_has_addresses_too(extractor, grey):
    features = extractor.extract_on_device(grey)
    expected = extractor.extract(grey)
    assert features.device == "cpu"
    descriptors, rows = np.from_dlpack(features.descriptors), np.from_dlpack(features.keypoint_rows)
    del features
    assert np.array_equal(descriptors, expected.descriptors) and rows.tobytes() == expected.keypoints.tobytes()
    empty = extractor.extract_on_device(np.zeros((8, 8), np.uint8))
    assert np.from_dlpack(empty.descriptors).shape == (0, 128)


def test_opencl_has_no_addresses(grey):
    names = [device.name for device in octavo.devices() if device.kind == "opencl" and device.conformant]
    if not names:
        pytest.skip("lacks a device of OpenCL")
    features = octavo.Extractor(device=names[0]).extract_on_device(grey)
    with pytest.raises(octavo.InvalidArgument, match="no addresses"):
        features.descriptors  # noqa: B018
    assert features.download() == octavo.extract(grey, device="cpu")
