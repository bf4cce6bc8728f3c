// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::sim {

/// A scope in which the null stream is the calling thread's default stream.
class PerThreadDefaultStream {
public:
    PerThreadDefaultStream() noexcept { is_active = true; }
    ~PerThreadDefaultStream() { is_active = false; }
    PerThreadDefaultStream(const PerThreadDefaultStream&) = delete;  // its lifetime is a scope
    PerThreadDefaultStream& operator=(const PerThreadDefaultStream&) = delete;

    static inline constinit thread_local bool is_active = false;
};

}  // namespace CUBIND_NAMESPACE::sim
