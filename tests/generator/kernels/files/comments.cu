// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Clears.
// With a second line.
__global__ void slashes(int* p) {}

/**
 * Fills the data.
 *
 * Slowly.
 */
template <class T>
__global__ void block(T* p) {}
// instance: block<int>

//! Marked for a tool.
extern "C" __global__ void marked(int* p) {}

/* One line. */
__global__ void
one_line(int* p) {}

// Not a comment of the kernel.

__global__ void apart(int* p) {}
__global__ void without(int* p) {}  // behind
__global__ void after(int* p) {}
