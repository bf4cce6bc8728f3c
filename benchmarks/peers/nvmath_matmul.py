#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Times the 20 products of matrices of `math_matmul_benchmark --shapes` with nvmath-python, tuned by its autotune(), as that program does: the
time on the device of one of many executions, and the time of the host for one. Requires a GPU, nvmath-python and PyTorch."""

import pathlib
import re
import statistics
import time

import nvmath
import torch

CLOCK_KILOHERTZ = 2_000_000
SHAPE = re.compile(r"\{(\d+), (\d+), (\d+), (true|false)\}")


def milliseconds(product, repeats, device_milliseconds=0):
    start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    # The host submits all of them before the first begins, unless each takes longer on the device than its submission. An idle
    # device would then calculate faster for a while.
    torch.cuda._sleep(int(max(0.12 - device_milliseconds, 0) * repeats * CLOCK_KILOHERTZ))
    start.record()
    for _ in range(repeats):
        product.execute()
    stop.record()
    stop.synchronize()
    return start.elapsed_time(stop) / repeats


def host_microseconds(product, repeats):
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(repeats):
        product.execute()
    passed = time.perf_counter() - start
    torch.cuda.synchronize()
    return passed / repeats * 1e6


shapes = SHAPE.findall((pathlib.Path(__file__).parents[1] / "math/matmul.cpp").read_text(encoding="utf-8"))
stream = torch.cuda.Stream()
print(f"nvmath-python {nvmath.__version__}\n| m | n | k | type | tuned, us | host, us |\n|---|---|---|---|---|---|")
with torch.cuda.stream(stream):
    for m, n, k, is_float in [(int(m), int(n), int(k), each == "true") for m, n, k, each in shapes]:
        dtype = torch.float32 if is_float else torch.float16
        a, b = torch.ones(m, k, dtype=dtype, device="cuda"), torch.ones(k, n, dtype=dtype, device="cuda")
        with nvmath.linalg.advanced.Matmul(a, b, options={"memory_limit": 32 << 20}) as product:
            product.plan(preferences={"limit": 16})
            product.autotune(iterations=15)
            once = milliseconds(product, 5)
            repeats = int(min(max(2 / max(once, 1e-3), 3), 200))
            device = statistics.median(milliseconds(product, repeats, once) for _ in range(62)) * 1e3
            host = statistics.median(host_microseconds(product, 32) for _ in range(11))
            print(f"| {m} | {n} | {k} | {'float32' if is_float else 'float16'} | {device:.2f} | {host:.2f} |", flush=True)
