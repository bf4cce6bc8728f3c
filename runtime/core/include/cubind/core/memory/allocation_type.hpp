// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

namespace CUBIND_NAMESPACE {

/// How the driver places the memory of an allocation.
enum class AllocationType : unsigned int {
    pinned = driver::CU_MEM_ALLOCATION_TYPE_PINNED,    ///< the memory stays in its location
    managed = driver::CU_MEM_ALLOCATION_TYPE_MANAGED,  ///< the driver migrates the memory to the processor that uses it
};

}  // namespace CUBIND_NAMESPACE
