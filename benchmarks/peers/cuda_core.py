#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Times the calls of benchmarks/core, written as users of cuda.core write them."""

import sys

sys.dont_write_bytecode = True
import timing

try:
    import cuda.core as core
except ImportError as error:
    timing.skip(f"cuda.core is not installed: {error}")

try:
    device = core.Device(0)
    device.set_current()
except Exception as error:
    timing.skip(f"no GPU for cuda.core: {error}")

stream = device.create_stream()
code = core.ObjectCode.from_ptx(timing.PTX.encode())
kernels = {name: code.get_kernel(name) for name in ("none", "three", "sixteen")}
config = core.LaunchConfig(grid=2, block=64)
buffers = [device.allocate(timing.SMALL, stream=stream) for _ in range(16)]


def capture():
    builder = device.create_graph_builder().begin_building()
    core.launch(builder, config, kernels["none"])
    return builder.end_building().complete()


names = {
    **kernels, "SIZE": timing.ALLOCATED, "config": config, "device": device, "event": device.create_event(),
    "graph": timing.attempt(capture), "launch": core.launch, "stream": stream,
    "a": buffers[0], "b": buffers[1], "c": buffers[2], "all_buffers": tuple(buffers),
    "staged": device.allocate(timing.STAGED, stream=stream),
    "pinned": core.LegacyPinnedMemoryResource().allocate(timing.STAGED, stream=stream),
}
timing.run(f"cuda.core {core.__version__}", {
    "launch of no arguments": "launch(stream, config, none)",
    "launch of 3 arguments": "launch(stream, config, three, a, b, c)",
    "launch of 16 arguments": "launch(stream, config, sixteen, *all_buffers)",
    "event record": "stream.record(event)",
    "alloc and free": "device.allocate(SIZE, stream=stream).close(stream)",
    "copy of 64 B on the device": "a.copy_to(b, stream=stream)",
    "copy of 4 KB from pinned memory": "pinned.copy_to(staged, stream=stream)",
    "graph launch": "graph.launch(stream)",
}, names, stream.sync)
