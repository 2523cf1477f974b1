"""Joins two photographs of one plane, or from one place. Usage: align_photographs.py A B OUTPUT"""

import sys

import octavo

a, b, output = sys.argv[1:4]
both = octavo.align(a, b, max_features=4000)
if not both.homography.found:
    sys.exit(f"{a} and {b} do not fit: {both.homography.reason}")
for warning in both.warnings:
    print(f"warning: {warning.sentence}")
print(
    f"{both.homography.inlier_count} of {len(both.matches)} matches agree, to {both.homography.reprojection_error:.2f} pixels"
)
octavo.write(output, both.image)
