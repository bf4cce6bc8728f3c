# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Lets GDB print buffers, owners and views of cubind by what they own: an address and a size, or a handle.

In a GDB session: source cubind_gdb.py. An installation of shared libraries lets GDB load it with libcubind_core.so.
"""
import re

import gdb

# Any version of cubind, whose inline namespace is a part of each name.
NAME = re.compile(r"^cubind::v\d+_\d+::(\w+)(<.*>)?$")
# Handles of the default streams, which are no addresses.
DEFAULT_STREAMS = {0: "default stream", 1: "legacy default stream", 2: "default stream of the thread"}
NO_STREAM = 2**64 - 1  # of a stream that was moved or closed


def text_of_memory(name, buffer, content, offset=0):
    """Describes a buffer whose bytes are in `buffer`. `content` describes their number."""
    if not buffer["is_open_"]:
        return f"{name} (closed)"
    kind = "" if int(buffer["resource_"]) else ", a view"
    address = int(buffer["pointer_"])
    return f"{name} of {content} at {address + offset if address else 0:#x}{kind}"


class BufferPrinter:
    """Prints Buffer of 4000 bytes at 0x7f0000001000."""

    def __init__(self, name, value):
        self.name, self.value = name, value

    def to_string(self):
        return text_of_memory(self.name, self.value, f"{int(self.value['size_'])} bytes")


class TypedBufferPrinter(BufferPrinter):
    """Prints TypedBuffer of 1000 float at 0x7f0000001000."""

    def to_string(self):
        element = self.value.type.template_argument(0)
        count = int(self.value["bytes_"]["size_"]) // element.sizeof
        return text_of_memory(self.name, self.value["bytes_"], f"{count} {element}")


class PitchedBufferPrinter(BufferPrinter):
    """Prints PitchedBuffer of 64 x 48 x 1 float, 256 bytes per row, at 0x7f0000001000."""

    def to_string(self):
        element, extent = self.value.type.template_argument(0), self.value["extent_"]
        sizes = " x ".join(str(int(extent[name])) for name in ("width", "height", "depth"))
        content = f"{sizes} {element}, {int(self.value['pitch_'])} bytes per row,"
        return text_of_memory(self.name, self.value["bytes_"], content, int(self.value["offset_"]))


class HandlePrinter(BufferPrinter):
    """Prints Stream 0x5581c9a31b40 for an owner or a view."""

    def to_string(self):
        handle = int(self.value["handle_"]) % 2**64
        if self.name in ("Stream", "StreamRef"):
            if handle in DEFAULT_STREAMS:
                return f"{self.name} ({DEFAULT_STREAMS[handle]})"
            handle = 0 if handle == NO_STREAM else handle
        return f"{self.name} {handle:#x}" if handle else f"{self.name} (no handle)"


def has_handle(value_type):
    """Returns whether the class is a view with a native handle, or an owner that is derived from one."""
    for field in value_type.fields():
        if field.name == "handle_" or (field.is_base_class and has_handle(field.type)):
            return True
    return False


def printer_of(value):
    value_type = value.type.unqualified().strip_typedefs()
    name = NAME.match(value_type.name or "")
    if name is None or value_type.code != gdb.TYPE_CODE_STRUCT:
        return None
    printers = {"Buffer": BufferPrinter, "TypedBuffer": TypedBufferPrinter, "PitchedBuffer": PitchedBufferPrinter}
    if name[1] in printers:
        return printers[name[1]](name[1], value)
    is_view_or_owner = name[1].endswith("Ref") or any("::Owner<" in str(field.type) for field in value_type.fields() if field.is_base_class)
    return HandlePrinter(name[1], value) if is_view_or_owner and has_handle(value_type) else None


printer_of.__name__ = "cubind"  # for the command `info pretty-printer`
gdb.pretty_printers[:] = [each for each in gdb.pretty_printers if getattr(each, "__name__", "") != "cubind"] + [printer_of]
