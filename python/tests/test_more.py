"""The filter, the pyramid, retrieval, devices."""

import pickle

import numpy as np
import pytest

import octavo


def test_selftest():
    results = octavo.selftest("cpu")
    assert results and all(one.ok and one.digest == one.expected for one in results)
    assert {"scale space", "descriptor"} <= {one.stage for one in results}
    with pytest.raises(octavo.DeviceUnavailable):
        octavo.selftest("cuda:77")


def test_devices():
    found = octavo.devices()
    assert [one.name for one in found][-1:] != [] and {"cpu", "reference"} <= {one.name for one in found}
    assert all(one.reason for one in octavo.missing_drivers())


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
def test_trilateral(grey, dtype):
    scale = {np.uint8: 1, np.uint16: 257, np.float32: 1 / 255}[dtype]
    image = (grey * dtype(scale)).astype(dtype)
    smooth = octavo.trilateral(image, device="cpu")
    assert smooth.shape == image.shape and smooth.dtype == dtype and not np.array_equal(smooth, image)
    assert np.array_equal(smooth, octavo.Trilateral(device="reference").filter(image))
    assert octavo.trilateral(image[..., None], device="cpu").shape == (*image.shape, 1)
    coloured = np.stack([image] * 3, axis=-1)
    assert octavo.trilateral(coloured, device="cpu").shape == coloured.shape
    assert octavo.Trilateral(device="cpu").estimate(image).fits


def test_pyramid(grey):
    pyramid = octavo.Pyramid(device="cpu", layers=3)
    octaves = pyramid.make(grey)
    assert [one.octave for one in octaves][:2] == [-1, 0]
    assert octaves[1].gaussians[0].shape == grey.shape
    for one in octaves:
        assert len(one.gaussians) == 6 and len(one.differences) == 5
        for i, difference in enumerate(one.differences):
            assert np.array_equal(difference, one.gaussians[i + 1] - one.gaussians[i])
    assert pyramid.sigma(3) == pytest.approx(2 * pyramid.sigma(0))
    only = octavo.Pyramid(device="cpu", gaussians=False).make(grey)
    assert only[0].gaussians == [] and only[0].differences
    assert pyramid.estimate(grey).fits


def test_retrieval(tmp_path, texture, extractor):
    features = [extractor.extract(texture(300, 200, seed)) for seed in (1, 1, 2)]
    encoder = octavo.VladEncoder(device="cpu")
    vlads = [encoder.encode(one) for one in features]
    assert vlads[0].dtype == np.int16 and vlads[0].shape == (64 * 128,)
    assert octavo.vlad_similarity(vlads[0], vlads[1]) == pytest.approx(1, abs=1e-3)
    assert octavo.vlad_product(vlads[0], vlads[2]) == int(np.dot(vlads[0].astype(np.int64), vlads[2].astype(np.int64)))
    nearest = octavo.most_similar_images(vlads, 2)
    assert nearest[0][0][0] == 1 and len(nearest[2][0]) == 2
    assert octavo.most_similar_images(np.stack(vlads), 1)[1][0].tolist() == [0]

    trained = octavo.train_vocabulary(np.concatenate([one.descriptors for one in features]), words=8, device="cpu")
    assert len(trained.vocabulary) == 8 and trained.counts.sum() == sum(map(len, features))
    trained.vocabulary.save(tmp_path / "v")
    assert octavo.Vocabulary.load(tmp_path / "v") == trained.vocabulary
    assert pickle.loads(pickle.dumps(trained.vocabulary)) == trained.vocabulary
    assert octavo.VladEncoder(trained.vocabulary, device="cpu").encode(features[0]).shape == (8 * 128,)
    (tmp_path / "w").write_bytes(b"nothing")
    with pytest.raises(octavo.FileError, match="w"):
        octavo.Vocabulary.load(tmp_path / "w")

    words, codes = octavo.FeatureQuantiser(3, device="cpu").quantise(features[0])
    assert words.shape == (len(features[0]), 3) and codes.shape == (len(features[0]), 2) and codes.dtype == np.uint64


def test_the_similarity_of_a_vlad_with_itself_is_a_cosine(texture):
    encoder = octavo.VladEncoder(device="cpu")
    for seed in range(5):
        vlad = encoder.encode(octavo.extract(texture(seed=seed), device="cpu"))
        assert 0.999 < octavo.vlad_similarity(vlad, vlad) <= 1


def test_a_vocabulary_that_is_a_path_is_refused():
    with pytest.raises(octavo.WrongType, match="Vocabulary.load reads one"):
        octavo.VladEncoder("words.bin", device="cpu")
