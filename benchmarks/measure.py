# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Shared by the benchmark scripts: timing of commands, medians, and the format of a result line."""

import json
import os
import statistics
import subprocess
import sys
import time
import typing


CANNOT_RUN = 77  # exit status of a program that cannot run on this machine


def skip(reason):
    """Prints the reason and exits with the status CANNOT_RUN."""
    print(reason, file=sys.stderr)
    sys.exit(CANNOT_RUN)


def output_of(command, environment=None):
    """Returns the output of a command. Exits if the command fails, with CANNOT_RUN if the command exited with CANNOT_RUN."""
    run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.stderr.write(run.stderr)
    if run.returncode == CANNOT_RUN:
        sys.exit(CANNOT_RUN)  # the command has printed the reason
    if run.returncode != 0:
        sys.exit(f"failed with status {run.returncode}: {' '.join(map(str, command))}")
    return run.stdout


def cpu_seconds(command):
    """Returns the user and system CPU seconds of a command and its children. Exits if the command fails."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"failed with status {process.returncode}: {' '.join(map(str, command))}")
    return usage.ru_utime + usage.ru_stime


class Seconds(typing.NamedTuple):
    wall: float
    cpu: float


def seconds(*commands):
    """Returns the wall and CPU seconds of the commands, which run one after another."""
    start = time.perf_counter()
    cpu = sum(cpu_seconds(command) for command in commands)
    return Seconds(time.perf_counter() - start, cpu)


def median(values):
    """Returns the median, or the median of each member if the values are tuples such as Seconds."""
    if isinstance(values[0], tuple):
        return type(values[0])(*map(statistics.median, zip(*values)))
    return statistics.median(values)


def in_turn(measurements, rounds):
    """Returns {name: median} of measurements {name: function}. They run in turn, so that slow phases of the machine
    affect all equally."""
    values = {name: [] for name in measurements}
    for done in range(rounds):
        if sys.stderr.isatty():
            print(f"\r  round {done + 1} of {rounds}", end="", file=sys.stderr, flush=True)
        for name, measure in measurements.items():
            values[name].append(measure())
    if sys.stderr.isatty():
        print("\r" + " " * 30, end="\r", file=sys.stderr, flush=True)
    return {name: median(each) for name, each in values.items()}


def repeated(program, repetitions, value="cpu_time"):
    """Returns {benchmark: all values} of a Google Benchmark program. The repetitions of all benchmarks run in random order."""
    output = output_of([program, "--benchmark_format=json", "--benchmark_enable_random_interleaving=true",
                        f"--benchmark_repetitions={repetitions}", "--benchmark_min_time=0.02"])
    values = {}
    for row in json.loads(output)["benchmarks"]:
        if row["run_type"] == "iteration":
            values.setdefault(row["run_name"], []).append(row[value])
    return values


def nanoseconds(program, repetitions, value="cpu_time"):
    """Returns {benchmark: median of a value} of a Google Benchmark program."""
    return {name: statistics.median(each) for name, each in repeated(program, repetitions, value).items()}


def report(figure, measured, baseline, unit, *, budget=None, budget_of="ratio"):
    """Prints one tab-separated row. `budget` limits the ratio, the difference or the measured value, as `budget_of` selects."""
    difference = measured - baseline
    ratio = measured / baseline
    value, text = {
        "ratio": (ratio, f"{budget} x"),
        "difference": (difference, f"+{budget} {unit}"),
        "measured": (measured, f"{budget} {unit}"),
    }[budget_of]
    if budget is None:
        text = verdict = "-"
    else:
        verdict = "holds" if round(value, 2) <= budget else "MISSED"
    number = "{:.1f}" if max(measured, baseline) >= 20 else "{:.2f}"
    signed_difference = ("" if difference < 0 else "+") + number.format(difference)
    cells = (figure, f"{number.format(measured)} {unit}", f"{number.format(baseline)} {unit}", f"{signed_difference} {unit}",
             f"{ratio:.2f}", text, verdict)
    print(*cells, sep="\t", flush=True)
