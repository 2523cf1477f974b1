"""Times OpenCV's SIFT for octavo. Requests and answers are lines of JSON.

{"threads", "layers", "sigma", "contrast_threshold", "edge_threshold"} creates SIFT and returns its description.
{"image", "max_features"} (0: all) runs it once and returns the number of keypoints. {"run"} times one run.
"""

import json
import sys
import time

try:
    import cv2
except ImportError:
    cv2 = None


class Sift:
    def __init__(self, call):
        if call["threads"]:
            cv2.setNumThreads(call["threads"])
        self.options = {
            "nOctaveLayers": call["layers"],
            "sigma": call["sigma"],
            "contrastThreshold": call["contrast_threshold"],
            "edgeThreshold": call["edge_threshold"],
        }
        try:  # since 4.8
            cv2.SIFT_create(enable_precise_upscale=True)
            self.options["enable_precise_upscale"] = True
        except (TypeError, cv2.error):
            pass
        self.image = self.detector = None

    def about(self):
        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        return {
            "version": cv2.__version__,
            "threads": cv2.getNumThreads(),
            "description": f"cv2.SIFT_create({options})",
        }

    def prepare(self, file, max_features):
        self.image = cv2.imread(file, cv2.IMREAD_ANYCOLOR)
        if self.image is None:
            return {"problem": f"{file}: OpenCV cannot read it"}
        self.detector = cv2.SIFT_create(nfeatures=max_features, **self.options)
        keypoints, _ = self.detector.detectAndCompute(self.image, None)
        return {"keypoints": len(keypoints)}

    def run(self):
        begin = time.perf_counter()
        self.detector.detectAndCompute(self.image, None)
        return {"milliseconds": 1000 * (time.perf_counter() - begin)}


def answers():
    sift = None
    for line in sys.stdin:
        question = json.loads(line)
        if cv2 is None:
            yield {"problem": f"{sys.executable} has no cv2: pip install opencv-python-headless"}
        elif "threads" in question:
            sift = Sift(question)
            yield sift.about()
        elif "image" in question:
            yield sift.prepare(question["image"], question["max_features"])
        else:
            yield sift.run()


for answer in answers():
    print(json.dumps(answer), flush=True)
