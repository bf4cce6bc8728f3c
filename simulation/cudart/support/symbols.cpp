// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/symbols.hpp"

#include <new>
#include <stdexcept>

namespace CUBIND_NAMESPACE::sim::cudart {

cudaError_t status_of_exception() noexcept {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return cudaErrorMemoryAllocation;
    } catch (const std::length_error&) {  // a container of more elements than memory can hold
        return cudaErrorMemoryAllocation;
    } catch (...) {
        return cudaErrorUnknown;
    }
}

}  // namespace CUBIND_NAMESPACE::sim::cudart
