# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Shared by the scripts that time Python packages. Each prints {"CALL/PEER": [nanoseconds, ...]} for benchmarks/core_cost."""

import argparse
import json
import random
import sys
import timeit

# The kernels of benchmarks/core. They do nothing.
PTX = """
.version 7.0
.target sm_75
.address_size 64
.visible .entry none() { ret; }
.visible .entry three(.param .u64 a, .param .u64 b, .param .u64 c) { ret; }
.visible .entry sixteen(%s) { ret; }
""" % ", ".join(f".param .u64 a{i}" for i in range(16))
ALLOCATED, SMALL, STAGED = 64 << 10, 64, 4 << 10
PIECES = 64  # of a batch of copies, each of STAGED bytes
BATCH, BATCHES = 256, 40
CANNOT_RUN = 77


def skip(reason):
    """Prints the reason and exits with the status CANNOT_RUN."""
    print(reason, file=sys.stderr)
    sys.exit(CANNOT_RUN)


def attempt(make):
    """Returns the result of make(), or None if it fails. Statements that need the result are then skipped."""
    try:
        return make()
    except Exception as error:
        print(f"{make.__name__} failed: {error}", file=sys.stderr)
        return None


def works(name, timer):
    """Returns whether the statement can run. The calls also warm up memory and code."""
    try:
        timer.timeit(BATCH)
        return True
    except Exception as error:
        print(f"{name} is skipped: {error}", file=sys.stderr)
        return False


def run(peer, statements, names, wait):
    """Times statements in random order. They run in batches that fit into the queue of the device. wait() waits for a
    batch and is not timed. timeit runs each batch in a loop, without the garbage collector."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=5)
    repetitions = parser.parse_args().repetitions

    timers = {f"{call}/{peer}": timeit.Timer(statement, globals=names) for call, statement in statements.items()}
    timers = {name: timer for name, timer in timers.items() if works(name, timer)}
    times = {name: [] for name in timers}
    order = list(timers) * repetitions
    random.shuffle(order)
    for name in order:
        seconds = 0.0
        for _ in range(BATCHES):
            seconds += timers[name].timeit(BATCH)
            wait()
        times[name].append(seconds / (BATCH * BATCHES) * 1e9)
    json.dump(times, sys.stdout)
