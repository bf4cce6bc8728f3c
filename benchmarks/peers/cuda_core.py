#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Times the calls of benchmarks/core, written as users of cuda.core write them."""

import sys

sys.dont_write_bytecode = True
import timing

try:
    import cuda.core as core
    import cuda.core.graph as graphs
    import cuda.core.utils
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


def define():
    """Returns an executable graph with one kernel, and the node of its definition."""
    definition = graphs.GraphDefinition()
    node = definition.launch(config, kernels["three"], *buffers[:3])
    return definition.instantiate(), node, definition


def define_condition():
    """Returns a graph whose condition is 0, so that a launch evaluates it and runs no kernel."""
    definition = graphs.GraphDefinition()
    branch = definition.if_then(definition.create_condition(0))
    branch.then.launch(config, kernels["none"])
    return definition.instantiate(), definition


def view_matrix():
    """Returns the matrix that the tensor map describes."""
    import numpy

    matrix = device.allocate(256 * 64 * 4, stream=stream)
    return core.utils.StridedMemoryView.from_buffer(matrix, (64, 256), dtype=numpy.dtype("float32"))


executable, node, definition = timing.attempt(define) or (None, None, None)
pieces = [device.allocate(timing.STAGED, stream=stream) for _ in range(2 * timing.PIECES)]
names = {
    **kernels, "SIZE": timing.ALLOCATED, "config": config, "device": device, "event": device.create_event(),
    "graph": timing.attempt(capture), "launch": core.launch, "stream": stream,
    "a": buffers[0], "b": buffers[1], "c": buffers[2], "all_buffers": tuple(buffers),
    "staged": device.allocate(timing.STAGED, stream=stream),
    "code": code, "core": core, "executable": executable, "node": node, "four_zeros": bytes(4),
    "conditional": (timing.attempt(define_condition) or (None,))[0], "matrix": timing.attempt(view_matrix),
    "copy_batch": getattr(core.utils, "copy_batch", None), "from_pieces": pieces[:timing.PIECES], "to_pieces": pieces[timing.PIECES:],
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
    "event create and destroy": "device.create_event().close()",
    "device attribute": "device.properties.multiprocessor_count",
    "current device": "core.Device()",
    "kernel lookup": "code.get_kernel('none')",
    "fill of 4 KB": "staged.fill(four_zeros, stream=stream)",
    "copy of a batch of 64 pieces": "copy_batch(stream, from_pieces, to_pieces)",
    "graph node update": "executable[node].update(config=config, kernel=three, args=(a, b, c))",
    "conditional graph launch": "conditional.launch(stream)",
    "tensor map": "matrix.as_tensor_map((8, 32))",
}, names, stream.sync)
