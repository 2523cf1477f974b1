"""Adds the options of the library's tables to the documentation of what takes them."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any

_WIDTH = 110


def _number(value: float) -> str:
    return f"{value:.15g}"


def _range(facts: dict[str, Any]) -> str:
    if facts["words"]:
        return " | ".join(f'"{word}"' for word in facts["words"])
    if facts["low"] is None:
        return ""
    text = f"{_number(facts['low'])} to {_number(facts['high'])}"
    if facts["odd"]:
        text += ", odd"
    return text if facts["special"] is None else f"{text}, or {_number(facts['special'])}"


def _entry(facts: dict[str, Any]) -> str:
    details = [part for part in (_range(facts), facts["unit"] and f"[{facts['unit']}]") if part]
    head = f"{facts['name']} = {facts['default']!r}{'  (' + ' '.join(details) + ')' if details else ''}"
    body = textwrap.wrap(facts["sentence"].replace("`octavo devices`", "`devices()`"), _WIDTH - 8)
    return "\n".join([f"    {head}", *(f"        {line}" for line in body)])


def options_text(tables: dict[str, Any], *names: str) -> str:
    """The options of these tables, for documentation."""
    parts = []
    for name in names:
        entries = [_entry(facts) for facts in tables[name]["options"] if facts["name"] not in ("device",)]
        title = _TITLES.get(name) or f'{tables[name]["title"]} (detector="{name}")'
        parts.append("\n".join([f"Options of {title}:", *entries]))
        if tables[name]["presets"]:
            parts.append(f"Presets of {title}: {', '.join(tables[name]['presets'])}.")
    return "\n\n".join(parts)


_TITLES = {
    "device": "devices",
    "match": "matching",
    "trilateral": "the trilateral filter",
    "vocabulary": "the training",
}


def add_options() -> None:
    """Completes the documentation of classes and functions."""
    from . import _extractor, _inspection, _matcher, _octavo, _pyramid, _trilateral

    tables = _octavo.option_tables()
    detectors = _octavo.detectors
    for thing, names in (
        (_extractor.Extractor, (*detectors, "device")),
        (_extractor.extract, (*detectors, "device")),
        (_inspection.inspect, (*detectors, "device")),
        (_matcher.Matcher, ("match", "device")),
        (_matcher.match, ("match", "device")),
        (_trilateral.Trilateral, ("trilateral", "device")),
        (_trilateral.trilateral, ("trilateral", "device")),
        (_pyramid.Pyramid, ("sift", "device")),
    ):
        thing.__doc__ = f"{inspect.cleandoc(thing.__doc__ or '')}\n\n{options_text(tables, *names)}\n"
