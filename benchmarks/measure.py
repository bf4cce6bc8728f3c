# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""What the benchmark scripts share: timing of commands, medians, and the form of a result line."""

import json
import os
import statistics
import subprocess
import sys
import time
import typing


NOT_HERE = 77  # the status of what cannot run on this machine


def skip(reason):
    """Ends the program, which cannot run on this machine."""
    print(reason, file=sys.stderr)
    sys.exit(NOT_HERE)


def output_of(command, environment=None):
    """What a command prints. Ends the program if it fails, or with it if it says that it cannot run here."""
    run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.stderr.write(run.stderr)
    if run.returncode == NOT_HERE:
        sys.exit(NOT_HERE)  # it has said why
    if run.returncode != 0:
        sys.exit(f"failed with status {run.returncode}: {' '.join(map(str, command))}")
    return run.stdout


def cpu_seconds(command):
    """CPU seconds, user and system, that one command and its children took. Ends the program if it fails."""
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
    """Wall and CPU seconds that the commands took, one after another."""
    start = time.perf_counter()
    cpu = sum(cpu_seconds(command) for command in commands)
    return Seconds(time.perf_counter() - start, cpu)


def median(values):
    """The median, of each member on its own where the values are tuples such as Seconds."""
    if isinstance(values[0], tuple):
        return type(values[0])(*map(statistics.median, zip(*values)))
    return statistics.median(values)


def in_turn(measurements, rounds):
    """Medians of measurements (name to function), made A B C A B C ... so that a slow moment of the machine hits all alike."""
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
    """All values per benchmark of a Google Benchmark program, the repetitions of all of them in random order."""
    output = output_of([program, "--benchmark_format=json", "--benchmark_enable_random_interleaving=true",
                        f"--benchmark_repetitions={repetitions}", "--benchmark_min_time=0.02"])
    values = {}
    for row in json.loads(output)["benchmarks"]:
        if row["run_type"] == "iteration":
            values.setdefault(row["run_name"], []).append(row[value])
    return values


def nanoseconds(program, repetitions, value="cpu_time"):
    """Median of a value per benchmark of a Google Benchmark program."""
    return {name: statistics.median(each) for name, each in repeated(program, repetitions, value).items()}


def report(figure, measured, baseline, unit, *, budget=None, budget_of="ratio"):
    """Prints one tab-separated row. `budget` limits the ratio, the difference, or the measured value itself."""
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
    cells = (figure, f"{number.format(measured)} {unit}", f"{number.format(baseline)} {unit}",
             f"{number.format(difference) if difference < 0 else '+' + number.format(difference)} {unit}", f"{ratio:.2f}", text, verdict)
    print(*cells, sep="\t", flush=True)
