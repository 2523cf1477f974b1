"""Prints the reference of the Python package, a page of Markdown, from the docstrings of the installed package. `./dev docs`
makes a page of the site of it. A public name without a docstring, and a parameter or result without a type, is a fault.

usage: make_reference.py      prints the page; faults go to the error stream, and the exit code is 1
"""

import dataclasses
import inspect
import sys

import octavo
import octavo.cv2
import octavo.errors
import octavo.geometry
import octavo.jobs
import octavo.ray
import octavo.video

HEAD = """# Python reference

This page is made from the docstrings of the package. `help(octavo)` shows the same. [Octavo in Python](python.md) is the
introduction.
"""

GROUPS = {
    "Extraction": ["extract", "Extractor", "Features", "Description", "DeviceFeatures", "KEYPOINT", "DESCRIPTOR_LENGTH"],
    "Matching": ["match", "Matcher", "Matches", "MATCH", "DescriptorScale", "OtherFeatures"],
    "Filter and scale space": ["trilateral", "Trilateral", "Pyramid", "PyramidOctave", "fit_range"],
    "Inspection": [
        "inspect", "Inspection", "StagePlane", "InspectedOctave", "InspectedScale", "BlurKernel",
        "DirectionalFilter", "CANDIDATE", "VERDICTS",
    ],
    "Evaluation": [
        "evaluate", "evaluate_robustness", "evaluate_crops", "evaluate_corners", "score_pair", "PairScores", "OVERLAP_ERRORS", "covisible", "corner_error",
    ],
    "Similar images": [
        "Vocabulary", "train_vocabulary", "VocabularyTraining", "VladEncoder", "vlad_product", "vlad_similarity",
        "most_similar_images", "FeatureQuantiser",
    ],
    "Files of images": ["read", "write", "camera_facts", "draw_keypoints", "draw_matches", "read_features"],
    "Photographs": [
        "align", "refine_matches", "mosaic", "pairs", "colmap", "sfm", "localise", "export_model", "read_model",
    ],
    "Devices and options": [
        "devices", "Device", "missing_drivers", "MissingDriver", "selftest", "SelftestResult", "MemoryEstimate",
        "available_host_memory", "option_facts", "OptionFacts", "presets",
    ],
    "Errors": ["Error", "InvalidOption", "UnknownOption", "WrongType", "InvalidArgument", "DeviceUnavailable", "OutOfMemory", "FileError"],
}  # fmt: skip
MODULES = (octavo.geometry, octavo.jobs, octavo.video)  # each names what users see in __all__


def text_of(thing):
    """The docstring, with the list of options as a block."""
    parts = inspect.cleandoc(thing.__doc__ or "").split("\n\nOptions of ")
    text = parts[0]
    for part in parts[1:]:
        title, _, entries = part.partition("\n")
        entries, _, presets = entries.partition("\n\n")
        text += f"\n\nOptions of {title}\n\n```text\n{inspect.cleandoc(entries)}\n```"
        text += f"\n\n{presets}" if presets else ""
    return text


def signature_of(name, thing):
    try:
        return f"{name}{inspect.signature(thing)}".replace("octavo._octavo.", "")
    except ValueError:
        return name


def members(kind):
    """What a class has, also from its bases that have no names of their own for users."""
    own = [one for one in kind.__mro__ if one is kind or one.__module__ in ("octavo._on_device", "octavo._jobs")]
    return {name: member for one in reversed(own) for name, member in vars(one).items()}


def members_of(thing):
    for name, member in members(thing).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield f"- `{name}`: {inspect.cleandoc(member.__doc__ or '').replace(chr(10), ' ')}"
        elif isinstance(member, (staticmethod, classmethod)) or inspect.isfunction(member):
            function = inspect.unwrap(getattr(thing, name))
            yield f"- `{signature_of(name, function)}`: {inspect.cleandoc(function.__doc__ or '').replace(chr(10), ' ')}"


