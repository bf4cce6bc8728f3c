// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/runtime/constants.hpp>

#include <bit>
#include <type_traits>

#include "state/context.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

/// A type with a size: neither void nor the tag of a handle.
template <class T>
concept IsObject = std::is_object_v<T> && requires {
    sizeof(T);
};

/// Converts an argument of the runtime library to the parameter of the driver's function. Both have the same representation:
/// addresses are pointers here and integers there, and enums and structs have the same values and layouts under other names.
template <class To, class From>
To as(From value) noexcept {
    if constexpr (std::is_same_v<To, From>) {
        return value;
    } else if constexpr (std::is_null_pointer_v<From>) {
        return To{};
    } else if constexpr (std::is_pointer_v<To> && std::is_pointer_v<From>) {
        using Target = std::remove_cv_t<std::remove_pointer_t<To>>;
        using Source = std::remove_cv_t<std::remove_pointer_t<From>>;
        if constexpr (IsObject<Target> && IsObject<Source>) static_assert(sizeof(Target) == sizeof(Source));
        return reinterpret_cast<To>(const_cast<Source*>(value));
    } else if constexpr (std::is_pointer_v<To> || std::is_pointer_v<From>) {
        static_assert(sizeof(To) == sizeof(From));
        return reinterpret_cast<To>(value);
    } else if constexpr (std::is_class_v<To>) {
        return std::bit_cast<To>(value);
    } else {
        return static_cast<To>(value);
    }
}

/// Calls a function of the driver that needs no context.
template <class... Parameters, class... Arguments>
cudaError_t call(CUresult (*function)(Parameters...), Arguments... arguments) {
    if (const cudaError_t status = initialize()) return status;
    return status_of(function(as<Parameters>(arguments)...));
}

/// Calls a function of the driver in the thread's context.
template <class... Parameters, class... Arguments>
cudaError_t call_in_context(CUresult (*function)(Parameters...), Arguments... arguments) {
    if (const cudaError_t status = bind_context()) return status;
    return status_of(function(as<Parameters>(arguments)...));
}

/// Calls a function that drivers have since a release, in the thread's context.
template <class... Parameters, class... Arguments>
cudaError_t call_since(int release, CUresult (*function)(Parameters...), Arguments... arguments) {
    if (const cudaError_t status = initialize()) return status;
    if (const cudaError_t status = require_release(release)) return status;
    return call_in_context(function, arguments...);
}

/// Returns the stream to pass to a function of the driver whose null stream is the legacy default stream.
inline cudaStream_t driver_stream(cudaStream_t stream) noexcept {
    return stream == nullptr && thread_state.uses_per_thread_stream ? cudaStreamPerThread : stream;
}

}  // namespace CUBIND_NAMESPACE::sim::cudart
