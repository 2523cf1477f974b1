"""How two descriptors withstand changes of a photograph. Usage: compare_descriptors.py PHOTOGRAPH PAGE"""

import sys

import octavo

photograph, page = sys.argv[1:3]
compared = octavo.evaluate_robustness(
    photograph,
    {"sift": {"descriptor": "sift"}, "rootsift": {"descriptor": "rootsift"}},
    kinds=["perspective", "blur"],
    max_features=1000,
    page=page,
)
for kind, strengths in compared.strengths.items():
    for name, one in compared.configurations.items():
        right = [means.correct[2] for means in one.curves[kind]]  # within 3 pixels
        print(
            f"{kind}, {name}: "
            + ", ".join(f"{number:.0f} at {at:g}" for at, number in zip(strengths, right, strict=True))
        )
for problem in compared.problems + compared.warnings:
    print(problem)
