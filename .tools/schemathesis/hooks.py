"""Compares the failures of a run with expected.json, and counts its requests.

A failure of that list is dropped; every other fails the run. main fails if a listed one did not occur, unless
it is rare and the run short, or if an operation never succeeded.
"""
import atexit
import collections
import itertools
import json
import os
import pathlib
import re
import sys
import urllib.parse

import schemathesis

EXPECTED = json.loads(pathlib.Path(__file__).with_name("expected.json").read_text())
REPORT = pathlib.Path(os.environ["FUZZAPI_REPORT"])
SHARE = int(os.environ["FUZZAPI_SHARE"])

# The rate limits hold for a key, so each account has several.
keys = {}
for name in "AGENCY_KEY", "RECRUITER_KEY":
    keys[os.environ[name]] = itertools.cycle(os.environ[name + "S"].split(","))

covered = itertools.count()
requests = collections.Counter()  # by status
occurred = collections.Counter()  # by position in EXPECTED
operations = {}  # whether one succeeded


@schemathesis.hook
def filter_case(context, case):
    """Takes one in FUZZAPI_SHARE of the cases that cover the document systematically, which are the most."""
    covers = case.meta is not None and type(case.meta.phase.data).__name__ == "CoveragePhaseData"
    return not covers or next(covered) % SHARE == 0


@schemathesis.hook
def before_call(context, case, kwargs):
    for headers in case.headers, kwargs.get("headers"):
        scheme, _, key = (headers or {}).get("Authorization", "").partition(" ")
        if key in keys:
            headers["Authorization"] = f"{scheme} {next(keys[key])}"


@schemathesis.hook
def after_call(context, case, response):
    requests[response.status_code] += 1
    operation = case.operation.label
    operations[operation] = operations.get(operation, False) or response.status_code == 200


@schemathesis.hook
def filter_failure(context, failure, case, response):
    rules = [find_rule(type(failure).__name__, text) for text in describe(failure, response)]
    if None in rules:
        return True
    occurred.update(set(rules))
    return False


def find_rule(failure, text):
    for position, rule in enumerate(EXPECTED):
        if rule["failure"] == failure and re.search(rule["pattern"], text):
            return position
    return None


def describe(failure, response):
    """Returns the texts that must all be expected.

    Of a request that was refused they are the problems that the answer names; of one that was accepted, the query
    parameters that violate the document, as name=value.
    """
    kind = type(failure).__name__
    if kind == "RejectedPositiveData":
        error = json.loads(response.content)["error"]
        details = error.get("details", {"formErrors": [], "fieldErrors": {}})
        problems = [problem for field in details["fieldErrors"].values() for problem in field]
        return details["formErrors"] + problems or [error["message"]]
    listed = re.search(r"Invalid component: parameters? (.*) in query", failure.message)
    if kind == "AcceptedNegativeData" and listed:
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(response.request.url).query, keep_blank_values=True)
        names = re.findall("`(.*?)`", listed[1])
        return [f"{name}={value}" for name in names for value in query.get(name, ["?"])]
    return [failure.message]


@atexit.register
def write_report():
    REPORT.write_text(json.dumps([requests, occurred, operations]))


def main():
    requests, occurred, operations = json.loads(REPORT.read_text())
    total = sum(requests.values())
    print(f"{total} requests:", ", ".join(f"{count} × {status}" for status, count in sorted(requests.items())))
    problems = [f"never succeeded: {name}" for name, succeeded in operations.items() if not succeeded]
    for position, rule in enumerate(EXPECTED):
        count = occurred.get(str(position), 0)
        print(f"{count:6} × {rule['failure']}, {rule['pattern']}: {rule['reason']}")
        if count == 0 and not (rule.get("rare") and SHARE > 1):
            problems.append(f"expected, and did not occur: {rule['pattern']}")
    if total < int(os.environ["FUZZAPI_LEAST"]):
        problems.append(f"want at least {os.environ['FUZZAPI_LEAST']} requests")
    sys.exit("\n".join(problems) or 0)


if __name__ == "__main__":
    main()
