"""Tensors of PyTorch in host memory; those on a GPU are in test_gpu.py. `./dev test rest` runs this beside Debian's PyTorch."""

import numpy as np
import pytest

import octavo

torch = pytest.importorskip("torch", reason="lacks PyTorch")


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
@pytest.mark.parametrize("image", ["grey", "colour"])
def test_tensors_are_images(extractor, request, dtype, image):
    array = request.getfixturevalue(image)
    array = array if dtype == np.uint8 else array / np.float32(255)
    tensor = torch.from_numpy(array)
    assert extractor.extract(tensor) == extractor.extract(array)
    assert extractor.extract(tensor[8:-8, 4:]) == extractor.extract(array[8:-8, 4:])
    assert extractor.extract(tensor.transpose(0, 1)) == extractor.extract(array.swapaxes(0, 1))
    assert extractor.collect(extractor.submit(tensor)) == extractor.extract(array)


def test_features_are_tensors(extractor, grey):
    kept = extractor.extract_on_device(torch.from_numpy(grey))
    features = kept.download()
    descriptors, rows = torch.from_dlpack(kept.descriptors), torch.from_dlpack(kept.keypoint_rows)
    assert np.array_equal(descriptors.numpy(), features.descriptors)
    assert np.array_equal(rows[:, :2].numpy(), np.stack([features.keypoints["x"], features.keypoints["y"]], 1))
    of_tensors = octavo.match(torch.from_numpy(features.descriptors), torch.from_numpy(features.descriptors))
    assert of_tensors == octavo.match(features, features)


def test_what_is_no_image_is_told(extractor, colour):
    tensor = torch.from_numpy(colour)
    with pytest.raises(octavo.InvalidArgument, match=r"in PyTorch image\.permute\(1, 2, 0\)"):
        extractor.extract(tensor.permute(2, 0, 1))
    for other in (torch.float16, torch.int64, torch.bfloat16):
        with pytest.raises(octavo.InvalidArgument, match="must be uint8, uint16 or float32"):
            extractor.extract(tensor.to(other))
