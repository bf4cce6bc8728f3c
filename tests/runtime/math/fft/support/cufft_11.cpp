// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// A cuFFT of a major version that the bindings refuse.

extern "C" int cufftGetVersion(int* version) {
    *version = 11400;
    return 0;
}
