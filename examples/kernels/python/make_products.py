#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""make_products.py FOLDER [COMPILER...]: compiles kernels in Python for the programs in this folder, which load and launch them
without Python.

    triton   softmax.cubin, softmax.ptx and softmax.json by Triton
    tile     add.cubin and add.tileir by CUDA Tile, which calls tileiras and ptxas (packages nvidia-cuda-tileiras, nvidia-cuda-nvcc)
    numba    saxpy.ptx, and smooth.ltoir with a device function, by numba-cuda, which needs libNVVM

All of them by default. The code is for compute capability 9.0, or that of the variable ARCH, such as ARCH=80. No GPU is needed.
"""
import os
import pathlib
import sys

ARCH = int(os.environ.get("ARCH", "90"))


def triton_products(folder):
    import json

    import triton
    import triton.language as tl
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    @triton.jit
    def softmax(result, values, columns, width: tl.constexpr):
        row = tl.program_id(0)
        index = tl.arange(0, width)
        x = tl.load(values + row * columns + index, mask=index < columns, other=-float("inf"))
        powers = tl.exp(x - tl.max(x, axis=0))
        tl.store(result + row * columns + index, powers / tl.sum(powers, axis=0), mask=index < columns)

    source = ASTSource(fn=softmax, signature={"result": "*fp32", "values": "*fp32", "columns": "i32", "width": "constexpr"},
                       constexprs={"width": 1024})
    kernel = triton.compile(source, target=GPUTarget("cuda", ARCH, 32), options={"num_warps": 4, "enable_fp_fusion": True})
    (folder / "softmax.cubin").write_bytes(kernel.asm["cubin"])
    (folder / "softmax.ptx").write_text(kernel.asm["ptx"])
    (folder / "softmax.json").write_text(json.dumps(kernel.metadata._asdict(), default=vars))


def tile_products(folder):
    import cuda.tile as ct
    from cuda.tile import compilation

    @ct.kernel
    def add(x, y, total, width: ct.Constant[int]):
        block = ct.bid(0)
        tile = ct.load(x, index=(block,), shape=(width,)) + ct.load(y, index=(block,), shape=(width,))
        ct.store(total, index=(block,), tile=tile)

    array = compilation.ArrayConstraint(ct.float32, 1, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=[],
                                        may_alias_internally=False)
    signature = compilation.KernelSignature([array, array, array, compilation.ConstantConstraint(256)],
                                            compilation.CallingConvention.cutile_python_v1(), symbol="add")
    for name, kind in (("add.cubin", "cubin"), ("add.tileir", "tileir_bytecode")):
        compilation.export_kernel(add, [signature], folder / name, gpu_code=f"sm_{ARCH}", output_format=kind)


def numba_products(folder):
    import numpy
    from numba import cuda, types

    def saxpy(a, x, y, count):
        i = cuda.grid(1)
        if i < count:
            y[i] += a * x[i]

    def smooth(x):
        return x * x * (numpy.float32(3) - numpy.float32(2) * x)

    floats = types.CPointer(types.float32)
    ptx, _ = cuda.compile(saxpy, (types.float32, floats, floats, types.int64), device=False, cc=divmod(ARCH, 10), output="ptx", abi="numba")
    (folder / "saxpy.ptx").write_text(ptx if isinstance(ptx, str) else ptx.decode())
    lto_ir, _ = cuda.compile(smooth, types.float32(types.float32), device=True, cc=divmod(ARCH, 10), output="ltoir", abi="c")
    (folder / "smooth.ltoir").write_bytes(lto_ir)


COMPILERS = {"triton": triton_products, "tile": tile_products, "numba": numba_products}


def main():
    if len(sys.argv) < 2 or any(name not in COMPILERS for name in sys.argv[2:]):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or COMPILERS:
        COMPILERS[name](folder)


if __name__ == "__main__":
    main()
