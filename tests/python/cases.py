"""Runs the cases of one client and prints a line of JSON for each: its name, and "ok" or what went wrong."""

import json
import os
import sys
import traceback

URL = os.environ["SLUICE_URL"]
KEY = os.environ["SLUICE_KEY"]
CAPITAL = "Paris is the capital of France."
FORECAST = "Sun in Paris, rain in Rome."
QUESTION = "What is the capital of France?"
WEATHER = "How is the weather in Paris and Rome?"


def run(cases):
    for case in cases:
        try:
            case()
            told = "ok"
        except BaseException:  # a client may exit by itself, which is a failure of its case
            told = traceback.format_exc()[-2000:]
        print(json.dumps({"name": case.__name__, "told": told}))
        sys.stdout.flush()


def same(found, expected):
    assert found == expected, f"{found!r} is not {expected!r}"


def raised(kind, work):
    try:
        work()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} was raised")
