// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "solver/solver_memory.hpp"

#include <cubind/driver/types.hpp>

#include <exception>
#include <utility>

#include "plan/checked.hpp"

namespace CUBIND_NAMESPACE::math::detail {
namespace {

constexpr std::size_t alignment = MemoryResourceBase::default_alignment;

StreamRef view_of(cudss::cudaStream_t stream) {
    return StreamRef(reinterpret_cast<driver::CUstream>(stream));
}

}  // namespace

cudss::cudssDeviceMemHandler_t SolverMemory::handler() noexcept {
    return {.ctx = this, .device_alloc = allocate, .device_free = free, .name = "cubind"};
}

std::string SolverMemory::take_failure() {
    const std::lock_guard lock(mutex_);
    return std::exchange(failure_, {});
}

int SolverMemory::allocate(void* self, void** address, std::size_t size, cudss::cudaStream_t stream) noexcept {
    auto& memory = *static_cast<SolverMemory*>(self);
    *address = nullptr;
    if (size == 0) return 0;
    try {
        *address = reinterpret_cast<void*>(memory.resource_.base()->allocate(view_of(stream), size, alignment));
        return 0;
    } catch (const std::exception& error) {
        const std::lock_guard lock(memory.mutex_);
        memory.failure_ = error.what();
    } catch (...) {  // of a resource of the user
    }
    return 1;
}

int SolverMemory::free(void* self, void* address, std::size_t size, cudss::cudaStream_t stream) noexcept {
    if (address == nullptr) return 0;
    try {
        const auto pointer = reinterpret_cast<driver::CUdeviceptr>(address);
        static_cast<SolverMemory*>(self)->resource_.base()->deallocate(view_of(stream), pointer, size, alignment);
        return 0;
    } catch (const std::exception& error) {
        report_failed_release("freeing memory of cuDSS", error.what());
    } catch (...) {
        report_failed_release("freeing memory of cuDSS", "an exception of the memory resource");
    }
    return 1;
}

}  // namespace CUBIND_NAMESPACE::math::detail
