// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::sim {

/// A check, such as CurrentCheck, that ends the entry point if it fails: the entry point then returns the check's status. Only
/// entry points and functions that nothing but entry points call may throw it.
template <class Check>
struct Valid : Check {
    template <class... Arguments>
    explicit Valid(const Arguments&... arguments) : Check(arguments...) {
        if (this->failed()) throw this->status;  // answer() returns it
    }
};

}  // namespace CUBIND_NAMESPACE::sim
