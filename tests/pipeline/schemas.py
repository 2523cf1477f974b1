"""The schemas of docs/schemas, and what output lacks to be what they say."""

import functools
import json
from pathlib import Path

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"


def closed(schema):
    """The schema without members that it does not name. Published schemas are open: rare cases add members."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {key: closed(value) for key, value in schema.items()}
    if "properties" in schema and schema.get("type") == "object":
        strict.setdefault("additionalProperties", False)
    return strict


@functools.cache
def registry():
    files = [(path.name, closed(json.loads(path.read_text()))) for path in SCHEMAS.glob("*.json")]
    return Registry().with_resources([(name, Resource.from_contents(schema)) for name, schema in files])


def faults(reference, printed):
    """Where this differs from a schema, such as "match.json", or from a part of it, "match.json#/$defs/part"."""
    found = Draft202012Validator({"$ref": reference}, registry=registry()).iter_errors(printed)
    return [f"{fault.json_path}: {fault.message[:300]}" for fault in found]
