// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/runtime/types.hpp>

namespace CUBIND_NAMESPACE::sim::cudart {

/// What the runtime library stores for each thread.
struct ThreadState {
    runtime::cudaError_t last_error = runtime::cudaSuccess;
    int device = 0;                       ///< ordinal that cudaSetDevice selected
    unsigned long long bound = 0;         ///< ID of the context that the last call found usable; 0 if none
    unsigned generation = 0;              ///< number of device resets at that call
    bool uses_per_thread_stream = false;  ///< whether the null stream is the thread's own default stream
};

inline constinit thread_local ThreadState thread_state;

/// A scope in which the null stream is the calling thread's default stream.
class PerThreadDefaultStream {
public:
    PerThreadDefaultStream() noexcept { thread_state.uses_per_thread_stream = true; }
    ~PerThreadDefaultStream() { thread_state.uses_per_thread_stream = false; }
    PerThreadDefaultStream(const PerThreadDefaultStream&) = delete;  // its lifetime is a scope
    PerThreadDefaultStream& operator=(const PerThreadDefaultStream&) = delete;
};

}  // namespace CUBIND_NAMESPACE::sim::cudart
