# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest for scripts/run-foreign-suites: selects tests, records their outcomes, and has what the suites expect."""
import json
import os
import zlib

import pytest

RESULTS = os.environ["CUBIND_FOREIGN_RESULTS"]
SAMPLE = int(os.environ["CUBIND_FOREIGN_SAMPLE"])
ONLY = os.environ.get("CUBIND_FOREIGN_TEST")


def write(test, outcome, reason=""):
    with open(RESULTS, "a", encoding="utf-8") as file:
        file.write(json.dumps([test, outcome, reason]) + "\n")


def recorded_tests():
    with open(RESULTS, encoding="utf-8") as file:
        return {json.loads(line)[0] for line in file}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Keeps the tests of the sample that have no outcome yet, or the one that is repeated."""
    done = recorded_tests()

    def is_selected(item):
        if ONLY is not None:
            return item.nodeid == ONLY
        return zlib.crc32(item.nodeid.encode()) % SAMPLE == 0 and item.nodeid not in done

    config.hook.pytest_deselected(items=[item for item in items if not is_selected(item)])
    items[:] = [item for item in items if is_selected(item)]


def pytest_runtest_logstart(nodeid):
    """If the process ends during a test, this line tells which test it was."""
    write(nodeid, "failed", "the process ended, or the test took too long")


def pytest_runtest_logreport(report):
    """Later lines replace earlier ones, except that a failure at the end of a test is kept."""
    if report.when == "call" or not report.passed:
        reason = str(report.longrepr).strip().splitlines()[-1] if report.longrepr else ""
        write(report.nodeid, "expected" if hasattr(report, "wasxfail") else report.outcome, reason)


@pytest.fixture(scope="class")
def initialize_from_pytest_config(request):
    """The tests of numba-cuda request this fixture, which its repository has beside its wheel."""
    request.cls._dump_failed_filechecks = False
