# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Writes SYMBOL(name) for every symbol of the driver of one release that stand_in_driver.cpp does not define itself.

usage: write_symbols.py REPOSITORY RELEASE OUTPUT
"""
import sys

import spec

REPOSITORY, RELEASE, OUTPUT = sys.argv[1:]

DEFINED_BY_HAND = ["cuDeviceGetCount", "cuDriverGetVersion", "cuInit", "cuMemAlloc_v2", "cuMemFree_v2"]
UNKNOWN = ["cuCtxCreate_v9", "cuMemAlloc_v3", "cuTeleport", "cuTeleport_ptsz"]

driver = spec.Spec(REPOSITORY, "driver")
symbols = driver.symbols(RELEASE)
if RELEASE == driver.future:
    symbols += UNKNOWN
for name in DEFINED_BY_HAND:
    symbols.remove(name)
with open(OUTPUT, "w", encoding="utf-8") as file:
    file.writelines(f"SYMBOL({name})\n" for name in symbols)
