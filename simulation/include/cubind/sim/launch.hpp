// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::sim {

/// The extents of a grid or a cluster in blocks, or of a block in threads.
struct Extent3 {
    unsigned x = 1;  ///< along x
    unsigned y = 1;  ///< along y
    unsigned z = 1;  ///< along z
    /// Compares all three numbers.
    bool operator==(const Extent3&) const = default;
};

/// The index of a block in a grid, or of a thread in a block.
struct Index3 {
    unsigned x = 0;  ///< along x
    unsigned y = 0;  ///< along y
    unsigned z = 0;  ///< along z
    /// Compares all three numbers.
    bool operator==(const Index3&) const = default;
};

/// One launch of a kernel. A body receives it, and launches() returns it as a record.
struct Launch {
    std::string name;                                ///< name of the kernel in the PTX
    Extent3 grid;                                    ///< blocks of the grid
    Extent3 block;                                   ///< threads of a block
    Extent3 cluster;                                 ///< blocks of a cluster; {1, 1, 1} if the launch has no clusters
    std::size_t shared_bytes = 0;                    ///< bytes of dynamic shared memory
    driver::CUstream stream = nullptr;               ///< stream handle, as the caller passed it
    std::vector<std::byte> arguments;                ///< argument bytes in the layout of the kernel's parameters
    driver::CUresult status = driver::CUDA_SUCCESS;  ///< status with which the launch ended
    std::string problem;                             ///< reason of the failure; empty after success

    /// Returns the `count` elements that a pointer argument points to. If they do not all lie within one allocation of
    /// the driver, throws an exception that ends the body, and the context fails with CUDA_ERROR_ILLEGAL_ADDRESS.
    template <class Element>
    std::span<Element> memory(Element* pointer, std::size_t count) const {
        check_memory(pointer, count, sizeof(Element));
        return {pointer, count};
    }
    /// Returns the `count` elements at a device address. Throws like the overload for pointers.
    template <class Element>
    std::span<Element> memory(driver::CUdeviceptr pointer, std::size_t count) const {
        return memory(reinterpret_cast<Element*>(pointer), count);
    }

private:
    static void check_memory(const void* pointer, std::size_t count, std::size_t size);
};

/// One thread of a launch. The members have the names of device code.
struct Thread {
    const Launch& launch;  ///< launch that the thread belongs to
    Extent3 gridDim;       ///< blocks of the grid
    Extent3 blockDim;      ///< threads of a block
    Index3 blockIdx;       ///< index of the thread's block in the grid
    Index3 threadIdx;      ///< index of the thread in its block
};

}  // namespace CUBIND_NAMESPACE::sim
