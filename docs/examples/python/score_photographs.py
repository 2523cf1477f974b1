"""Why points are kept, and how good the matches of two photographs of a plane are. Usage: score_photographs.py A B HOMOGRAPHY"""

import sys

import cv2

import octavo

a, b = (cv2.imread(file, cv2.IMREAD_GRAYSCALE) for file in sys.argv[1:3])
file = cv2.FileStorage(sys.argv[3], cv2.FILE_STORAGE_READ)
b_from_a = file.getFirstTopLevelNode().mat()

inspection = octavo.inspect(a, stages=["difference"], max_features=2000)
for octave in inspection.octaves:
    print(f"octave {octave.octave}: {octave.verdicts}")
weak = inspection.with_verdict("low contrast")  # records: x, y, scale, value ...
finest = inspection.planes[0].pixels  # a difference of Gaussians, height x width in float32
print(f"{len(weak)} points are weak; the finest differences lie between {finest.min():.3f} and {finest.max():.3f}")

of_a, of_b = inspection.features, octavo.extract(b, max_features=2000)
size_a, size_b = a.shape[::-1], b.shape[::-1]
scores = octavo.score_pair(of_a, of_b, size_a, size_b, homography=b_from_a)
print(f"repeatability at 1 to 10 pixels: {scores.repeatability.round(3)}")
print(f"matching accuracy:               {scores.matching_accuracy.round(3)}")
print(f"{scores.correct[2]} of {scores.matches} matches are right within 3 pixels")
