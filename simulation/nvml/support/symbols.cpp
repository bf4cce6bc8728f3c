// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/symbols.hpp"

#include <new>
#include <stdexcept>

namespace CUBIND_NAMESPACE::sim::management {

nvmlReturn_t status_of_exception() noexcept {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return NVML_ERROR_MEMORY;
    } catch (const std::length_error&) {  // a container of more elements than memory can hold
        return NVML_ERROR_MEMORY;
    } catch (...) {
        return NVML_ERROR_UNKNOWN;
    }
}

}  // namespace CUBIND_NAMESPACE::sim::management
