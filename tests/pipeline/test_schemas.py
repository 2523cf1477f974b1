"""What commands print with --json is what docs/schemas says (JSON Schema 2020-12), a schema for each command."""

import json
import shlex
from collections import defaultdict

import pytest
from jsonschema import Draft202012Validator

from every_command import CALLS, every, inputs, words_of  # noqa: F401
from schemas import SCHEMAS, faults
from test_call import COMMANDS

# Calls beside those of every command, for other forms of the output.
MORE = [
    "extract photos/0.png",
    "extract photos/0.png --detector foagdd",
    "extract photos/0.png --affine",
    "extract photos --skip-existing --output keypoints --format npz",
    "extract photos --estimate",
    "describe photos/0.png --keypoints keypoints/0.png.npz --estimate",
    "match photos/0.png photos/1.png",
    "match photos/0.png photos/1.png --verify homography",
    "match photos/0.png photos/1.png --verify fundamental",
    "match photos/0.png photos/1.png --verify essential --camera 200,200,100,80",
    "match photos --verify homography",
    "mosaic photos/0.png photos/1.png photos/2.png --projection cylinder",
    "evaluate set --configuration octavo: --configuration 'corners: --detector foagdd' --max-features 50",
    "evaluate crops photos/0.png --crop-sizes 64x64 --changes clean,noise:9 --configuration a: --configuration b:",
    "filter trilateral photos/0.png --estimate",
    "inspect photos/0.png --output foagdd --detector foagdd",
    "inspect photos/0.png --estimate",
    "video search a.avi b.avi --index archive --min-seconds 0.5",
    "video duplicates --index archive --min-seconds 0.5 --all",
    "video compare a.avi b.avi --min-seconds 0.5",
    "video frames a.avi --contact-sheet sheet.png",
    "video places a.avi b.avi photos",
    "bench extract photos/0.png --rounds 2 --warmup 0 --mode throughput",
    "bench filter photos/0.png --rounds 2 --warmup 0",
    "bench filter photos/0.png --rounds 2 --warmup 0 --sizes 100x80,64x64",
    "bench filter photos/0.png --rounds 2 --warmup 0 --devices cpu@1 --sizes 100x80",
    "bench extract photos/0.png --rounds 2 --warmup 0 --sizes 100x80,64x64",
    "bench match --descriptor-counts 30,50 --rounds 2 --warmup 0",
    "bench pyramid photos/0.png --rounds 2 --warmup 0",
    "bench report photos/0.png --rounds 2 --warmup 0 --devices cpu@1 --sizes 100x80 --max-features all",
]
WITHOUT_DEVICE = ["video search", "video duplicates", "video frames"]


def schema_of(command):
    return SCHEMAS / f"{command.replace(' ', '-')}.json"


def members(schema):
    """Each member that a schema names, with the kind of its value; all numbers are of one kind."""
    if isinstance(schema, list):
        for one in schema:
            yield from members(one)
    if not isinstance(schema, dict):
        return
    for key, value in schema.get("properties", {}).items():
        types = value.get("type", [])
        for kind in {"number" if one == "integer" else one for one in ([types] if isinstance(types, str) else types)}:
            if kind != "null":
                yield key, kind
    for value in schema.values():
        yield from members(value)


def command_of(words):
    return " ".join(words[:2]) if " ".join(words[:2]) in COMMANDS else words[0]


def calls():
    own = [(name, words_of(name)) for name in CALLS if schema_of(command_of(shlex.split(CALLS[name]))).exists()]
    for name, words in own:
        yield pytest.param([word for word in words if word != "--json"], id=name)
    for line in MORE:
        words = shlex.split(line)
        is_without = command_of(words) in WITHOUT_DEVICE or "--devices" in words
        yield pytest.param(words + ([] if is_without else ["--device", "cpu"]), id=line)


def test_every_command_with_json_has_a_schema(octavo):
    printing = [command for command in COMMANDS if "\n  --json\n" in octavo("help", *command.split())]
    assert {path.name for path in SCHEMAS.glob("*.json")} == {
        "definitions.json",
        *(schema_of(one).name for one in printing),
    }


# The same measures, once and for several thresholds; a column of a table, whose cells are texts.
OF_SEVERAL_KINDS = {"precision", "size"}


def test_a_key_is_of_one_kind_in_all_commands():
    kinds = defaultdict(lambda: defaultdict(set))
    for path in SCHEMAS.glob("*.json"):
        for key, kind in members(json.loads(path.read_text())):
            kinds[key][kind].add(path.stem)
    several = {key: dict(those) for key, those in kinds.items() if len(those) > 1}
    assert {key: those for key, those in several.items() if key not in OF_SEVERAL_KINDS} == {}
    assert several.keys() == OF_SEVERAL_KINDS  # no longer than it need be


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.json")), ids=lambda path: path.stem)
def test_a_schema_is_one(path):
    Draft202012Validator.check_schema(json.loads(path.read_text()))


@pytest.mark.parametrize("words", calls())
def test_output_is_what_the_schema_says(every, words):  # noqa: F811
    command = command_of(words)
    if command == "sfm" and not (every.folder / "mapper").exists():
        pytest.skip("lacks colmap, of Debian's package colmap")
    if command == "filter trilateral" and "--estimate" not in words:
        pytest.skip("prints JSON with --estimate alone")
    assert faults(schema_of(command).name, json.loads(every(*words, "--json"))) == []
