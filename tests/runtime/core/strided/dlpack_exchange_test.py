# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Exchanges DLPack tensors with NumPy, and with PyTorch on a GPU.

usage: dlpack_exchange_test.py LIBRARY [TEST...]
LIBRARY is the compiled dlpack_exchange.cpp. Ends with status 77 if no library to exchange with is installed.
"""
import ctypes
import gc
import importlib.util
import sys
import unittest

library = ctypes.CDLL(sys.argv[1])
library.last_problem.restype = ctypes.c_char_p
library.export_host_matrix.restype = ctypes.c_void_p
library.export_device_matrix.restype = ctypes.c_void_p
library.export_device_matrix.argtypes = [ctypes.c_ssize_t]
library.describe_tensor.restype = ctypes.c_char_p
library.describe_tensor.argtypes = [ctypes.c_void_p, ctypes.c_int]
library.weighted_sum.restype = ctypes.c_double
library.weighted_sum.argtypes = [ctypes.c_void_p, ctypes.c_int]

capsules = ctypes.pythonapi
capsules.PyCapsule_New.restype = ctypes.py_object
capsules.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
capsules.PyCapsule_GetPointer.restype = ctypes.c_void_p
capsules.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
capsules.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
capsules.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]

NAMES = (b"dltensor", b"dltensor_versioned")
USED_NAMES = (b"used_dltensor", b"used_dltensor_versioned")
EXPECTED = [[1, 5, 9], [2, 6, 10], [3, 7, 11]]  # what part_of() in dlpack_exchange.cpp returns
HAS_NUMPY = importlib.util.find_spec("numpy") is not None
CPU, CUDA = 1, 2


def has_cuda_torch():
    if importlib.util.find_spec("torch") is None:
        return False
    import torch
    return torch.cuda.is_available()


def checked(value):
    """Returns the result of a function of the library. Raises an exception if the function failed."""
    if value is None or value == -1:
        raise AssertionError(library.last_problem().decode())
    return value


class Producer:
    """A tensor of cubind, as Python libraries expect it."""

    def __init__(self, device_type=CPU, is_readonly=False):
        self.device_type, self.is_readonly = device_type, is_readonly

    def __dlpack_device__(self):
        return self.device_type, 0

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        is_versioned = max_version is not None or self.device_type == CUDA
        if self.device_type == CUDA:
            pointer = checked(library.export_device_matrix(stream))
        else:
            pointer = checked(library.export_host_matrix(int(is_versioned), int(self.is_readonly)))
        return capsules.PyCapsule_New(pointer, NAMES[is_versioned], None)


def take(capsule):
    """Takes the tensor out of a capsule. Returns the arguments of functions of the library."""
    is_versioned = bool(capsules.PyCapsule_IsValid(capsule, NAMES[1]))
    pointer = capsules.PyCapsule_GetPointer(capsule, NAMES[is_versioned])
    capsules.PyCapsule_SetName(capsule, USED_NAMES[is_versioned])
    return pointer, int(is_versioned)


def weighted_sum(rows):
    return sum((i + 1) * value for i, value in enumerate(value for row in rows for value in row))


@unittest.skipUnless(HAS_NUMPY, "NumPy is not installed")
class NumpyTest(unittest.TestCase):
    def test_reads_a_tensor_of_cubind(self):
        import numpy
        before = library.owner_count()
        array = numpy.from_dlpack(Producer())
        self.assertEqual(library.owner_count(), before + 1)
        self.assertEqual((array.dtype, array.strides), (numpy.float32, (4, 16)))
        self.assertEqual(array.tolist(), EXPECTED)
        del array
        gc.collect()
        self.assertEqual(library.owner_count(), before, "NumPy called the deleter")

    def test_passes_arrays_to_cubind(self):
        import numpy
        for array in (numpy.arange(12, dtype=numpy.float32).reshape(3, 4), numpy.asfortranarray(numpy.ones((2, 5), numpy.float32)),
                      numpy.arange(40, dtype=numpy.float32).reshape(5, 8)[::2, 1::3], numpy.zeros((3, 0), numpy.float32)):
            self.assertEqual(checked(library.weighted_sum(*take(array.__dlpack__()))), weighted_sum(array.tolist()))
        references = sys.getrefcount(array)
        capsule = array.__dlpack__()
        self.assertEqual(sys.getrefcount(array), references + 1)
        checked(library.weighted_sum(*take(capsule)))
        self.assertEqual(sys.getrefcount(array), references, "cubind called the deleter")

    def test_passes_data_types_to_cubind(self):
        import numpy
        for dtype, name in (("int8", "int8"), ("uint16", "uint16"), ("int64", "int64"), ("float16", "float16"), ("float64", "float64"),
                            ("complex64", "complex64")):
            text = checked(library.describe_tensor(*take(numpy.zeros((2, 3), dtype).__dlpack__()))).decode()
            self.assertEqual(text, f"{name} (2, 3) (3, 1) host")


@unittest.skipUnless(has_cuda_torch(), "PyTorch with a GPU is not installed")
class TorchTest(unittest.TestCase):
    def test_reads_memory_of_the_host(self):
        import torch
        tensor = torch.from_dlpack(Producer())
        self.assertEqual((tensor.dtype, tensor.stride(), tensor.tolist()), (torch.float32, (1, 4), EXPECTED))

    def test_reads_memory_of_the_device(self):
        import torch
        for stream in (torch.cuda.current_stream(), torch.cuda.Stream()):
            with torch.cuda.stream(stream):
                tensor = torch.from_dlpack(Producer(CUDA))
                doubled = tensor * 2
            stream.synchronize()
            self.assertEqual((tensor.device.type, tensor.stride(), tensor.tolist()), ("cuda", (1, 4), EXPECTED))
            self.assertEqual(doubled.tolist(), [[2 * value for value in row] for row in EXPECTED])

    def test_passes_memory_of_the_device_to_cubind(self):
        import torch
        matrix = torch.arange(40, dtype=torch.float32, device="cuda").reshape(5, 8)
        for tensor in (matrix, matrix[::2, 3:], matrix.t()[1:, :].t()):
            torch.cuda.synchronize()
            self.assertEqual(checked(library.weighted_sum(*take(tensor.__dlpack__()))), weighted_sum(tensor.tolist()))

    def test_passes_data_types_to_cubind(self):
        import torch
        for dtype, name in ((torch.bfloat16, "bfloat16"), (torch.float16, "float16"), (torch.int32, "int32"), (torch.complex128, "complex128"),
                            (torch.bool, "bool"), (torch.float8_e4m3fn, "float8_e4m3fn"), (torch.float8_e5m2, "float8_e5m2")):
            tensor = torch.zeros((2, 3), device="cuda").to(dtype)
            try:
                capsule = tensor.__dlpack__()
            except (RuntimeError, BufferError) as error:
                self.assertIn("float8", name, error)  # PyTorch cannot export all types
                continue
            self.assertEqual(checked(library.describe_tensor(*take(capsule))).decode(), f"{name} (2, 3) (3, 1) device")


if __name__ == "__main__":
    if not HAS_NUMPY and not has_cuda_torch():
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
