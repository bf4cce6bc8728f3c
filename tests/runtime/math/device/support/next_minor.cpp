// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// A libmathdx of a version that the bindings refuse.

extern "C" int mathdxGetVersionEx(int* major, int* minor, int* patch) {
    *major = 0;
    *minor = 5;
    *patch = 0;
    return 0;
}
