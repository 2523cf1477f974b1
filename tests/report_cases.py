"""Tells which cases of the last tests failed or were skipped, from the accounts that GoogleTest and pytest write in JUnit's
format. usage: report_cases.py forget|tell FOLDER. ctest calls `forget` before its tests, and `tell` after them."""

import sys
from pathlib import Path
from xml.etree import ElementTree


def outcomes(account):
    """(outcome, case, reason) of every case that failed or was skipped."""
    for case in ElementTree.parse(account).iter("testcase"):
        for outcome in ("failure", "error", "skipped"):
            for found in case.iter(outcome):
                # GoogleTest's first line is the place in the source, pytest's first line the reason.
                lines = (found.get("message") or found.text or "").strip().splitlines() or [""]
                yield outcome, f"{case.get('classname')}.{case.get('name')}", lines[-1 if outcome == "skipped" else 0]


def main(step, folder):
    accounts = sorted(Path(folder).glob("*.xml"))
    if step == "forget":
        for account in accounts:
            account.unlink()
        return
    told = [line for account in accounts for line in outcomes(account)]
    for words, wanted in (("skipped", ("skipped",)), ("failed", ("failure", "error"))):
        lines = [f"\t{case}: {reason}" for outcome, case, reason in told if outcome in wanted]
        if lines:
            print(f"\nThe following cases {'were ' * (words == 'skipped')}{words}:", *lines, sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
