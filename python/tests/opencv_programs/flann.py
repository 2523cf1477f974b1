"""A box is found in a scene: FLANN's two nearest neighbours, the ratio test, and a drawing of what passes."""

import cv2


def main(data):
    box, scene = (cv2.imread(f"{data}/{name}", cv2.IMREAD_GRAYSCALE) for name in ("box.png", "box_in_scene.png"))
    sift = cv2.SIFT_create()
    of_box, rows_of_box = sift.detectAndCompute(box, None)
    of_scene, rows_of_scene = sift.detectAndCompute(scene, None)
    flann = cv2.FlannBasedMatcher({"algorithm": 1, "trees": 5}, {"checks": 50})
    matches = flann.knnMatch(rows_of_box, rows_of_scene, k=2)
    is_drawn = [[int(one.distance < 0.7 * other.distance), 0] for one, other in matches]
    drawn = cv2.drawMatchesKnn(
        box, of_box, scene, of_scene, matches, None, matchColor=(0, 255, 0), singlePointColor=(255, 0, 0),
        matchesMask=is_drawn, flags=cv2.DrawMatchesFlags_DEFAULT,
    )  # fmt: skip
    assert drawn.shape[1] == box.shape[1] + scene.shape[1]
    return {"good": sum(one for one, _ in is_drawn)}
