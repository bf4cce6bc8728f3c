#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Times the calls of benchmarks/core, written as users of CuPy write them."""

import sys
import tempfile

sys.dont_write_bytecode = True
import timing

try:
    import cupy
except ImportError as error:
    timing.skip(f"CuPy is not installed: {error}")

try:
    cupy.cuda.Device(0).use()
    stream = cupy.cuda.Stream(non_blocking=True)
except Exception as error:
    timing.skip(f"no GPU for CuPy: {error}")

stream.use()
with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
    file.write(timing.PTX)
    file.flush()
    module = cupy.RawModule(path=file.name)
    kernels = {name: module.get_function(name) for name in ("none", "three", "sixteen")}
pool = cupy.cuda.MemoryAsyncPool()
cupy.cuda.set_allocator(pool.malloc)
arrays = tuple(cupy.empty(timing.SMALL, dtype=cupy.uint8) for _ in range(16))
staged = cupy.empty(timing.STAGED, dtype=cupy.uint8)


def capture():
    kernels["none"]((2,), (64,), ())  # loads the kernel, because loading may be invalid during a capture
    stream.begin_capture()
    kernels["none"]((2,), (64,), ())
    return stream.end_capture()


names = {
    **kernels, "SIZE": timing.ALLOCATED, "SMALL": timing.SMALL, "STAGED": timing.STAGED,
    "event": cupy.cuda.Event(disable_timing=True), "graph": timing.attempt(capture), "pool": pool, "stream": stream,
    "three_arrays": arrays[:3], "all_arrays": arrays, "a": arrays[0].data, "b": arrays[1].data, "staged": staged.data,
    "pinned": cupy.cuda.alloc_pinned_memory(timing.STAGED),
}
timing.run(f"CuPy {cupy.__version__}", {
    "launch of no arguments": "none((2,), (64,), ())",
    "launch of 3 arguments": "three((2,), (64,), three_arrays)",
    "launch of 16 arguments": "sixteen((2,), (64,), all_arrays)",
    "event record": "event.record(stream)",
    "stream query": "stream.done",
    "alloc and free": "pool.malloc(SIZE)",  # freed immediately, because no reference remains
    "copy of 64 B on the device": "b.copy_from_device_async(a, SMALL, stream)",
    "copy of 4 KB from pinned memory": "staged.copy_from_host_async(pinned.ptr, STAGED, stream)",
    "graph launch": "graph.launch(stream)",
}, names, stream.synchronize)