def entry(name, thing):
    if not callable(thing):
        return f"### octavo.{name}\n\n`{thing!r}`"
    lines = [f"### octavo.{name}", f"```python\n{signature_of(name, thing)}\n```", text_of(thing)]
    if inspect.isclass(thing) and not issubclass(thing, Exception):
        if "__init__" in vars(thing) and thing.__init__.__doc__ and not dataclasses.is_dataclass(thing):
            lines.append(inspect.cleandoc(thing.__init__.__doc__))
        listed = "\n".join(members_of(thing))
        if listed:
            lines.append(listed)
    return "\n\n".join(line for line in lines if line)


def functions_of(name, thing):
    """The functions, methods and properties that users call by this name, each with its full name."""
    if not inspect.isclass(thing):
        if inspect.isroutine(thing):
            yield name, thing
        return
    for member_name, member in members(thing).items():
        if member_name.startswith("_"):
            continue
        if isinstance(member, property):
            yield f"{name}.{member_name}", member.fget
        elif isinstance(member, (staticmethod, classmethod)) or inspect.isfunction(member):
            yield f"{name}.{member_name}", inspect.unwrap(getattr(thing, member_name))


def lacks_types(function):
    try:
        signature = inspect.signature(function)
    except ValueError:  # a property of the compiled module
        return False
    typed = [one.annotation for one in signature.parameters.values() if one.name not in ("self", "cls")]
    return inspect.Signature.empty in [*typed, signature.return_annotation]


def faults():
    grouped = [name for names in GROUPS.values() for name in names]
    for name in sorted(set(octavo.__all__) - {*grouped, "Progress", "__version__"}):
        yield f"octavo.{name}: GROUPS lacks it"
    named = [(f"octavo.{name}", getattr(octavo, name)) for name in grouped]
    for module in MODULES:
        named += [(f"{module.__name__}.{name}", getattr(module, name)) for name in module.__all__]
    for name, thing in named:
        if callable(thing) and not inspect.getdoc(thing):
            yield f"{name}: has no docstring"
        for function_name, function in functions_of(name, thing):
            if not inspect.getdoc(function):
                yield f"{function_name}: has no docstring"
            if lacks_types(function):
                yield f"{function_name}: a parameter or the result has no type"


def page():
    parts = [HEAD]
    for title, names in GROUPS.items():
        parts.append(f"## {title}\n\n" + "\n\n".join(entry(name, getattr(octavo, name)) for name in names) + "\n")
    parts.append("## octavo.cv2\n\n" + inspect.cleandoc(octavo.cv2.__doc__) + "\n")
    twins = (
        "SIFT_create", "SIFT", "Feature2D", "BFMatcher", "FlannBasedMatcher", "DescriptorMatcher", "DescriptorMatcher_create",
        "AffineFeature", "BOWImgDescriptorExtractor", "to_keypoints",
        "from_keypoints", "packed_octave",
    )  # fmt: skip
    parts.append("\n\n".join(entry(f"cv2.{name}", getattr(octavo.cv2, name)) for name in twins) + "\n")
    for module in MODULES:
        name = module.__name__
        entries = "\n\n".join(entry(f"{name[7:]}.{one}", getattr(module, one)) for one in module.__all__)
        parts.append(f"## {name}\n\n" + inspect.cleandoc(module.__doc__) + f"\n\n{entries}\n")
    parts.append("## octavo.ray\n\n" + inspect.cleandoc(octavo.ray.__doc__) + "\n")
    jobs = (
        "extract",
        "pairs",
        "colmap",
        "index",
        "search",
        "Workers",
        "Outcome",
        "Problem",
        "features",
        "features_of",
        "Extract",
    )
    parts.append("\n\n".join(entry(f"ray.{name}", getattr(octavo.ray, name)) for name in jobs) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page())
    found = list(faults())
    sys.stderr.write("".join(f"{fault}\n" for fault in found))
    sys.exit(1 if found else 0)
