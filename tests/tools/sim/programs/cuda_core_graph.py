# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Captures launches of a kernel into a graph with cuda.core, and launches the graph three times.

Expected output:
value after 3 graphs: 21
"""
import ctypes

from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, Program, ProgramOptions, launch

SOURCE = 'extern "C" __global__ void next(int* value, int factor, int addend) { *value = *value * factor + addend; }'

device = Device()
device.set_current()
stream = device.create_stream()
kernel = Program(SOURCE, code_type="c++", options=ProgramOptions(arch="sm_90")).compile("cubin").get_kernel("next")
buffer = LegacyPinnedMemoryResource().allocate(4)
value = ctypes.c_int.from_address(int(buffer.handle))
value.value = 0
once = LaunchConfig(grid=1, block=1)
builder = device.create_graph_builder().begin_building()
launch(builder, once, kernel, buffer, ctypes.c_int(2), ctypes.c_int(1))
launch(builder, once, kernel, buffer, ctypes.c_int(1), ctypes.c_int(2))
graph = builder.end_building().complete()
for _ in range(3):
    graph.launch(stream)
stream.sync()
print("value after 3 graphs:", value.value)
