"""Three overlapping parts of a photograph become a panorama again, step by step."""

import cv2
import numpy as np


def main(data):
    whole = cv2.imread(f"{data}/graf1.png")
    images = [whole[:, left : left + 400].copy() for left in (0, 200, 400)]
    finder = cv2.SIFT_create()
    features = [cv2.detail.computeImageFeatures2(finder, image) for image in images]
    assert [one.img_size for one in features] == [(400, 640)] * 3 and len(features[0].getKeypoints()) > 100
    matcher = cv2.detail_AffineBestOf2NearestMatcher(False, False, 0.3)
    matches = matcher.apply2(features)
    matcher.collectGarbage()
    kept = cv2.detail.leaveBiggestComponent(features, matches, 0.95)
    found, cameras = cv2.detail_AffineBasedEstimator().apply(features, matches, None)
    assert found
    for camera in cameras:
        camera.R = camera.R.astype(np.float32)
    adjuster = cv2.detail_BundleAdjusterAffine()
    adjuster.setConfThresh(1)
    adjuster.setRefinementMask(np.array([[1, 1, 1], [0, 1, 1], [0, 0, 0]], np.uint8))
    found, cameras = adjuster.apply(features, matches, cameras)
    assert found
    warper = cv2.PyRotationWarper("affine", 1)
    warped, masks, corners = [], [], []
    for image, camera in zip(images, cameras):
        pose = camera.K().astype(np.float32), camera.R.astype(np.float32)
        corner, pixels = warper.warp(image, *pose, cv2.INTER_LINEAR, cv2.BORDER_REFLECT)
        full = np.full(image.shape[:2], 255, np.uint8)
        masks.append(warper.warp(full, *pose, cv2.INTER_NEAREST, cv2.BORDER_CONSTANT)[1])
        warped.append(pixels)
        corners.append(corner)
    blender = cv2.detail.Blender_createDefault(cv2.detail.Blender_NO)
    blender.prepare(cv2.detail.resultRoi(corners, [(one.shape[1], one.shape[0]) for one in warped]))
    for pixels, mask, corner in zip(warped, masks, corners):
        blender.feed(pixels.astype(np.int16), mask, corner)
    result, _ = blender.blend(None, None)
    return {"images": len(kept), "size": np.array(result.shape[1::-1])}
