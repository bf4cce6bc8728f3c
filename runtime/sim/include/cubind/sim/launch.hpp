// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <cubind/driver/types.hpp>

namespace cubind::sim {

struct Dim3 {
    unsigned x = 1;
    unsigned y = 1;
    unsigned z = 1;
    bool operator==(const Dim3&) const = default;
};

/// One launch of a kernel: what its body is told, and what is kept of it.
struct Launch {
    std::string name;  ///< of the kernel, as its PTX has it
    Dim3 grid;
    Dim3 block;
    Dim3 cluster;                      ///< 1, 1, 1 where nobody asked for clusters
    std::size_t shared_bytes = 0;      ///< dynamic shared memory
    driver::CUstream stream = nullptr;
    std::vector<std::byte> arguments;  ///< as the kernel's code would find them
    driver::CUresult status = driver::CUDA_SUCCESS;  ///< how it ended
    std::string problem;                             ///< what was wrong, if anything

    /// The elements that a pointer argument points to. Where they are not all within one piece of memory that the driver knows,
    /// the body ends here, and its context fails with CUDA_ERROR_ILLEGAL_ADDRESS.
    template <class Element>
    std::span<Element> memory(Element* pointer, std::size_t count) const {
        check_memory(pointer, count, sizeof(Element));
        return {pointer, count};
    }
    template <class Element>
    std::span<Element> memory(driver::CUdeviceptr pointer, std::size_t count) const {
        return memory(reinterpret_cast<Element*>(pointer), count);
    }

private:
    static void check_memory(const void* pointer, std::size_t count, std::size_t size);
};

/// One thread of a launch, with the names that device code uses.
struct Thread {
    const Launch& launch;
    Dim3 gridDim;
    Dim3 blockDim;
    Dim3 blockIdx;
    Dim3 threadIdx;
};

}  // namespace cubind::sim
