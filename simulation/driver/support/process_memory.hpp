// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>

namespace CUBIND_NAMESPACE::sim {

/// What the process may do with all bytes of a range of its addresses.
struct RangeAccess {
    bool can_read = false;
    bool can_write = false;
};

/// Returns the access to a range that does not exceed the address space. If the system does not list the mappings of the process,
/// memory that can be read counts as memory that can be written.
RangeAccess find_access(std::uintptr_t address, std::size_t bytes);

}  // namespace CUBIND_NAMESPACE::sim
