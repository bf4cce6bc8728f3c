# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Exchanges DLPack tensors with NumPy and cuda.core, and with PyTorch on a GPU.

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

# Calls through this object hold Python's lock, and raise the exception of Python that they have set.
locked = ctypes.PyDLL(sys.argv[1])
locked.describe_object.restype = ctypes.c_char_p
locked.describe_object.argtypes = [ctypes.c_void_p, ctypes.py_object]
locked.make_object.restype = ctypes.py_object
locked.make_object.argtypes = [ctypes.c_void_p]

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
HAS_CUDA_CORE = importlib.util.find_spec("cuda") is not None and importlib.util.find_spec("cuda.core") is not None
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


def exchange_table(type):
    """Returns the address of the table of functions that exchange objects of the type, or None if it has none."""
    capsule = getattr(type, "__dlpack_c_exchange_api__", None)
    return capsule and capsules.PyCapsule_GetPointer(capsule, b"dlpack_exchange_api")


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


@unittest.skipUnless(HAS_NUMPY and HAS_CUDA_CORE, "cuda.core is not installed")
class CudaCoreTest(unittest.TestCase):
    def setUp(self):
        from cuda.core.utils import StridedMemoryView
        self.views, self.table = StridedMemoryView, exchange_table(StridedMemoryView)
        if self.table is None:
            self.skipTest("this release of cuda.core has no exchange table")

    def test_passes_objects_to_cubind(self):
        import numpy
        array = numpy.arange(40, dtype=numpy.float32).reshape(5, 8)[::2, 3:]
        references = sys.getrefcount(array)
        view = self.views.from_any_interface(array, stream_ptr=-1)
        text = checked(locked.describe_object(self.table, view)).decode()
        self.assertEqual(text, "float32 (3, 5) (16, 1) host")
        del view
        gc.collect()
        self.assertEqual(sys.getrefcount(array), references, "cubind released the object")

    def test_raises_the_exception_of_the_library(self):
        with self.assertRaises(TypeError):
            locked.describe_object(self.table, object())

    def test_makes_objects_of_memory_of_cubind(self):
        import numpy
        before = library.owner_count()
        view = locked.make_object(self.table)
        self.assertIsInstance(view, self.views)
        self.assertEqual(library.owner_count(), before + 1)
        self.assertEqual((view.shape, view.strides), ((3, 3), (1, 4)))
        self.assertEqual(numpy.from_dlpack(view).tolist(), EXPECTED)
        del view
        gc.collect()
        self.assertEqual(library.owner_count(), before, "cuda.core called the deleter")


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

    def test_exchanges_objects_with_cubind(self):
        import torch
        table = exchange_table(torch.Tensor)
        if table is None:
            self.skipTest("this release of PyTorch has no exchange table")
        text = checked(locked.describe_object(table, torch.zeros((4, 6), device="cuda")[:, ::2])).decode()
        self.assertEqual(text, "float32 (4, 3) (6, 2) device")
        self.assertEqual(locked.make_object(table).tolist(), EXPECTED)


if __name__ == "__main__":
    if not HAS_NUMPY and not has_cuda_torch():
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
